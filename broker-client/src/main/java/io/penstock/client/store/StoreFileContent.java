package io.penstock.client.store;

import static org.agrona.BitUtil.SIZE_OF_INT;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The content of a store's file when it was opened: where whole records are, and whether the bytes after the last one
 * are what a kill or a loss of power leaves. Confined to the thread that opens the store.
 */
final class StoreFileContent {
    /** Disks write so many bytes at once at least. */
    private static final int SECTOR_LENGTH = 512;

    private final UnsafeBuffer buffer;
    private final int end;
    private final long generation;
    private final CRC32C crc = new CRC32C();

    /**
     * @param bytes      of the whole file, from its head on.
     * @param end        how many they are.
     * @param generation of the file.
     */
    StoreFileContent(final byte[] bytes, final int end, final long generation) {
        buffer = new UnsafeBuffer(bytes, 0, end);
        this.end = end;
        this.generation = generation;
    }

    int end() {
        return end;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    int int32(final int at) {
        return buffer.getInt(at, ByteOrder.LITTLE_ENDIAN);
    }

    long int64(final int at) {
        return buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
    }

    boolean isRecord(final int at) {
        if (end - at < StoreFile.LENGTH_MIN) {
            return false;
        }
        final int length = int32(at);
        if (!isStated(at) || length > end - at || length % StoreFile.ALIGNMENT != 0) {
            return false;
        }
        final int tail = at + length - StoreFile.TAIL_LENGTH;
        final int textLength = int32(at + StoreFile.TEXT_LENGTH_OFFSET);
        return int32(tail + SIZE_OF_INT) == StoreFile.END_MARK
                && int32(tail) == checksum(at, length - StoreFile.TAIL_LENGTH)
                && textLength >= 0
                && textLength <= length - StoreFile.LENGTH_MIN;
    }

    private int checksum(final int at, final int length) {
        return StoreFile.checksum(crc, generation, ByteBuffer.wrap(buffer.byteArray(), at, length));
    }

    /** Whether a length is there that agrees with its check. */
    boolean isStated(final int at) {
        return int32(at) == ~int32(at + StoreFile.CHECK_OFFSET) && int32(at) >= StoreFile.LENGTH_MIN;
    }

    /** Where the last byte ends that is not 0; the given place when there is none behind it. */
    int endOfBytes(final int from) {
        return endOfBytes(from, end);
    }

    private int endOfBytes(final int from, final int to) {
        int last = to;
        while (last > from && buffer.getByte(last - 1) == 0) {
            last--;
        }
        return last;
    }

    /**
     * Whether what is at a place, with zeros after it, is what the end of the program or of the machine has left.
     *
     * @param isSynced whether each record was on stable storage before the next one was written.
     */
    boolean mayBeTorn(final int at, final boolean isSynced) {
        // A record ends with a byte that is not 0: nothing follows the bytes of a record that was not written wholly.
        final boolean isUnfinished = endOfBytes(at) < at + (isStated(at) ? int32(at) : StoreFile.TYPE_OFFSET);
        return isUnfinished || isTorn(at) || (hasHole(at) && (!isSynced || !isFollowed(at)));
    }

    /**
     * Whether a sector has only zeros where it has bytes of the record: when the power fails, sectors reach the disk in
     * any order. Of a record without a length those to the end of its first sector are looked at.
     */
    private boolean hasHole(final int at) {
        final int firstEnd = BitUtil.align(at + 1, SECTOR_LENGTH);
        final int recordEnd = isStated(at) ? at + int32(at) : Math.min(firstEnd, end);
        int from = at;
        for (int to = firstEnd; from < recordEnd; to += SECTOR_LENGTH) {
            if (endOfBytes(from, Math.min(to, recordEnd)) == from) {
                return true;
            }
            from = to;
        }
        return false;
    }

    private boolean isFollowed(final int at) {
        for (int next = at + StoreFile.ALIGNMENT; next < end; next += StoreFile.ALIGNMENT) {
            if (isRecord(next)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a write that did not come to its end looks like this: no whole record follows, and not all is there. */
    boolean isTorn(final int at) {
        if (isFollowed(at)) {
            return false;
        }
        if (end - at < 2 * SIZE_OF_INT) {
            return true;
        }
        final int length = int32(at);
        final int check = int32(at + StoreFile.CHECK_OFFSET);
        if (length != ~check) {
            // The system writes what comes last as zeros; a length that disagrees with its check was changed.
            return length == 0 && check == 0;
        }
        if (length > end - at) {
            return true;
        }
        return length >= StoreFile.LENGTH_MIN && int32(at + length - SIZE_OF_INT) == 0;
    }
}
