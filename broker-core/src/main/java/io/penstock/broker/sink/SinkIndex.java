package io.penstock.broker.sink;

import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The index of a sink, as a file that grows: records that are put together here, and zeros written ahead behind them. Owned
 * by the sink agent, as its {@link SinkFile}.
 */
final class SinkIndex implements AutoCloseable {
    private final ByteBuffer records =
            ByteBuffer.allocateDirect((SinkFile.BATCH_COUNT_MAX + 1) * IndexRecord.LENGTH_MAX);
    private final UnsafeBuffer recordBuffer = new UnsafeBuffer(records);
    private final StoredFile file;

    /** Length of the records put together for the next {@link #append}, in bytes. */
    private int length;

    private long end;

    /** Where the zeros end that were written ahead. */
    private long zerosEnd;

    /** Whether bytes may follow the end that have to be cleared. */
    private boolean isTouched;

    SinkIndex(final StoredFile file, final long end, final long zerosEnd) {
        this.file = file;
        this.end = end;
        this.zerosEnd = zerosEnd;
    }

    /** Forgets what was put together. */
    void begin() {
        length = 0;
    }

    /** Puts a record after the others that are put together. */
    void put(
            final int type,
            final long number,
            final long settled,
            final StoredBlock block,
            final long blockId,
            final long timeNs,
            final byte[] name) {
        length += IndexRecord.write(recordBuffer, records, length, type, number, settled, block, blockId, timeNs, name);
    }

    /**
     * Writes zeros ahead when there is not room for what was put together. They are to be synced then, and counted by
     * {@link #onExtended}.
     *
     * @return where they end; 0 when there is room.
     */
    long extend() throws IOException {
        if (end + length + IndexRecord.ZEROS_MIN <= zerosEnd) {
            return 0;
        }
        final long extended = BitUtil.align(end + length, IndexRecord.ROOM_STEP) + IndexRecord.ROOM_STEP;
        writeZeros(file, zerosEnd, extended);
        return extended;
    }

    /** Zeros are on stable storage up to there. */
    void onExtended(final long extendedEnd) {
        zerosEnd = extendedEnd;
    }

    /** Writes what was put together. It counts when {@link #onAppended} was called. */
    void append() throws IOException {
        file.write(records.clear().limit(length), end);
    }

    /** Writes what was put together, and is to be cleared if that fails. It counts when {@link #onAppended} was called. */
    void appendOrClear() throws IOException {
        isTouched = true;
        append();
    }

    void onAppended() {
        end += length;
        isTouched = false;
    }

    void sync() throws IOException {
        file.sync();
    }

    /** Returns false when there was nothing to clear among its records. */
    boolean clear() throws IOException {
        if (file.length() > zerosEnd) {
            file.truncate(zerosEnd);
        }
        if (!isTouched) {
            return false;
        }
        writeZeros(file, end, Math.min(zerosEnd, end + records.capacity()));
        isTouched = false;
        return true;
    }

    static void writeZeros(final StoredFile index, final long from, final long to) throws IOException {
        if (from < to) {
            final ByteBuffer zeros = ByteBuffer.allocateDirect(IndexRecord.ROOM_STEP);
            try {
                for (long at = from; at < to; at += zeros.capacity()) {
                    index.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
                }
            } finally {
                BufferUtil.free(zeros);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            BufferUtil.free(records);
        }
    }
}
