package io.penstock.broker.shard.state;

import io.penstock.broker.query.ItemWriter;
import io.penstock.format.MessageEditor;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where a view writes its rows, one after the other. A row that is longer than a message may be is left out, counted, and
 * reported once. Owned by the sequencer.
 */
final class RowScratch {
    private static final int LENGTH_INITIAL = 1024;

    /** More than a row is longer that is written to be taken away: all aggregates of its group are those of nothing. */
    private static final int LENGTH_MARGIN = 128 * 1024;

    private final int lengthMax;
    private UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH_INITIAL]);
    private long leftOutCount;
    private boolean isToBeReported;
    private boolean isReported;

    /** Has no row; one may have so many bytes. */
    RowScratch(final int lengthMax) {
        this.lengthMax = lengthMax;
    }

    /** What the row is written to, from its beginning. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /**
     * Takes a longer buffer when a row did not fit, whose contents are then gone.
     *
     * @param length that was tried, negative when it did not fit.
     * @return whether the row is to be written again.
     */
    boolean isGrown(final int length) {
        final UnsafeBuffer longer =
                length == MessageEditor.TOO_LONG ? ItemWriter.longer(buffer, lengthMax + LENGTH_MARGIN) : null;
        if (longer != null) {
            buffer = longer;
        }
        return longer != null;
    }

    /** Whether a row is left out, since it is too long; it counts then. */
    boolean leavesOut(final int length) {
        final boolean isTooLong = length == MessageEditor.TOO_LONG || length > lengthMax;
        if (isTooLong) {
            leftOutCount++;
            isToBeReported = !isReported;
        }
        return isTooLong;
    }

    /** How many rows were left out since the last call. */
    long takeLeftOutCount() {
        final long count = leftOutCount;
        leftOutCount = 0;
        return count;
    }

    /** Whether the error log is to have that a row was left out. */
    boolean isToBeReported() {
        return isToBeReported;
    }

    /** Throws once, for the error log, when a row was left out. */
    void check(final String view) {
        if (isToBeReported) {
            isToBeReported = false;
            isReported = true;
            throw new IllegalStateException("view " + view + ": a row is longer than " + lengthMax
                    + " bytes, and is left out, as others will be that are (select less, or raise"
                    + " sessions.messageLengthMax)");
        }
    }

    /** Gives its memory back: no row is written any more. */
    void free() {
        buffer = new UnsafeBuffer(new byte[LENGTH_INITIAL]);
    }
}
