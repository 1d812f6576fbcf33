package io.penstock.broker.security;

import io.penstock.broker.security.Authenticator.Logon;

/**
 * A way for clients to prove who they are, in one or several messages. A client names it with its logon. Asked on any
 * thread; must be thread-safe.
 */
public interface AuthenticationMechanism {
    /**
     * How clients name it.
     *
     * @return name without spaces, for example {@code SCRAM-SHA-256}.
     */
    String name();

    /**
     * Whether a client may use it. Called by I/O agents: must not block.
     *
     * @param logon what is known of the client; without its password, unless it has sent one with its logon.
     * @return false for example when passwords in clear are refused and the connection is not encrypted.
     */
    default boolean isOffered(final Logon logon) {
        return true;
    }

    /**
     * A client has named it. Called by I/O agents: must not block.
     *
     * @param logon what is known of the client.
     * @return what takes the client's messages, the first of them included.
     */
    AuthenticationExchange begin(Logon logon);
}
