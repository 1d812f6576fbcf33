package io.penstock.broker.journal.snapshot;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The layout of files with a shard's state: blocks, each with a checksum of its own.
 *
 * <pre>
 *      0        4       8      12         16         24
 *      +--------+-------+------+----------+----------+---------+---------+-----
 *      | length | index | kind | checksum | sequence | entry   | entry   | ...
 *      +--------+-------+------+----------+----------+---------+---------+-----
 *
 *  an entry:
 *      0        4      8
 *      +--------+------+---------+-----------------+
 *      | length | type | content | padding up to 8 |
 *      +--------+------+---------+-----------------+
 * </pre>
 *
 * <p>The first block, of kind {@link #KIND_HEAD}, says what file it is, the last, of kind {@link #KIND_TRAILER}, how many
 * entries and bytes there are: a file without it is not whole. {@code sequence} is that of the snapshot in all blocks.
 * All fields are little endian; a checksum is the CRC32C of the block with its own four bytes taken as 0.
 */
public final class SnapshotFormat {
    static final long MAGIC = 0x45544154534E4550L; // PENSTATE
    static final int VERSION = 1;

    static final int LENGTH_OFFSET = 0;
    static final int INDEX_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int KIND_OFFSET = INDEX_OFFSET + Integer.BYTES;
    static final int CHECKSUM_OFFSET = KIND_OFFSET + Integer.BYTES;
    static final int SEQUENCE_OFFSET = CHECKSUM_OFFSET + Integer.BYTES;
    static final int BLOCK_HEADER_LENGTH = SEQUENCE_OFFSET + Long.BYTES;

    static final int KIND_HEAD = 1;
    static final int KIND_ENTRIES = 2;
    static final int KIND_TRAILER = 3;

    /** Offset in the head's block. */
    static final int MAGIC_OFFSET = BLOCK_HEADER_LENGTH;

    static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    static final int SHARD_OFFSET = VERSION_OFFSET + Integer.BYTES;
    static final int CREATED_OFFSET = SHARD_OFFSET + Integer.BYTES;
    static final int EPOCH_OFFSET = CREATED_OFFSET + Long.BYTES;

    /** Hash of the id of the log whose state it is; 0 when unknown. */
    static final int LOG_OFFSET = EPOCH_OFFSET + Integer.BYTES;

    static final int HEAD_LENGTH = LOG_OFFSET + Integer.BYTES;

    /** Offset in the trailer's block. */
    static final int ENTRY_COUNT_OFFSET = BLOCK_HEADER_LENGTH;

    static final int FILE_LENGTH_OFFSET = ENTRY_COUNT_OFFSET + Long.BYTES;
    static final int TRAILER_LENGTH = FILE_LENGTH_OFFSET + Long.BYTES;

    static final int ENTRY_TYPE_OFFSET = Integer.BYTES;
    static final int ENTRY_HEADER_LENGTH = ENTRY_TYPE_OFFSET + Integer.BYTES;

    private static final String PREFIX = "state-";
    private static final String SUFFIX = ".snap";
    private static final int DIGITS = 19;

    private SnapshotFormat() {}

    public static String name(final long sequence) {
        final String digits = Long.toString(sequence);
        return PREFIX + "0".repeat(DIGITS - digits.length()) + digits + SUFFIX;
    }

    /** The sequence in a name, or 0 when it is no snapshot's. */
    static long sequence(final String name) {
        if (name.length() != PREFIX.length() + DIGITS + SUFFIX.length()
                || !name.startsWith(PREFIX)
                || !name.endsWith(SUFFIX)) {
            return 0;
        }
        try {
            return Long.parseLong(name, PREFIX.length(), PREFIX.length() + DIGITS, 10);
        } catch (final NumberFormatException e) {
            // Somebody else's file.
            return 0;
        }
    }

    /** The sequences of the snapshots in a directory, the newest first. */
    public static List<Long> list(final Storage storage) throws IOException {
        final List<Long> sequences = new ArrayList<>();
        for (final String name : storage.list()) {
            final long sequence = sequence(name);
            if (sequence > 0) {
                sequences.add(sequence);
            }
        }
        sequences.sort(Collections.reverseOrder());
        return sequences;
    }

    /** The checksum of a block whose own four bytes are 0. */
    static int checksum(final CRC32C crc, final ByteBuffer bytes, final int length) {
        crc.reset();
        crc.update(bytes.clear().limit(length));
        return (int) crc.getValue();
    }
}
