package io.penstock.orb.chunk;

import java.io.IOException;

/**
 * Sends the bytes of a stream in frames, as the other side gives credit. Owned by the writing thread, but the credit, which
 * is guarded by the connection's lock.
 */
final class StreamOutput {
    private final ChunkStream stream;
    private final Waiter creditor = new Waiter();
    private int credit;
    private boolean hasWaited;
    private boolean isBegun;

    StreamOutput(final ChunkStream stream, final int credit) {
        this.stream = stream;
        this.credit = credit;
    }

    /** The writing thread, while it waits for credit. */
    Waiter creditor() {
        return creditor;
    }

    /** Bytes that may be sent. */
    int credit() {
        return credit;
    }

    void credit(final int count) {
        credit += count;
    }

    /** Whether a frame of what was sent last has found another on its way. */
    boolean hasWaited() {
        return hasWaited;
    }

    /** Sends bytes before which there is room for a header. */
    void send(final Outgoing outgoing, final int offset, final int count, final int flags, final long deadlineNs)
            throws IOException {
        hasWaited = false;
        int at = offset;
        int left = count;
        do {
            final int length = left == 0 ? 0 : takeCredit(left, deadlineNs);
            if (length < 0) {
                return;
            }
            ChunkFrame.put(
                    outgoing.bytes(),
                    at - ChunkFrame.HEADER_LENGTH,
                    ChunkFrame.DATA,
                    flags(flags, length == left),
                    length,
                    stream.id());
            left -= length;
            outgoing.frame(at - ChunkFrame.HEADER_LENGTH, ChunkFrame.HEADER_LENGTH + length, left == 0);
            hasWaited |= stream.connection().send(outgoing);
            at += length;
        } while (left > 0);
    }

    /** Sends bytes that are left as they are, each frame behind a header that lies elsewhere. */
    void sendGathered(final Outgoing outgoing, final int offset, final int count, final long deadlineNs)
            throws IOException {
        final byte[] header = outgoing.withHeader();
        hasWaited = false;
        int at = offset;
        int left = count;
        while (left > 0) {
            final int length = takeCredit(left, deadlineNs);
            if (length < 0) {
                return;
            }
            ChunkFrame.put(header, 0, ChunkFrame.DATA, flags(0, false), length, stream.id());
            outgoing.frame(at, length, false);
            hasWaited |= stream.connection().send(outgoing);
            at += length;
            left -= length;
        }
    }

    /** Takes credit for a frame of at most so many bytes; -1 when nothing more is wanted. */
    private int takeCredit(final int left, final long deadlineNs) throws IOException {
        final ChunkConnection connection = stream.connection();
        final int payloadMax = connection.peer().frameLengthMax() - ChunkFrame.HEADER_LENGTH;
        return connection.waits().takeCredit(stream, Math.min(left, payloadMax), deadlineNs);
    }

    private int flags(final int last, final boolean isLast) {
        int flags = isLast ? last : 0;
        if (!isBegun) {
            isBegun = true;
            flags |= stream.connection().isCaller() ? ChunkFrame.BEGIN : 0;
        }
        return flags;
    }
}
