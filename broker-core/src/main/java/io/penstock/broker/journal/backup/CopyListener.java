package io.penstock.broker.journal.backup;

/** Learns how far a copy has come. Called by the thread that copies, which may be kept waiting to slow it down. */
@FunctionalInterface
public interface CopyListener {
    /** Copies as fast as it goes. */
    CopyListener NONE = length -> {};

    /**
     * A piece comes next.
     *
     * @param length of the piece, in bytes, at most 1 MiB.
     */
    void onPiece(int length);
}
