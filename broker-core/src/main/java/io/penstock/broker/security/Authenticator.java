package io.penstock.broker.security;

import io.penstock.transport.PeerIdentity;
import org.jspecify.annotations.Nullable;

/** Decides who a client is. Called by I/O agents; must be thread-safe and must not block. */
@FunctionalInterface
public interface Authenticator {
    /**
     * Every client is {@link Principal#ANONYMOUS}: for brokers that only this machine can reach. A client that gives a
     * user is refused.
     */
    Authenticator NONE = logon -> Principal.ANONYMOUS;

    /**
     * Checks a log-on.
     *
     * @param logon what the client gave.
     * @return who it is, or null to refuse it; a client that names a user and would be {@link Principal#ANONYMOUS} is
     *     refused, too.
     */
    @Nullable
    Principal authenticate(Logon logon);

    /**
     * The credentials of a log-on.
     *
     * @param clientName it asks for, may be empty.
     * @param user       may be empty.
     * @param password   may be empty.
     * @param peer       the connection's other end, for example {@code tcp://127.0.0.1:40112}.
     * @param local      whether the connection cannot leave this machine.
     * @param identity   what the connection's medium proves about the peer.
     */
    record Logon(String clientName, String user, String password, String peer, boolean local, PeerIdentity identity) {
        /** Never shows the password. */
        @Override
        public String toString() {
            return "Logon[clientName=" + clientName + ", user=" + user + ", peer=" + peer + "]";
        }
    }
}
