package io.penstock.broker.sink;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Layout of the index of a sink: a head, then a record for each block, then zeros. The zeros are written ahead, so that an
 * index that ends without any was cut off. All numbers are little endian. Version 1 had no zeros at its end.
 *
 * <pre>
 *  head                                    record
 *   0  magic                               0  length of the record, a multiple of 8
 *   8  version                             4  CRC32C of what follows
 *  12  0                                   8  number of the block, from 1; of a mark, that of the last block
 *  16  created, nanoseconds since 1970    16  settled: blocks up to this number are stored for good
 *  24  0                                  24  offset of the block in the file
 *  60  CRC32C of what is before           32  the producer's id of the block
 *                                         40  time, nanoseconds since 1970
 *                                         48  length of the block; of a mark 0
 *                                         52  CRC32C of the block
 *                                         56  type: 1 = block, 2 = mark
 *                                         60  length of the name
 *                                         64  name: user, U+001F, producer; UTF-8, zeros up to a multiple of 8
 * </pre>
 */
public final class IndexRecord {
    public static final int HEAD_LENGTH = 64;
    public static final int TYPE_BLOCK = 1;
    public static final int TYPE_MARK = 2;

    /** Between user and producer; in neither of them. */
    public static final char NAME_SEPARATOR = '\u001F';

    static final int VERSION = 2;
    static final int VERSION_WITHOUT_ZEROS = 1;

    /** At least this many zeros follow the last record. */
    static final int ZEROS_MIN = 8;

    /** Zeros are written ahead in such steps. */
    static final int ROOM_STEP = 256 * 1024;

    static final int VERSION_OFFSET = 8;
    static final int LENGTH_OFFSET = 0;
    static final int CHECKSUM_OFFSET = 4;
    static final int NUMBER_OFFSET = 8;
    static final int SETTLED_OFFSET = 16;
    static final int BLOCK_OFFSET_OFFSET = 24;
    static final int BLOCK_ID_OFFSET = 32;
    static final int TIME_OFFSET = 40;
    static final int BLOCK_LENGTH_OFFSET = 48;
    static final int BLOCK_CHECKSUM_OFFSET = 52;
    static final int TYPE_OFFSET = 56;
    static final int NAME_LENGTH_OFFSET = 60;
    static final int NAME_OFFSET = 64;
    static final int ALIGNMENT = 8;
    static final int NAME_LENGTH_MAX = 2048;

    /** Longest record in bytes. */
    public static final int LENGTH_MAX = NAME_OFFSET + NAME_LENGTH_MAX;

    private static final long MAGIC = 0x314B4E49534E4550L;
    private static final int HEAD_CHECKSUM_OFFSET = 60;

    private IndexRecord() {}

    static ByteBuffer newHead(final long timeNs) {
        final ByteBuffer head = ByteBuffer.allocateDirect(HEAD_LENGTH).order(LITTLE_ENDIAN);
        head.putLong(0, MAGIC).putLong(16, timeNs);
        return putVersion(head);
    }

    /** Makes a head one of this version. */
    static ByteBuffer putVersion(final ByteBuffer head) {
        head.order(LITTLE_ENDIAN).putInt(VERSION_OFFSET, VERSION);
        return head.putInt(HEAD_CHECKSUM_OFFSET, checksum(head, 0, HEAD_CHECKSUM_OFFSET));
    }

    /** Says what is wrong with a head, or returns the empty text. */
    static String checkHead(final ByteBuffer head) {
        head.order(LITTLE_ENDIAN);
        if (head.getLong(0) != MAGIC) {
            return "is not the index of a sink";
        }
        if (head.getInt(HEAD_CHECKSUM_OFFSET) != checksum(head, 0, HEAD_CHECKSUM_OFFSET)) {
            return "has a damaged head";
        }
        final int version = head.getInt(VERSION_OFFSET);
        return version == VERSION || version == VERSION_WITHOUT_ZEROS
                ? ""
                : "is of version " + version + ", not " + VERSION;
    }

    static int lengthOf(final byte[] name) {
        return BitUtil.align(NAME_OFFSET + name.length, ALIGNMENT);
    }

    /** Writes a record. Returns its length. */
    static int write(
            final UnsafeBuffer buffer,
            final ByteBuffer bytes,
            final int at,
            final int type,
            final long number,
            final long settled,
            final StoredBlock block,
            final long blockId,
            final long timeNs,
            final byte[] name) {
        final int length = lengthOf(name);
        buffer.setMemory(at, length, (byte) 0);
        buffer.putInt(at + LENGTH_OFFSET, length, LITTLE_ENDIAN);
        buffer.putLong(at + NUMBER_OFFSET, number, LITTLE_ENDIAN);
        buffer.putLong(at + SETTLED_OFFSET, settled, LITTLE_ENDIAN);
        buffer.putLong(at + BLOCK_OFFSET_OFFSET, block.offset(), LITTLE_ENDIAN);
        buffer.putLong(at + BLOCK_ID_OFFSET, blockId, LITTLE_ENDIAN);
        buffer.putLong(at + TIME_OFFSET, timeNs, LITTLE_ENDIAN);
        buffer.putInt(at + BLOCK_LENGTH_OFFSET, block.length(), LITTLE_ENDIAN);
        buffer.putInt(at + BLOCK_CHECKSUM_OFFSET, block.checksum(), LITTLE_ENDIAN);
        buffer.putInt(at + TYPE_OFFSET, type, LITTLE_ENDIAN);
        buffer.putInt(at + NAME_LENGTH_OFFSET, name.length, LITTLE_ENDIAN);
        buffer.putBytes(at + NAME_OFFSET, name);
        buffer.putInt(at + CHECKSUM_OFFSET, checksum(bytes, at + NUMBER_OFFSET, length - NUMBER_OFFSET), LITTLE_ENDIAN);
        return length;
    }

    /** Whether a place says that a longer record is there than the rest of an index has, with the zeros after it. */
    static boolean isCutOff(final DirectBuffer buffer, final int at, final long rest) {
        final int length = buffer.getInt(at + LENGTH_OFFSET, LITTLE_ENDIAN);
        return length >= NAME_OFFSET && length <= LENGTH_MAX && length > rest - ZEROS_MIN;
    }

    /** Whether a whole record, good by its checksum, lies at a place. */
    static boolean isGood(final DirectBuffer buffer, final ByteBuffer bytes, final int at, final int limit) {
        if (limit - at < NAME_OFFSET) {
            return false;
        }
        final int length = buffer.getInt(at + LENGTH_OFFSET, LITTLE_ENDIAN);
        if (length < NAME_OFFSET || length > LENGTH_MAX || length > limit - at || (length & ALIGNMENT - 1) != 0) {
            return false;
        }
        final int nameLength = buffer.getInt(at + NAME_LENGTH_OFFSET, LITTLE_ENDIAN);
        return nameLength >= 0
                && BitUtil.align(NAME_OFFSET + nameLength, ALIGNMENT) == length
                && buffer.getInt(at + CHECKSUM_OFFSET, LITTLE_ENDIAN)
                        == checksum(bytes, at + NUMBER_OFFSET, length - NUMBER_OFFSET);
    }

    static IndexEntry read(final DirectBuffer buffer, final int at) {
        final byte[] name = new byte[buffer.getInt(at + NAME_LENGTH_OFFSET, LITTLE_ENDIAN)];
        buffer.getBytes(at + NAME_OFFSET, name);
        return new IndexEntry(
                buffer.getInt(at + TYPE_OFFSET, LITTLE_ENDIAN),
                buffer.getLong(at + NUMBER_OFFSET, LITTLE_ENDIAN),
                buffer.getLong(at + SETTLED_OFFSET, LITTLE_ENDIAN),
                new StoredBlock(
                        buffer.getLong(at + BLOCK_OFFSET_OFFSET, LITTLE_ENDIAN),
                        buffer.getInt(at + BLOCK_LENGTH_OFFSET, LITTLE_ENDIAN),
                        buffer.getInt(at + BLOCK_CHECKSUM_OFFSET, LITTLE_ENDIAN)),
                buffer.getLong(at + BLOCK_ID_OFFSET, LITTLE_ENDIAN),
                buffer.getLong(at + TIME_OFFSET, LITTLE_ENDIAN),
                new String(name, UTF_8));
    }

    static int length(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    private static int checksum(final ByteBuffer bytes, final int offset, final int length) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(offset + length).position(offset));
        return (int) crc.getValue();
    }
}
