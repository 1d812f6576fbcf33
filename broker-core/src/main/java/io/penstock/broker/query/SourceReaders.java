package io.penstock.broker.query;

import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The readers of a query's sources, each made when it is needed first. Confined to one query agent. */
final class SourceReaders {
    private final QueryRun run;
    private final @Nullable SourceReader[] readers;
    private @Nullable RowBuffer scratch;

    SourceReaders(final QueryRun run) {
        this.run = run;
        readers = new SourceReader[run.sources().size()];
    }

    /**
     * The reader of a source.
     *
     * @param collected what a new one brings rows together in, or null when rows are looked for no more.
     */
    SourceReader of(final int index, final @Nullable CollectedRecords collected) {
        SourceReader reader = readers[index];
        if (reader == null) {
            reader = SourceReader.of(run, index, collected, scratch());
            readers[index] = reader;
        }
        return reader;
    }

    private RowBuffer scratch() {
        RowBuffer made = scratch;
        if (made == null) {
            made = new RowBuffer(run.rowLengthMax());
            scratch = made;
        }
        return made;
    }

    /** Those that were made; null in the places of others. */
    @Nullable
    SourceReader[] all() {
        return readers;
    }

    /** Rows are looked for no more: columns may give way to those of other queries. */
    void releaseColumns() {
        for (final SourceReader reader : readers) {
            if (reader != null) {
                reader.releaseColumns(run.nowNs());
            }
        }
    }

    /** Forgets them. */
    void clear() {
        Arrays.fill(readers, null);
        scratch = null;
    }

    /** What is made of records, one after the other: one for all topics that a query agent looks at for a query. */
    static final class RowBuffer {
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
}
