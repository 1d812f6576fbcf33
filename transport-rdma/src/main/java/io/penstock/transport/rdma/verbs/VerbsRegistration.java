package io.penstock.transport.rdma.verbs;

/** Memory that a device knows. Any thread; keys are constant. */
public interface VerbsRegistration extends AutoCloseable {
    /**
     * For requests of this side that name this memory.
     *
     * @return the key.
     */
    int localKey();

    /**
     * For requests of peers that name this memory.
     *
     * @return the key; of no use when the peer has no access.
     */
    int remoteKey();

    /** Ends it, and unpins the memory; nothing that is posted may name it any more. Idempotent. */
    @Override
    void close();
}
