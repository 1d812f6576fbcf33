package io.penstock.broker.journal.record;

import static io.penstock.protocol.RecordDescriptor.CHECKSUM_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.MutableDirectBuffer;

/**
 * The checksum of records in files: CRC32C over the whole record, its own four bytes taken as 0. Keeps a buffer's
 * position and limit as it needs them, so that buffer has to be its own. Confined to one thread.
 */
public final class RecordChecksum {
    private final CRC32C crc = new CRC32C();

    /** The checksum of a record whose own four bytes are 0. */
    public int compute(final ByteBuffer bytes, final int offset, final int length) {
        crc.reset();
        crc.update(bytes.limit(offset + length).position(offset));
        return (int) crc.getValue();
    }

    /** Whether a record is as it was written. Leaves it as it is. */
    public boolean isGood(
            final MutableDirectBuffer record, final ByteBuffer bytes, final int offset, final int length) {
        final int stated = record.getInt(offset + CHECKSUM_OFFSET, LITTLE_ENDIAN);
        record.putInt(offset + CHECKSUM_OFFSET, 0, LITTLE_ENDIAN);
        final boolean good = compute(bytes, offset, length) == stated;
        record.putInt(offset + CHECKSUM_OFFSET, stated, LITTLE_ENDIAN);
        return good;
    }
}
