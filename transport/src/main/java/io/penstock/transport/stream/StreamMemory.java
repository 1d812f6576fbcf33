package io.penstock.transport.stream;

import org.agrona.BufferUtil;

/** The memory that all connections of a transport share. Owned by the agent of the transport. */
final class StreamMemory implements AutoCloseable {
    private final ChunkPool pool = new ChunkPool();
    private final Chunk received;
    private final int gatherLengthMin;

    /**
     * Allocates what connections are read through.
     *
     * @param receiveLength   of it, in bytes.
     * @param gatherLengthMin of a body that is sent from where it lies, and not copied.
     */
    StreamMemory(final int receiveLength, final int gatherLengthMin) {
        received = new Chunk(receiveLength);
        this.gatherLengthMin = gatherLengthMin;
    }

    /** The buffer through which each connection in turn is read. */
    Chunk received() {
        return received;
    }

    /** The pool for bytes that have to wait. */
    ChunkPool pool() {
        return pool;
    }

    int gatherLengthMin() {
        return gatherLengthMin;
    }

    @Override
    public void close() {
        pool.close();
        BufferUtil.free(received.memory());
    }
}
