package io.penstock.transport.tls;

import javax.net.ssl.SSLEngine;

/**
 * Makes engines of one kind, out of settings and certificates that do not change. Any thread. The engines are released by
 * {@link ReleasableEngine#release(SSLEngine)}.
 */
public interface TlsEngines extends AutoCloseable {
    /**
     * What encrypts.
     *
     * @return for people, such as {@code jdk}.
     */
    String name();

    /**
     * An engine for a connection that was accepted.
     *
     * @return in server mode, before its handshake; released by its owner.
     */
    SSLEngine server();

    /**
     * An engine for a connection to a peer, which it names to it, as far as it is a name.
     *
     * @param host that was asked for.
     * @param port of it.
     * @return in client mode, before its handshake; released by its owner.
     */
    SSLEngine client(String host, int port);

    /** Frees at once what engines share, if nobody can have asked for one. The garbage collector does for all others. */
    @Override
    void close();
}
