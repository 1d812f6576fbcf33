package io.penstock.orb.chunk;

import java.util.Arrays;

/**
 * Frames that go with those of the thread that writes, in their order: short ones are copied one after the other, the
 * arrays of long ones are kept. Guarded by the writer, except the frames that the writing thread sends.
 */
final class NotedFrames {
    private static final int COPY_LENGTH = 16 * 1024;

    private final SegmentPool segments;
    private Piece[] pieces = {new Piece(), new Piece(), new Piece(), new Piece()};
    private int count;
    private int length;

    NotedFrames(final SegmentPool segments) {
        this.segments = segments;
    }

    /** Bytes of all. */
    int length() {
        return length;
    }

    /** Pieces, each to be sent at once. */
    int count() {
        return count;
    }

    byte[] bytes(final int index) {
        return pieces[index].bytes;
    }

    int offset(final int index) {
        return pieces[index].offset;
    }

    int length(final int index) {
        return pieces[index].length;
    }

    /** Copies a frame, at most {@link #COPY_LENGTH} bytes with its header. */
    void copy(final Outgoing outgoing) {
        final byte[] header = outgoing.header();
        final int wanted = header.length + outgoing.length();
        Piece last = count == 0 ? null : pieces[count - 1];
        if (last == null || last.isKept || last.length + wanted > last.bytes.length) {
            last = next();
            if (last.bytes.length != COPY_LENGTH) {
                last.bytes = new byte[COPY_LENGTH];
            }
        }
        System.arraycopy(header, 0, last.bytes, last.length, header.length);
        System.arraycopy(
                outgoing.bytes(), outgoing.offset(), last.bytes, last.length + header.length, outgoing.length());
        last.length += wanted;
        length += wanted;
    }

    /** Keeps the array of a frame, and gives its sender another one. */
    void keep(final Outgoing outgoing) {
        // First of all: without it the sender goes on with its own.
        final byte[] other = segments.take(SegmentPool.LENGTH_MAX);
        final Piece piece = next();
        piece.isKept = true;
        piece.bytes = outgoing.bytes();
        piece.offset = outgoing.offset();
        piece.length = outgoing.length();
        length += piece.length;
        outgoing.replace(other);
    }

    private Piece next() {
        if (count == pieces.length) {
            pieces = Arrays.copyOf(pieces, count * 2);
            for (int i = count; i < pieces.length; i++) {
                pieces[i] = new Piece();
            }
        }
        final Piece piece = pieces[count];
        count++;
        return piece;
    }

    /** All were sent. */
    void clear() {
        for (int i = 0; i < count; i++) {
            pieces[i].clear(segments);
        }
        count = 0;
        length = 0;
    }

    /** Bytes that are sent at once. */
    private static final class Piece {
        private static final byte[] NONE = {};

        private byte[] bytes = NONE;
        private int offset;
        private int length;
        private boolean isKept;

        private void clear(final SegmentPool segments) {
            if (isKept) {
                // Others have less than a segment, and are few.
                if (bytes.length == SegmentPool.LENGTH_MAX) {
                    segments.give(bytes);
                }
                bytes = NONE;
            }
            isKept = false;
            offset = 0;
            length = 0;
        }
    }
}
