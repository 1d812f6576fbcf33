package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.order.PieceHeader;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Long messages while their pieces come, one for each origin at most. Room is taken when one begins, and given back when it is
 * applied, but for a little that is kept for the next one. A function of the order. Owned by the sequencer.
 */
final class Stagings {
    static final int KEPT_LENGTH_MAX = 1 << 20;

    private static final int ALIGNMENT = 4 * 1024;

    private final @Nullable Staging[] all = new Staging[Origins.COUNT];

    /** A node has started anew: what it has not finished is dropped. */
    void drop(final int origin) {
        final Staging staging = all[origin];
        if (staging != null) {
            staging.free();
            all[origin] = null;
        }
    }

    /** A message whose pieces had come is applied, or was refused: its bytes are not there any more. */
    void onApplied(final int origin) {
        final Staging staging = all[origin];
        if (staging != null) {
            staging.end();
        }
    }

    /** Bytes of room that is taken now. */
    long roomLength() {
        long length = 0;
        for (final Staging staging : all) {
            length += staging == null ? 0 : staging.buffer.capacity();
        }
        return length;
    }

    /**
     * Adds a piece that was checked.
     *
     * @param origin of it.
     * @param buffer holding its header and its bytes.
     * @param at     where its header is.
     * @param length of its bytes.
     * @return what is wrong with it, or null.
     */
    @Nullable
    String add(final int origin, final DirectBuffer buffer, final int at, final int length) {
        final int start = PieceHeader.start(buffer, at);
        final int wholeLength = PieceHeader.wholeLength(buffer, at);
        Staging staging = all[origin];
        if (staging == null) {
            staging = new Staging();
            all[origin] = staging;
        }
        if (start == 0) {
            staging.begin(PieceHeader.staging(buffer, at), wholeLength);
        } else if (staging.number != PieceHeader.staging(buffer, at)
                || staging.wholeLength != wholeLength
                || staging.length != start) {
            return "a piece at " + start + " that follows none";
        }
        staging.add(buffer, at + PieceHeader.LENGTH, length);
        return null;
    }

    /**
     * A message whose pieces have come.
     *
     * @param origin of it.
     * @param number that its pieces have.
     * @param length of it, payload and headers.
     * @return where it lies from the start on; null when it is not there as a whole.
     */
    @Nullable
    DirectBuffer find(final int origin, final long number, final long length) {
        final Staging staging = all[origin];
        return staging != null && staging.number == number && staging.wholeLength == length && staging.length == length
                ? staging.buffer
                : null;
    }

    /** One message. */
    private static final class Staging {
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private long number;
        private int wholeLength;
        private int length;

        void begin(final long ofMessage, final int whole) {
            number = ofMessage;
            wholeLength = whole;
            length = 0;
            if (buffer.capacity() < whole) {
                free();
                buffer.wrap(ByteBuffer.allocateDirect(
                        (int) Math.min(BitUtil.align((long) whole, ALIGNMENT), Integer.MAX_VALUE)));
            }
        }

        void end() {
            wholeLength = 0;
            length = 0;
            if (buffer.capacity() > KEPT_LENGTH_MAX) {
                free();
            }
        }

        void free() {
            final ByteBuffer memory = buffer.byteBuffer();
            if (memory != null) {
                buffer.wrap(0, 0);
                BufferUtil.free(memory);
            }
        }

        void add(final DirectBuffer from, final int at, final int pieceLength) {
            buffer.putBytes(length, from, at, pieceLength);
            length += pieceLength;
        }
    }
}
