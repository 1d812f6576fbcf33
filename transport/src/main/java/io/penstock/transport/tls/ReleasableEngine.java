package io.penstock.transport.tls;

import javax.net.ssl.SSLEngine;

/** An engine with memory that the garbage collector does not know of. */
public interface ReleasableEngine {
    /** Frees it, after which nothing is to be done with it. Its owner calls it once. */
    void release();

    /**
     * Frees an engine, if that has to be done.
     *
     * @param engine of any kind, which its owner does not use any more.
     */
    static void release(final SSLEngine engine) {
        if (engine instanceof ReleasableEngine releasable) {
            releasable.release();
        }
    }
}
