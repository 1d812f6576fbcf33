package io.penstock.transport.stream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.transport.TransportContext;
import org.agrona.DirectBuffer;

/**
 * Finds frames in the bytes that arrive on one connection. Bytes come in any pieces; fragments go to the sink without a copy.
 *
 * <pre>
 *   0               4
 *  +---------------+------------------
 *  | length, LE    | frame ...
 *  +---------------+------------------
 * </pre>
 */
final class FrameReader {
    /** Length of the prefix with the frame's length, which comes before the frame and does not count itself. */
    static final int PREFIX_LENGTH = Integer.BYTES;

    /** A frame of up to this length is delivered whole; of a longer one so many bytes, and then pieces of at most that. */
    static final int FRAGMENT_LENGTH = TransportContext.FRAGMENT_LENGTH_MIN;

    /**
     * The most bytes that can be left of a piece when nothing was refused: the prefix and all but one byte of a frame's
     * start.
     */
    static final int TAIL_LENGTH_MAX = PREFIX_LENGTH + FRAGMENT_LENGTH - 1;

    private final FragmentSink sink;
    private final int frameLengthMax;

    /** Length of the frame whose start was offered last. */
    private int frameLength;

    /** How much of it was taken. */
    private int frameOffset;

    private int consumed;
    private int fragmentCount;
    private int badLength;
    private boolean isRefused;
    private boolean isBad;
    private boolean isStopped;

    FrameReader(final FragmentSink sink, final int frameLengthMax) {
        this.sink = sink;
        this.frameLengthMax = frameLengthMax;
    }

    /**
     * Delivers the frames in a piece of the stream, which starts with the bytes that the last call left over. When the
     * sink throws, the bytes that it got count as consumed, and the following ones as refused.
     *
     * @return the fragments delivered.
     */
    int read(final DirectBuffer buffer, final int offset, final int end) {
        isRefused = false;
        consumed = offset;
        fragmentCount = 0;
        while (!isStopped && !isBad) {
            if (!(isInFrame() ? readPiece(buffer, end) : readStart(buffer, end))) {
                break;
            }
        }
        return fragmentCount;
    }

    /** The offset after the last byte that {@link #read} is done with. */
    int consumed() {
        return consumed;
    }

    /** Whether the sink stopped the last read; the next one goes on from where it stopped. */
    boolean isRefused() {
        return isRefused;
    }

    /** Whether a frame announced a length that is out of range, after which nothing can be read any more. */
    boolean isBad() {
        return isBad;
    }

    int badLength() {
        return badLength;
    }

    /** Whether a frame has begun to be delivered and is not complete. */
    boolean isInFrame() {
        return frameOffset > 0 && frameOffset < frameLength;
    }

    /** Delivers nothing any more, not even the rest of a read that is under way. */
    void stop() {
        isStopped = true;
    }

    /** The start waits until it is whole, so that the receiver can read it, and keeps no room for less. */
    private boolean readStart(final DirectBuffer buffer, final int end) {
        final int start = consumed;
        if (end - start < PREFIX_LENGTH) {
            return false;
        }
        final int length = buffer.getInt(start, LITTLE_ENDIAN);
        if (length < 0 || length > frameLengthMax) {
            isBad = true;
            badLength = length;
            return false;
        }
        final int body = start + PREFIX_LENGTH;
        final int startLength = Math.min(length, FRAGMENT_LENGTH);
        if (end - body < startLength) {
            return false;
        }
        frameLength = length;
        return deliver(buffer, start, body, startLength, 0);
    }

    private boolean readPiece(final DirectBuffer buffer, final int end) {
        final int start = consumed;
        final int offset = frameOffset;
        final int length = Math.min(FRAGMENT_LENGTH, Math.min(end - start, frameLength - offset));
        return length > 0 && deliver(buffer, start, start, length, offset);
    }

    private boolean deliver(
            final DirectBuffer buffer, final int start, final int body, final int length, final int offset) {
        // Advanced first: if the sink throws, the frame that it got is lost.
        consumed = body + length;
        frameOffset = offset + length;
        isRefused = true;
        if (!sink.onFragment(buffer, body, length, offset, frameLength)) {
            consumed = start;
            frameOffset = offset;
            return false;
        }
        isRefused = false;
        fragmentCount++;
        return true;
    }
}
