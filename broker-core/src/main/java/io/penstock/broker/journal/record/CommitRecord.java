package io.penstock.broker.journal.record;

import static io.penstock.protocol.RecordDescriptor.EPOCH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.LENGTH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.PUBLISHER_ID_OFFSET;
import static io.penstock.protocol.RecordDescriptor.PUBLISHER_SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TIMESTAMP_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TOPIC_ID_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_COMMIT;
import static io.penstock.protocol.RecordDescriptor.TYPE_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The record that ends a group, of those that are written and synced together. It is a header: in place of the sequence is
 * the one up to which the log was on stable storage before, in place of the publisher's sequence the last one of the group,
 * in place of the topic the group's length before this record, in place of the publisher how many of its sectors are zeros.
 * Sectors are counted from the group's first byte to the last that ends before this record.
 */
public final class CommitRecord {
    private static final int SECTOR_LENGTH = 512;

    private CommitRecord() {}

    static void write(
            final MutableDirectBuffer record,
            final long durableSequence,
            final long lastSequence,
            final int groupLength,
            final int zeroSectors,
            final long timestampNs,
            final int epoch) {
        record.setMemory(0, HEADER_LENGTH, (byte) 0);
        record.putInt(LENGTH_OFFSET, HEADER_LENGTH, LITTLE_ENDIAN);
        record.putByte(TYPE_OFFSET, (byte) TYPE_COMMIT);
        record.putLong(SEQUENCE_OFFSET, durableSequence, LITTLE_ENDIAN);
        record.putLong(TIMESTAMP_OFFSET, timestampNs, LITTLE_ENDIAN);
        record.putInt(TOPIC_ID_OFFSET, groupLength, LITTLE_ENDIAN);
        record.putInt(PUBLISHER_ID_OFFSET, zeroSectors, LITTLE_ENDIAN);
        record.putLong(PUBLISHER_SEQUENCE_OFFSET, lastSequence, LITTLE_ENDIAN);
        record.putInt(EPOCH_OFFSET, epoch, LITTLE_ENDIAN);
    }

    public static int groupLength(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + TOPIC_ID_OFFSET, LITTLE_ENDIAN);
    }

    public static int zeroSectors(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + PUBLISHER_ID_OFFSET, LITTLE_ENDIAN);
    }

    public static long lastSequence(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + PUBLISHER_SEQUENCE_OFFSET, LITTLE_ENDIAN);
    }

    /** Where the sector ends that has a place of a file. */
    public static long sectorEnd(final long position) {
        return (position & -SECTOR_LENGTH) + SECTOR_LENGTH;
    }

    /** Whether bytes are all 0; a multiple of 8. */
    public static boolean isZero(final DirectBuffer buffer, final int offset, final int length) {
        for (int i = 0; i < length; i += Long.BYTES) {
            if (buffer.getLong(offset + i) != 0) {
                return false;
            }
        }
        return true;
    }
}
