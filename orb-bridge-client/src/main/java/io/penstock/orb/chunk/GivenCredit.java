package io.penstock.orb.chunk;

import java.io.IOException;

/**
 * The bytes that the other side may send on a stream, and the credit that it gets for read bytes. Owned by the reading
 * thread, except the credit to be sent and the memory taken for it, which the connection's lock guards.
 */
final class GivenCredit {
    private static final int EXTENDED_LENGTH = 2 * 1024 * 1024;
    private static final int LONG_WINDOW_LENGTH_MIN = 256 * 1024;

    private final ChunkStream stream;
    private final byte[] frame = new byte[ChunkFrame.HEADER_LENGTH + ChunkFrame.CREDIT_LENGTH];
    private int receivable;
    private int extendedLength;
    private int readLength;
    private boolean isExtended;

    GivenCredit(final ChunkStream stream, final int receivable) {
        this.stream = stream;
        this.receivable = receivable;
    }

    /** Bytes come; false when there was no credit for so many. */
    boolean receive(final int count) {
        receivable -= count;
        return receivable >= 0;
    }

    /** Bytes were read, and can be sent again. */
    void onRead(final int count) {
        readLength += count;
    }

    /** Bytes for which memory was taken, whether they come or not. */
    int extendedLength() {
        return extendedLength;
    }

    /** That memory was given back. */
    void free() {
        extendedLength = 0;
    }

    /**
     * Gives the other side credit for the read bytes. It gives more credit for a long message that is being read: the
     * message goes to its reader, so little of it is kept, and its sender should not have to wait each time.
     */
    void give() throws IOException {
        final ChunkConnection connection = stream.connection();
        final boolean isMore = !isExtended && extend(connection);
        if (isMore || readLength * 2 >= connection.own().windowLength()) {
            final int given = readLength + (isMore ? EXTENDED_LENGTH : 0);
            isExtended |= isMore;
            readLength = 0;
            if (grant(connection, given)) {
                ChunkFrame.put(frame, 0, ChunkFrame.WINDOW, 0, ChunkFrame.CREDIT_LENGTH, stream.id());
                ChunkFrame.putInt(frame, ChunkFrame.HEADER_LENGTH, given);
                final Outgoing outgoing = new Outgoing(frame, false);
                outgoing.frame(0, frame.length, false);
                final boolean unused = connection.send(outgoing);
            }
        }
    }

    /** Whether so much more may be sent at once of a long message that is being read: there is memory for it. */
    private boolean extend(final ChunkConnection connection) {
        synchronized (connection.lock()) {
            final boolean isMore = stream.input().isLong()
                    && connection.own().windowLength() >= LONG_WINDOW_LENGTH_MIN
                    && connection.streams().has(stream)
                    && connection.listener().holdMore(EXTENDED_LENGTH);
            if (isMore) {
                extendedLength += EXTENDED_LENGTH;
            }
            return isMore;
        }
    }

    /** More may be sent to this side; false when nothing more will be. */
    private boolean grant(final ChunkConnection connection, final int count) {
        synchronized (connection.lock()) {
            receivable += count;
            return !stream.isOver() && connection.end() == null;
        }
    }
}
