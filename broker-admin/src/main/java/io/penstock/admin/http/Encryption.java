package io.penstock.admin.http;

import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;

/** Encrypts connections. Safe on any thread. */
public interface Encryption {
    /**
     * The engine of the next connection.
     *
     * @return in server mode, before its handshake; to be released once.
     */
    SSLEngine newEngine();

    /**
     * A connection has no more use for its engine.
     *
     * @param engine of {@link #newEngine()}.
     */
    void release(SSLEngine engine);

    /** Runs the parts of handshakes that take long. */
    Executor tasks();

    /** How long a handshake may take, in milliseconds. */
    long handshakeTimeoutMs();

    /**
     * Says why TLS has failed.
     *
     * @param error as an engine has thrown it.
     * @return the reason and the remedy.
     */
    String reasonOf(Throwable error);
}
