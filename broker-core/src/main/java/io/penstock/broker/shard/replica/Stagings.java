package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.order.PieceHeader;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Long messages while their pieces come, one for each origin at most. Room is taken when an origin has its first, and kept for
 * its next ones. A function of the order. Owned by the sequencer.
 */
final class Stagings {
    private final @Nullable Staging[] all = new Staging[Origins.COUNT];

    /** A node has started anew: what it has not finished is dropped. */
    void drop(final int origin) {
        all[origin] = null;
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
        private static final int LENGTH_MIN = 1 << 20;

        private UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private long number;
        private int wholeLength;
        private int length;

        void begin(final long ofMessage, final int whole) {
            number = ofMessage;
            wholeLength = whole;
            length = 0;
            if (buffer.capacity() < whole) {
                buffer = new UnsafeBuffer(
                        ByteBuffer.allocateDirect(Math.max(LENGTH_MIN, BitUtil.findNextPositivePowerOfTwo(whole))));
            }
        }

        void add(final DirectBuffer from, final int at, final int pieceLength) {
            buffer.putBytes(length, from, at, pieceLength);
            length += pieceLength;
        }
    }
}
