package io.penstock.broker.journal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.storage.AlignedBuffer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The first block of a journal file: it identifies the file, and has two places for marks, written in turn, that say how far the log was on stable storage.
 *
 * <pre>
 *      0         8         12      16               24            32           40      44         48
 *      +---------+---------+-------+----------------+-------------+------------+-------+----------+----------+
 *      | magic   | version | shard | first sequence | file length | created ns | epoch | recycled | checksum |
 *      +---------+---------+-------+----------------+-------------+------------+-------+----------+----------+
 *
 *  256, when sequences between the file before and this one are left out:
 *      0                  8
 *      +------------------+----------+
 *      | sequence before  | checksum |
 *      +------------------+----------+
 *
 *  272, 288: the log's id, and the first sequence of the file that follows, each as that, and zeros when not known:
 *      0                  8
 *      +------------------+----------+
 *      | value            | checksum |
 *      +------------------+----------+
 *
 *  512, 1024:
 *      0                  8         16      20
 *      +------------------+---------+-------+----------+
 *      | durable sequence | counter | epoch | checksum |
 *      +------------------+---------+-------+----------+
 * </pre>
 *
 * <p>All fields are little endian; a checksum is the CRC32C of what is before it. Confined to one thread.
 */
final class JournalHead {
    /** Length of the head, and alignment of writes, in bytes. */
    static final int BLOCK_LENGTH = AlignedBuffer.BLOCK_LENGTH;

    static final int VERSION = 1;

    private static final long MAGIC = 0x4B434F54534E4550L; // PENSTOCK
    private static final int VERSION_OFFSET = 8;
    private static final int SHARD_OFFSET = 12;
    private static final int FIRST_SEQUENCE_OFFSET = 16;
    private static final int FILE_LENGTH_OFFSET = 24;
    private static final int CREATED_OFFSET = 32;
    private static final int EPOCH_OFFSET = 40;
    private static final int RECYCLED_OFFSET = 44;
    private static final int HEAD_LENGTH = 48;

    private static final int FOLLOWS_OFFSET = 256;
    private static final int LOG_ID_OFFSET = 272;
    private static final int NEXT_OFFSET = 288;
    private static final int NOTE_LENGTH = 8;

    private static final int MARK_OFFSET = 512;
    private static final int MARK_SPACING = 512;
    private static final int MARK_COUNTER_OFFSET = 8;
    private static final int MARK_EPOCH_OFFSET = 16;
    private static final int MARK_LENGTH = 20;

    private final AlignedBuffer memory = new AlignedBuffer(BLOCK_LENGTH);
    private final ByteBuffer bytes = memory.bytes();
    private final UnsafeBuffer block = memory.buffer();
    private final CRC32C crc = new CRC32C();
    private int markIndex;

    /** The whole block, to be written or read. */
    ByteBuffer bytes() {
        bytes.clear();
        return bytes;
    }

    /** Makes the head of a new file. */
    void init(
            final int shard,
            final long firstSequence,
            final long fileLength,
            final long createdNs,
            final int epoch,
            final boolean recycled,
            final long durableSequence) {
        block.setMemory(0, BLOCK_LENGTH, (byte) 0);
        block.putLong(0, MAGIC, LITTLE_ENDIAN);
        block.putInt(VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
        block.putInt(SHARD_OFFSET, shard, LITTLE_ENDIAN);
        block.putLong(FIRST_SEQUENCE_OFFSET, firstSequence, LITTLE_ENDIAN);
        block.putLong(FILE_LENGTH_OFFSET, fileLength, LITTLE_ENDIAN);
        block.putLong(CREATED_OFFSET, createdNs, LITTLE_ENDIAN);
        block.putInt(EPOCH_OFFSET, epoch, LITTLE_ENDIAN);
        block.putInt(RECYCLED_OFFSET, recycled ? 1 : 0, LITTLE_ENDIAN);
        block.putInt(HEAD_LENGTH, checksum(0, HEAD_LENGTH), LITTLE_ENDIAN);
        markIndex = 1;
        mark(durableSequence, epoch);
    }

    /** Notes that the record before the file's first has a lower sequence than the one before it. After {@link #init}. */
    void follows(final long sequence) {
        note(FOLLOWS_OFFSET, sequence);
    }

    /** The sequence of the record before the file's first, whether there is one or not. */
    long follows() {
        return isNoted(FOLLOWS_OFFSET) ? block.getLong(FOLLOWS_OFFSET, LITTLE_ENDIAN) : firstSequence() - 1;
    }

    /** Notes which log the file is of. After {@link #init}. */
    void logId(final long id) {
        if (id != 0) {
            note(LOG_ID_OFFSET, id);
        }
    }

    /** Which log the file is of; 0 when it does not say. */
    long logId() {
        return isNoted(LOG_ID_OFFSET) ? block.getLong(LOG_ID_OFFSET, LITTLE_ENDIAN) : 0;
    }

    /** Notes with which sequence the file that follows begins, once that one is there. */
    void next(final long firstSequence) {
        note(NEXT_OFFSET, firstSequence);
    }

    /** The first sequence of the file that follows; 0 when there was none yet. */
    long next() {
        return isNoted(NEXT_OFFSET) ? block.getLong(NEXT_OFFSET, LITTLE_ENDIAN) : 0;
    }

    private void note(final int offset, final long value) {
        block.putLong(offset, value, LITTLE_ENDIAN);
        block.putInt(offset + NOTE_LENGTH, checksum(offset, NOTE_LENGTH), LITTLE_ENDIAN);
    }

    private boolean isNoted(final int offset) {
        // Zeros have no valid checksum.
        return block.getInt(offset + NOTE_LENGTH, LITTLE_ENDIAN) == checksum(offset, NOTE_LENGTH);
    }

    /** Whether something was noted that cannot be read any more. */
    private boolean isNoteDamaged(final int offset) {
        return !isNoted(offset)
                && (block.getLong(offset, LITTLE_ENDIAN) != 0
                        || block.getInt(offset + NOTE_LENGTH, LITTLE_ENDIAN) != 0);
    }

    /** Notes how far the log is on stable storage, in the place that does not hold the newest such note. */
    void mark(final long durableSequence, final int epoch) {
        final long counter = block.getLong(markOffset(markIndex) + MARK_COUNTER_OFFSET, LITTLE_ENDIAN) + 1;
        markIndex ^= 1;
        final int offset = markOffset(markIndex);
        block.putLong(offset, durableSequence, LITTLE_ENDIAN);
        block.putLong(offset + MARK_COUNTER_OFFSET, counter, LITTLE_ENDIAN);
        block.putInt(offset + MARK_EPOCH_OFFSET, epoch, LITTLE_ENDIAN);
        block.putInt(offset + MARK_LENGTH, checksum(offset, MARK_LENGTH), LITTLE_ENDIAN);
    }

    /** Checks what was read. Returns what is wrong, or null. */
    @Nullable
    String check(final int length, final int shard) {
        return check(length, shard, 0);
    }

    /** The same, and that the file is of one log, unless either's id is 0. */
    @Nullable
    String check(final int length, final int shard, final long logId) {
        if (length < BLOCK_LENGTH) {
            return "cut off in its head";
        }
        if (block.getLong(0, LITTLE_ENDIAN) != MAGIC) {
            return "not a journal file";
        }
        if (block.getInt(HEAD_LENGTH, LITTLE_ENDIAN) != checksum(0, HEAD_LENGTH)) {
            return "the head's checksum is wrong";
        }
        if (block.getInt(VERSION_OFFSET, LITTLE_ENDIAN) != VERSION) {
            return "format version " + block.getInt(VERSION_OFFSET, LITTLE_ENDIAN) + ", this broker knows " + VERSION;
        }
        if (block.getInt(SHARD_OFFSET, LITTLE_ENDIAN) != shard) {
            return "a file of shard " + block.getInt(SHARD_OFFSET, LITTLE_ENDIAN) + ", not of " + shard;
        }
        if (isNoteDamaged(FOLLOWS_OFFSET) || isNoteDamaged(LOG_ID_OFFSET) || isNoteDamaged(NEXT_OFFSET)) {
            return "a checksum in the head is wrong";
        }
        if (logId != 0 && isNoted(LOG_ID_OFFSET) && block.getLong(LOG_ID_OFFSET, LITTLE_ENDIAN) != logId) {
            return "a file of another broker's log";
        }
        final boolean first = isMarkGood(0);
        final boolean second = isMarkGood(1);
        if (!first && !second) {
            return "both marks' checksums are wrong";
        }
        markIndex = first && (!second || counter(0) > counter(1)) ? 0 : 1;
        return null;
    }

    int shard() {
        return block.getInt(SHARD_OFFSET, LITTLE_ENDIAN);
    }

    long firstSequence() {
        return block.getLong(FIRST_SEQUENCE_OFFSET, LITTLE_ENDIAN);
    }

    long fileLength() {
        return block.getLong(FILE_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    long createdNs() {
        return block.getLong(CREATED_OFFSET, LITTLE_ENDIAN);
    }

    /** The newest mark's sequence: everything up to it was on stable storage. */
    long durableSequence() {
        return block.getLong(markOffset(markIndex), LITTLE_ENDIAN);
    }

    /** The epoch of the newest mark. */
    int epoch() {
        return block.getInt(markOffset(markIndex) + MARK_EPOCH_OFFSET, LITTLE_ENDIAN);
    }

    /** Gives the memory back. */
    void free() {
        memory.free();
    }

    private long counter(final int index) {
        return block.getLong(markOffset(index) + MARK_COUNTER_OFFSET, LITTLE_ENDIAN);
    }

    /** Whether a mark was written, and wholly. */
    private boolean isMarkGood(final int index) {
        final int offset = markOffset(index);
        return counter(index) != 0
                && block.getInt(offset + MARK_LENGTH, LITTLE_ENDIAN) == checksum(offset, MARK_LENGTH);
    }

    private static int markOffset(final int index) {
        return MARK_OFFSET + index * MARK_SPACING;
    }

    private int checksum(final int offset, final int length) {
        assert BitUtil.isAligned(offset, Integer.BYTES);
        crc.reset();
        crc.update(bytes.clear().position(offset).limit(offset + length));
        return (int) crc.getValue();
    }
}
