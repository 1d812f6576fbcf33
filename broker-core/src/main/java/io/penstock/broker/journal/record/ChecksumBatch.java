package io.penstock.broker.journal.record;

import static io.penstock.protocol.RecordDescriptor.CHECKSUM_OFFSET;
import static io.penstock.protocol.RecordDescriptor.EPOCH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_COMMIT;

import io.penstock.protocol.RecordDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Checks records that lie one after the other, with one checksum over all of them: a call for each short record costs
 * several times more than its bytes.
 *
 * <p>A CRC has a register, which is {@link #INITIAL} before the first byte. To change four bytes by xor with some value
 * does to it what xor of the register itself with that value before those bytes would do. What the register is after a
 * record follows from the checksum that the record states. So the four bytes after each record are changed, for the time
 * of the check, such that they take the register from there to {@link #INITIAL} at the start of the next record. If each
 * record is as it says, the register comes out as the last one says. One that is not makes a difference that goes on to
 * the end, unless others make up for it, for which the odds are those of any checksum of 32 bits. Padding after records is
 * zeros; if it is not, the check fails too.
 *
 * <p>What is here is good or not as a whole; who wants to know what is wrong looks at each record by itself. Confined to
 * one thread.
 */
public final class ChecksumBatch {
    /** Records take no more than this together, so that they stay in the nearest cache from the first look to the last. */
    static final int LENGTH_MAX = 16 * 1024;

    private static final int COUNT_MAX = LENGTH_MAX / HEADER_LENGTH;
    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int INITIAL = 0xFFFF_FFFF;
    private static final int POLYNOMIAL = 0x82F6_3B78;
    private static final int BITS = 8;
    private static final int PADDING_MASK = RecordDescriptor.ALIGNMENT - 1;

    /** For each length of padding, what the register has to be before it to be {@link #INITIAL} behind it. */
    private static final int[] BEFORE_PADDING = beforePadding();

    private final CRC32C crc = new CRC32C();
    private final int[] offsets = new int[COUNT_MAX];
    private final int[] lengths = new int[COUNT_MAX];
    private final int[] stated = new int[COUNT_MAX];

    /**
     * Finds records that are as they were written. Changes bytes meanwhile, and puts them back.
     *
     * @param buffer       with the records.
     * @param bytes        the same memory; its position and limit are moved.
     * @param from         offset of the first record.
     * @param end          of what there is of the file in the buffer.
     * @param room         bytes from the first record to the end of the file.
     * @param nextSequence of the log.
     * @param limit        sequence of the last record that may be looked at.
     * @param epoch        of the record before.
     * @return offset after the last record that is good; {@code from} when the first one is to be looked at by itself.
     */
    public int goodEnd(
            final UnsafeBuffer buffer,
            final ByteBuffer bytes,
            final int from,
            final int end,
            final long room,
            final long nextSequence,
            final long limit,
            final int epoch) {
        buffer.boundsCheck(from, end - from);
        final long base = buffer.addressOffset();
        final int limitOffset = (int) Math.min(Math.min((long) end, from + room), (long) from + LENGTH_MAX);
        long sequence = nextSequence;
        int lastEpoch = epoch;
        int at = from;
        int count = 0;
        int correction = 0;
        int length = 0;
        while (sequence <= limit && limitOffset - at >= HEADER_LENGTH) {
            final long record = base + at;
            final long first = getLong(record);
            final int stamp = getInt(record + EPOCH_OFFSET);
            final int recordLength = (int) first;
            final boolean isCommit = (int) (first >>> Integer.SIZE & 0xFF) == TYPE_COMMIT;
            final long recordSequence = getLong(record + SEQUENCE_OFFSET);
            if (recordLength < HEADER_LENGTH
                    || recordLength > limitOffset - at
                    || (isCommit ? recordSequence >= sequence : recordSequence != sequence)
                    || stamp < lastEpoch) {
                break;
            }
            if (count > 0) {
                link(record, recordLength, -length & PADDING_MASK, correction);
            }
            final int sum = getInt(record + CHECKSUM_OFFSET);
            putInt(record + CHECKSUM_OFFSET, 0);
            offsets[count] = at;
            lengths[count] = recordLength;
            stated[count] = sum;
            count++;
            length = recordLength;
            correction = correction(sum, length);
            lastEpoch = stamp;
            sequence += isCommit ? 0 : 1;
            at += RecordDescriptor.alignedLength(recordLength);
        }
        if (count == 0) {
            return from;
        }
        crc.reset();
        crc.update(bytes.limit(offsets[count - 1] + length).position(from));
        final boolean good = (int) crc.getValue() == stated[count - 1];
        unlink(base, count);
        return good ? at : from;
    }

    /** Takes the register from the end of a record to the start of the next one. */
    private static void link(final long next, final int nextLength, final int padding, final int correction) {
        if (padding == 0) {
            putInt(next, nextLength ^ correction);
            return;
        }
        xorPadding(next, padding, correction);
        if (padding < Integer.BYTES) {
            putInt(next, nextLength ^ (correction >>> (padding * BITS)));
        }
    }

    private void unlink(final long base, final int count) {
        for (int i = 0; i < count; i++) {
            final long record = base + offsets[i];
            putInt(record, lengths[i]);
            putInt(record + CHECKSUM_OFFSET, stated[i]);
            final int padding = -lengths[i] & PADDING_MASK;
            if (padding > 0 && i + 1 < count) {
                xorPadding(base + offsets[i + 1], padding, correction(stated[i], lengths[i]));
            }
        }
    }

    private static int correction(final int sum, final int length) {
        return ~sum ^ BEFORE_PADDING[-length & PADDING_MASK];
    }

    private static void xorPadding(final long next, final int padding, final int correction) {
        final long word = next - Long.BYTES;
        putLong(word, getLong(word) ^ ((correction & 0xFFFF_FFFFL) << ((Long.BYTES - padding) * BITS)));
    }

    private static int[] beforePadding() {
        // The register after a byte of zeros is (register >>> 8) ^ table[register & 0xFF]: undone byte by byte.
        final int[] table = new int[1 << BITS];
        final int[] indexes = new int[1 << BITS];
        for (int i = 0; i < table.length; i++) {
            int value = i;
            for (int bit = 0; bit < BITS; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
            }
            table[i] = value;
            indexes[value >>> (Integer.SIZE - BITS)] = i;
        }
        final int[] before = new int[RecordDescriptor.ALIGNMENT];
        before[0] = INITIAL;
        for (int i = 1; i < before.length; i++) {
            final int index = indexes[before[i - 1] >>> (Integer.SIZE - BITS)];
            before[i] = ((before[i - 1] ^ table[index]) << BITS) | index;
        }
        return before;
    }

    private static int getInt(final long address) {
        final int value = UnsafeApi.getInt(address);
        return IS_LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private static long getLong(final long address) {
        final long value = UnsafeApi.getLong(address);
        return IS_LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    private static void putInt(final long address, final int value) {
        UnsafeApi.putInt(address, IS_LITTLE_ENDIAN ? value : Integer.reverseBytes(value));
    }

    private static void putLong(final long address, final long value) {
        UnsafeApi.putLong(address, IS_LITTLE_ENDIAN ? value : Long.reverseBytes(value));
    }
}
