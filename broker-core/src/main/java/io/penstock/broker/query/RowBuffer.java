package io.penstock.broker.query;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** What is made of records, one after the other: one for all topics that a query agent looks at for a query. */
final class RowBuffer {
    private final int rowLengthMax;
    private UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);

    /**
     * Makes it.
     *
     * @param rowLengthMax of what is computed of a record, in bytes.
     */
    RowBuffer(final int rowLengthMax) {
        this.rowLengthMax = rowLengthMax;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Bytes that there are for a computed row. */
    int rowLength() {
        return Math.min(buffer.capacity(), rowLengthMax);
    }

    void ensure(final int length) {
        if (buffer.capacity() < length) {
            buffer = new UnsafeBuffer(new byte[BitUtil.findNextPositivePowerOfTwo(length)]);
        }
    }

    /** Gives a row more room; false when it is longer than it may be. */
    boolean grow() {
        final UnsafeBuffer longer = ItemWriter.longer(buffer, rowLengthMax);
        if (longer != null) {
            buffer = longer;
        }
        return longer != null;
    }
}
