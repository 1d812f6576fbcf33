package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;

import io.penstock.broker.journal.record.ChecksumBatch;
import io.penstock.broker.journal.record.RecordChecksum;
import io.penstock.broker.journal.record.RecordRules;
import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a journal's file that is in memory, and where the next record begins in it, whose bytes it checks. Has the
 * reader's owner.
 */
final class RecordWindow {
    private final RecordChecksum checksum = new RecordChecksum();
    private final ChecksumBatch batch = new ChecksumBatch();
    private AlignedBuffer memory;
    private UnsafeBuffer buffer;
    private @Nullable StoredFile file;
    private long fileLength;

    /** Where the first byte is in the file, and how many bytes there are. */
    private long filePosition;

    private int available;

    /** Place of the next record, and end of the records that are known to be good. */
    private int next;

    private int goodEnd;

    /**
     * Makes one of no file.
     *
     * @param length in bytes; grows for longer records.
     */
    RecordWindow(final int length) {
        memory = new AlignedBuffer(length);
        buffer = memory.buffer();
    }

    /** Shows another file from the next {@link #fill} on; null for none. */
    void file(final @Nullable StoredFile shown) {
        file = shown;
    }

    /** The length that the file was made with, as its head says. */
    void fileLength(final long length) {
        fileLength = length;
    }

    /** The bytes after the records up to the next one. */
    LogTail tail(final long nextSequence, final int epoch, final int epochMax) throws IOException {
        return LogTail.read(shown(), fileLength, position(), nextSequence, epoch, epochMax);
    }

    /** How the file's length is wrong that is cut off. */
    String cutOff() throws IOException {
        return "the file is cut off: it has " + shown().length() + " bytes, and was made with " + fileLength;
    }

    private StoredFile shown() throws IOException {
        final StoredFile present = file;
        if (present == null) {
            throw new IOException("journal: read before a seek");
        }
        return present;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Offset of the next record in the buffer. */
    int next() {
        return next;
    }

    /** Makes a record of the buffer the next one. */
    void next(final int offset) {
        next = offset;
    }

    /** Where in the file the next record begins. */
    long position() {
        return position(next);
    }

    /** Where in the file a byte of the buffer is. */
    long position(final int offset) {
        return filePosition + offset;
    }

    /** Reads from a place in the file on, where the next record begins. */
    void fill(final long position) throws IOException {
        final StoredFile present = shown();
        final long aligned = position & -JournalHead.BLOCK_LENGTH;
        available = present.read(memory.bytes().clear(), aligned);
        filePosition = aligned;
        next = (int) (position - aligned);
        goodEnd = 0;
    }

    /**
     * Checks the bytes where the next record should be, and reads more of them if it is longer than what is there.
     *
     * @param sequence it should have.
     * @param epoch    of the record before.
     * @return what is wrong with them, or null.
     * @throws IOException when the file cannot be read.
     */
    @Nullable
    String check(final long sequence, final int epoch) throws IOException {
        if (next >= goodEnd && next < available) {
            goodEnd = batch.goodEnd(
                    buffer, memory.bytes(), next, available, fileLength - position(), sequence, Long.MAX_VALUE, epoch);
        }
        if (next < goodEnd) {
            return null;
        }
        final String wrong = checkHeader(sequence, epoch);
        if (wrong != null) {
            return wrong;
        }
        final int length = RecordDescriptor.length(buffer, next);
        if (available - next < length) {
            makeRoom(length);
            fill(position());
        }
        return checkRecord(length);
    }

    private @Nullable String checkHeader(final long sequence, final int epoch) {
        if (available - next < HEADER_LENGTH) {
            return "the file ends";
        }
        return RecordRules.check(buffer, next, fileLength - position(), sequence, epoch);
    }

    private @Nullable String checkRecord(final int length) {
        if (available - next < length) {
            return "the file ends within it";
        }
        return checksum.isGood(buffer, memory.bytes(), next, length) ? null : "its checksum is wrong";
    }

    private void makeRoom(final int recordLength) {
        final int needed = recordLength + JournalHead.BLOCK_LENGTH;
        if (needed > memory.capacity()) {
            final long position = position();
            memory.free();
            memory = new AlignedBuffer(needed);
            buffer = memory.buffer();
            filePosition = position;
            next = 0;
            goodEnd = 0;
            available = 0;
        }
    }

    /** Gives memory back; the file is its owner's. */
    void free() {
        memory.free();
    }
}
