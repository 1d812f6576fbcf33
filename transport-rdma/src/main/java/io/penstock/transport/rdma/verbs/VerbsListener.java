package io.penstock.transport.rdma.verbs;

import java.net.InetSocketAddress;

/** A listener. Control thread. */
public interface VerbsListener extends AutoCloseable {
    /**
     * Where it listens.
     *
     * @return the address with the real port.
     */
    InetSocketAddress address();

    /** Ends it; requests that were not reported are refused. Idempotent. */
    @Override
    void close();
}
