package io.penstock.broker.shard.log;

import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory of a shard's log: segments of one length, taken in turn, recycled for ever and touched at start, so that
 * no page fault and no allocation lies on a message's path.
 *
 * <p>A position counts the bytes of all records since the log began; it is an address inside the broker and never seen
 * outside. Segment {@code n} holds the positions from {@code n * segmentLength}, in memory {@code n % segmentCount}.
 * Reading at a position is right only while it is not released, see {@link Reclaim}.
 */
public final class LogWindow {
    private final WindowMemory memory;
    private final UnsafeBuffer[] segments;
    private final AtomicLongArray firstSequences;
    private final int segmentLength;
    private final int segmentShift;
    private final int offsetMask;

    /**
     * Allocates and touches the window.
     *
     * @param segmentLength in bytes, a power of two.
     * @param segmentCount  segments.
     */
    public LogWindow(final int segmentLength, final int segmentCount) {
        this(WindowSettings.of(segmentLength, segmentCount));
    }

    /**
     * Allocates and touches the window.
     *
     * @param settings how large it is, and where its memory lies.
     * @throws IllegalArgumentException when the segments are no power of two, or there is no such node.
     */
    public LogWindow(final WindowSettings settings) {
        segmentLength = settings.segmentLength();
        if (!BitUtil.isPowerOfTwo(segmentLength)) {
            throw new IllegalArgumentException("segmentLength: not a power of two: " + segmentLength);
        }
        segmentShift = Integer.numberOfTrailingZeros(segmentLength);
        offsetMask = segmentLength - 1;
        memory = WindowMemory.allocate(settings);
        segments = memory.segments();
        firstSequences = new AtomicLongArray(segments.length);
        firstSequences.set(0, 1);
    }

    /** Gives the memory back. Nobody may read or write the window from then on. */
    public void free() {
        memory.free();
    }

    public int segmentLength() {
        return segmentLength;
    }

    public int segmentCount() {
        return segments.length;
    }

    /**
     * The number of the segment that holds a position.
     *
     * @param position in the log.
     * @return segment number since the log began.
     */
    public long segmentNumber(final long position) {
        return position >> segmentShift;
    }

    /**
     * Where a segment starts.
     *
     * @param segmentNumber since the log began.
     * @return position.
     */
    public long segmentStart(final long segmentNumber) {
        return segmentNumber << segmentShift;
    }

    /**
     * The memory that holds a position.
     *
     * @param position in the log.
     * @return the segment's buffer.
     */
    public UnsafeBuffer buffer(final long position) {
        return segments[(int) ((position >> segmentShift) % segments.length)];
    }

    /**
     * The lowest sequence that the records of a segment may have. Right while the segment is not released.
     *
     * @param position in the segment.
     * @return sequence.
     */
    public long firstSequence(final long position) {
        return firstSequences.getAcquire((int) ((position >> segmentShift) % segments.length));
    }

    /** The first record of a segment is going to have this sequence. */
    void firstSequence(final long position, final long sequence) {
        firstSequences.setRelease((int) ((position >> segmentShift) % segments.length), sequence);
    }

    /**
     * Where a position is in its buffer.
     *
     * @param position in the log.
     * @return offset in {@link #buffer(long)}.
     */
    public int offset(final long position) {
        return (int) position & offsetMask;
    }
}
