package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.CHECKSUM_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.journal.record.RecordChecksum;
import io.penstock.broker.journal.record.RecordGroup;
import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The end of a journal's file in memory: takes records with their checksums, and goes to the file in whole blocks. Confined
 * to the journaler.
 */
final class StagingBuffer {
    private static final int LENGTH_MAX = 1024 * 1024;
    private static final int BLOCK_LENGTH = JournalHead.BLOCK_LENGTH;

    private final RecordChecksum checksum = new RecordChecksum();
    private final RecordGroup group = new RecordGroup();
    private final AlignedBuffer memory;
    private final UnsafeBuffer buffer;
    private StoredFile file;

    /** Where the first byte goes in the file, how much is used, and how much of that was written. */
    private long filePosition;

    private int staged;
    private int written;

    private long bytesWritten;

    /**
     * Takes memory, and begins a file. No more than a file has is ever staged: it is written before another file begins.
     *
     * @param file          that has no records yet, unless {@link #goOn} follows.
     * @param fileLengthMax of this file and of those that come after it.
     */
    StagingBuffer(final StoredFile file, final long fileLengthMax) {
        memory = new AlignedBuffer((int) Math.min(LENGTH_MAX, fileLengthMax));
        buffer = memory.buffer();
        this.file = file;
        filePosition = BLOCK_LENGTH;
    }

    /** Begins another file, once everything was written to the one before, which stays open. */
    void begin(final StoredFile next) {
        file = next;
        filePosition = BLOCK_LENGTH;
        staged = 0;
        written = 0;
    }

    /** Goes on in a file that has records up to a position. */
    void goOn(final long end) throws IOException {
        filePosition = end & -BLOCK_LENGTH;
        staged = (int) (end - filePosition);
        written = staged;
        file.read(memory.bytes().clear().limit(BLOCK_LENGTH), filePosition);
    }

    /**
     * Puts on stable storage what no earlier run has said to be there, before this one does. After a failed sync the
     * system may go on showing what is not on the disk, and not write it by itself any more. Nothing is staged yet.
     */
    void writeAgain(final long from, final long to) throws IOException {
        for (long at = Math.max(from, BLOCK_LENGTH) & -BLOCK_LENGTH; at < to; at += memory.capacity()) {
            final int length = (int) Math.min(memory.capacity(), BitUtil.align(to - at, BLOCK_LENGTH));
            final int read = file.read(memory.bytes().clear().limit(length), at);
            file.write(memory.bytes().clear().limit(read), at);
        }
        file.sync();
    }

    /** Writes zeros over everything after the last record, so that no reader meets it again. */
    void erase(final long length) throws IOException {
        if (length > 0) {
            final long to = BitUtil.align(position() + length, BLOCK_LENGTH);
            buffer.setMemory(staged, buffer.capacity() - staged, (byte) 0);
            file.write(memory.bytes().clear().limit(BLOCK_LENGTH), filePosition);
            final int zeros = buffer.capacity() - BLOCK_LENGTH;
            for (long at = filePosition + BLOCK_LENGTH; at < to; at += zeros) {
                final int count = (int) Math.min(zeros, to - at);
                file.write(memory.bytes().clear().limit(BLOCK_LENGTH + count).position(BLOCK_LENGTH), at);
            }
        }
    }

    /** The file that is being written. */
    StoredFile file() {
        return file;
    }

    /** Where the next record goes in the file. */
    long position() {
        return filePosition + staged;
    }

    /** Whether records were taken since the last {@link #writeGroup}. */
    boolean hasGroup() {
        return group.isOpen();
    }

    long bytesWritten() {
        return bytesWritten;
    }

    /** Takes a record; see {@link JournalWriter#append}. */
    void append(final DirectBuffer record, final ByteBuffer bytes, final int offset, final int length)
            throws IOException {
        if (!group.isOpen()) {
            group.begin(position());
        }
        copy(record, bytes, offset, length);
    }

    /** Writes all records taken so far to the file, and behind them that they are all. */
    void writeGroup(final long durableSequence, final long lastSequence, final long timestampNs, final int epoch)
            throws IOException {
        final long end = position();
        group.countZeroSectors(buffer, filePosition, end);
        final UnsafeBuffer commit = group.end(end, durableSequence, lastSequence, timestampNs, epoch);
        copy(commit, commit.byteBuffer(), 0, HEADER_LENGTH);
        final int to = BitUtil.align(staged, BLOCK_LENGTH);
        buffer.setMemory(staged, to - staged, (byte) 0);
        write(to);
    }

    /** Copies a record, in pieces if it is longer than what is left of the memory. */
    private void copy(final DirectBuffer record, final ByteBuffer bytes, final int offset, final int length)
            throws IOException {
        final int sum = checksum.compute(bytes, offset, length);
        if (buffer.capacity() - staged < HEADER_LENGTH) {
            makeRoom();
        }
        final int start = staged;
        int done = Math.min(length, buffer.capacity() - staged);
        buffer.putBytes(staged, record, offset, done);
        buffer.putInt(start + CHECKSUM_OFFSET, sum, LITTLE_ENDIAN);
        staged += done;
        while (done < length) {
            makeRoom();
            final int piece = Math.min(length - done, buffer.capacity() - staged);
            buffer.putBytes(staged, record, offset + done, piece);
            staged += piece;
            done += piece;
        }
        final int padding = RecordDescriptor.alignedLength(length) - length;
        if (padding > 0) {
            buffer.setMemory(staged, padding, (byte) 0);
            staged += padding;
        }
    }

    /** Makes room. Only whole blocks: what a crash leaves of a group has each of them as it was before, or as it is to be. */
    private void makeRoom() throws IOException {
        final int whole = staged & -BLOCK_LENGTH;
        group.countZeroSectors(buffer, filePosition, filePosition + whole);
        write(whole);
    }

    private void write(final int to) throws IOException {
        final int from = written & -BLOCK_LENGTH;
        file.write(memory.bytes().clear().limit(to).position(from), filePosition + from);
        bytesWritten += to - from;
        final int whole = staged & -BLOCK_LENGTH;
        if (whole > 0) {
            buffer.putBytes(0, buffer, whole, staged - whole);
            filePosition += whole;
            staged -= whole;
        }
        written = to > whole ? staged : 0;
    }

    /** Gives memory back; the file is its owner's. */
    void free() {
        memory.free();
    }
}
