package io.penstock.broker.journal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The index of a full journal file, in a file beside it.
 *
 * <pre>
 *      0       8         12      16               24      28         32
 *      +-------+---------+-------+----------------+-------+----------+----------+------+----------+-----
 *      | magic | version | shard | first sequence | count | checksum | sequence | time | position | ...
 *      +-------+---------+-------+----------------+-------+----------+----------+------+----------+-----
 * </pre>
 *
 * <p>All fields are little endian; the checksum is the CRC32C of everything with its own four bytes taken as 0. What is
 * in it can be made again from the journal file, so that a broker does not sync it.
 */
final class IndexFile {
    private static final String TEMPORARY_NAME = "index.tmp";
    private static final long MAGIC = 0x5845444E494E4550L; // PENINDEX
    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int SHARD_OFFSET = 12;
    private static final int FIRST_SEQUENCE_OFFSET = 16;
    private static final int COUNT_OFFSET = 24;
    private static final int CHECKSUM_OFFSET = 28;
    private static final int HEADER_LENGTH = 32;
    private static final int ENTRY_LENGTH = SparseIndex.FIELDS * Long.BYTES;

    private IndexFile() {}

    /** Writes the index of a file that is full. */
    static void write(final Storage storage, final int shard, final JournalFile of) throws IOException {
        write(storage, shard, of, of.indexName(), false);
    }

    /** The same, in one step: there is the old file or the new one, which is on stable storage, whatever happens. */
    static void replace(final Storage storage, final int shard, final JournalFile of) throws IOException {
        write(storage, shard, of, TEMPORARY_NAME, true);
        storage.rename(TEMPORARY_NAME, of.indexName());
        storage.sync();
    }

    private static void write(
            final Storage storage, final int shard, final JournalFile of, final String name, final boolean syncs)
            throws IOException {
        final int count = of.index().count();
        final int length = HEADER_LENGTH + count * ENTRY_LENGTH;
        final AlignedBuffer memory = new AlignedBuffer(length);
        try {
            final UnsafeBuffer buffer = memory.buffer();
            buffer.putLong(0, MAGIC, LITTLE_ENDIAN);
            buffer.putInt(VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
            buffer.putInt(SHARD_OFFSET, shard, LITTLE_ENDIAN);
            buffer.putLong(FIRST_SEQUENCE_OFFSET, of.firstSequence(), LITTLE_ENDIAN);
            buffer.putInt(COUNT_OFFSET, count, LITTLE_ENDIAN);
            of.index().copyTo(buffer, HEADER_LENGTH, count);
            buffer.putInt(CHECKSUM_OFFSET, checksum(memory, length), LITTLE_ENDIAN);
            if (storage.exists(name)) {
                storage.delete(name);
            }
            try (StoredFile file = storage.create(name)) {
                file.write(memory.bytes().clear().limit(length), 0);
                if (syncs) {
                    file.sync();
                }
            }
        } finally {
            memory.free();
        }
    }

    /**
     * Reads the index of a file.
     *
     * @throws IOException when it is not there, cannot be read, or is not what was written.
     */
    static long[] read(final Storage storage, final int shard, final JournalFile of) throws IOException {
        try (StoredFile file = storage.open(of.indexName(), false)) {
            final long length = file.length();
            if (length < HEADER_LENGTH || length > Integer.MAX_VALUE / 2) {
                throw damaged(storage, of, "it has " + length + " bytes");
            }
            final AlignedBuffer memory = new AlignedBuffer((int) length);
            try {
                final int read = file.read(memory.bytes().clear().limit((int) length), 0);
                return entries(storage, shard, of, memory, read);
            } finally {
                memory.free();
            }
        }
    }

    private static long[] entries(
            final Storage storage, final int shard, final JournalFile of, final AlignedBuffer memory, final int length)
            throws IOException {
        final UnsafeBuffer buffer = memory.buffer();
        final int checksum = buffer.getInt(CHECKSUM_OFFSET, LITTLE_ENDIAN);
        buffer.putInt(CHECKSUM_OFFSET, 0, LITTLE_ENDIAN);
        if (checksum(memory, length) != checksum) {
            throw damaged(storage, of, "its checksum is wrong");
        }
        final int count = buffer.getInt(COUNT_OFFSET, LITTLE_ENDIAN);
        if (buffer.getLong(0, LITTLE_ENDIAN) != MAGIC
                || buffer.getInt(VERSION_OFFSET, LITTLE_ENDIAN) != VERSION
                || buffer.getInt(SHARD_OFFSET, LITTLE_ENDIAN) != shard
                || buffer.getLong(FIRST_SEQUENCE_OFFSET, LITTLE_ENDIAN) != of.firstSequence()
                || (long) count * ENTRY_LENGTH != length - HEADER_LENGTH) {
            throw damaged(storage, of, "it is the index of another file");
        }
        final long[] entries = new long[count * SparseIndex.FIELDS];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = buffer.getLong(HEADER_LENGTH + i * Long.BYTES, LITTLE_ENDIAN);
        }
        return entries;
    }

    private static IOException damaged(final Storage storage, final JournalFile of, final String reason) {
        return new IOException("journal: index: corrupt: " + storage.path(of.indexName()) + ": " + reason);
    }

    private static int checksum(final AlignedBuffer memory, final int length) {
        final CRC32C crc = new CRC32C();
        crc.update(memory.bytes().clear().limit(length));
        return (int) crc.getValue();
    }
}
