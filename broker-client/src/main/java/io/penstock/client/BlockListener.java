package io.penstock.client;

/** Notified of the results for blocks. Called on the client's thread; must neither block nor throw. */
public interface BlockListener {
    /** Ignores all notices. */
    BlockListener NONE = new BlockListener() {};

    /**
     * A block is in the sink, and, if the sink is synced, on stable storage.
     *
     * @param tag     as given with the submit.
     * @param blockId the producer's number of it.
     * @param number  of the block in the sink, from 1; 0 when it was stored before a connection was lost.
     * @param offset  of its first byte in the file; -1 when it was stored before a connection was lost.
     * @param length  in bytes.
     */
    default void onStored(final long tag, final long blockId, final long number, final long offset, final int length) {}

    /**
     * A block was refused, and is not in the sink; or, when the reason is a {@link ConnectionException}, nobody knows
     * whether it is. The next {@link BlockWriter#flush} throws the first of these.
     *
     * @param tag    as given with the submit.
     * @param reason why.
     */
    default void onFailed(final long tag, final PenstockException reason) {}
}
