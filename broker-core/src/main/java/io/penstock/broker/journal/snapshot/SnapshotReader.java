package io.penstock.broker.journal.snapshot;

import static io.penstock.broker.journal.snapshot.SnapshotFormat.BLOCK_HEADER_LENGTH;
import static io.penstock.broker.journal.snapshot.SnapshotFormat.ENTRY_HEADER_LENGTH;
import static io.penstock.broker.journal.snapshot.SnapshotFormat.ENTRY_TYPE_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a file with a shard's state, entry by entry, and checks each block before it gives an entry of it. One owner. */
public final class SnapshotReader implements AutoCloseable {
    private final SnapshotBlocks blocks;
    private int next;
    private int offset;
    private int length;
    private long entryCount;
    private int epoch;
    private long createdNs;
    private boolean isEnded;

    /**
     * Opens a file and reads its head.
     *
     * @param storage  the shard's directory.
     * @param shard    whose state it should be.
     * @param logId    of the log whose state it should be; 0 when that is not known.
     * @param sequence of the snapshot.
     * @throws SnapshotCorruptException when it is not what was written, or another log's.
     * @throws IOException              when it cannot be read.
     */
    public SnapshotReader(final Storage storage, final int shard, final long logId, final long sequence)
            throws IOException {
        blocks = new SnapshotBlocks(storage, sequence);
        boolean opened = false;
        try {
            readHead(shard, Long.hashCode(logId));
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /**
     * Reads a whole file.
     *
     * @param storage  the shard's directory.
     * @param shard    whose state it should be.
     * @param logId    of the log whose state it should be; 0 when that is not known.
     * @param sequence of the snapshot.
     * @throws SnapshotCorruptException when it is not what was written, or another log's.
     * @throws IOException              when it cannot be read.
     */
    public static void verify(final Storage storage, final int shard, final long logId, final long sequence)
            throws IOException {
        try (SnapshotReader reader = new SnapshotReader(storage, shard, logId, sequence)) {
            reader.readAll();
        }
    }

    /**
     * Goes to the end, so that everything is checked.
     *
     * @return how many entries that were.
     * @throws SnapshotCorruptException when it is not what was written.
     * @throws IOException              when it cannot be read.
     */
    public long readAll() throws IOException {
        long count = 0;
        while (next()) {
            count++;
        }
        return count;
    }

    /**
     * Goes to the next entry.
     *
     * @return false at the end of a file that is whole.
     * @throws SnapshotCorruptException when it is not what was written.
     * @throws IOException              when it cannot be read.
     */
    public boolean next() throws IOException {
        while (next == blocks.length()) {
            if (isEnded || !readBlock()) {
                return false;
            }
        }
        final int stated = blocks.buffer().getInt(next, LITTLE_ENDIAN);
        if (stated < ENTRY_HEADER_LENGTH || stated > blocks.length() - next) {
            throw corrupt("an entry of " + stated + " bytes");
        }
        offset = next + ENTRY_HEADER_LENGTH;
        length = stated - ENTRY_HEADER_LENGTH;
        next += BitUtil.align(stated, Long.BYTES);
        entryCount++;
        return true;
    }

    /** The type of the entry. */
    public int type() {
        return blocks.buffer().getInt(offset - ENTRY_HEADER_LENGTH + ENTRY_TYPE_OFFSET, LITTLE_ENDIAN);
    }

    /** Holds the entry until the next call of {@link #next}. */
    public DirectBuffer buffer() {
        return blocks.buffer();
    }

    /** Where the content of the entry is. */
    public int offset() {
        return offset;
    }

    /** Bytes of the content of the entry. */
    public int length() {
        return length;
    }

    /** Bytes of the file. */
    public long fileLength() {
        return blocks.fileLength();
    }

    /** Bytes that were read. */
    public long position() {
        return blocks.nextPosition();
    }

    /** The run that wrote the file. */
    public int epoch() {
        return epoch;
    }

    /** When the file was begun, in nanoseconds since 1970: after the last record in it was taken. */
    public long createdNs() {
        return createdNs;
    }

    @Override
    public void close() throws IOException {
        blocks.close();
    }

    private void readHead(final int shard, final int expectedLog) throws IOException {
        final int kind = blocks.read();
        final UnsafeBuffer block = blocks.buffer();
        if (kind != SnapshotFormat.KIND_HEAD
                || blocks.length() != SnapshotFormat.HEAD_LENGTH
                || block.getLong(SnapshotFormat.MAGIC_OFFSET, LITTLE_ENDIAN) != SnapshotFormat.MAGIC) {
            throw corrupt("not a snapshot");
        }
        if (block.getInt(SnapshotFormat.VERSION_OFFSET, LITTLE_ENDIAN) != SnapshotFormat.VERSION) {
            throw corrupt("format version " + block.getInt(SnapshotFormat.VERSION_OFFSET, LITTLE_ENDIAN)
                    + ", this broker knows " + SnapshotFormat.VERSION);
        }
        if (block.getInt(SnapshotFormat.SHARD_OFFSET, LITTLE_ENDIAN) != shard) {
            throw corrupt("of shard " + block.getInt(SnapshotFormat.SHARD_OFFSET, LITTLE_ENDIAN) + ", not of " + shard);
        }
        epoch = block.getInt(SnapshotFormat.EPOCH_OFFSET, LITTLE_ENDIAN);
        createdNs = block.getLong(SnapshotFormat.CREATED_OFFSET, LITTLE_ENDIAN);
        final int log = block.getInt(SnapshotFormat.LOG_OFFSET, LITTLE_ENDIAN);
        if (expectedLog != 0 && log != 0 && log != expectedLog) {
            throw corrupt("a snapshot of another broker's log");
        }
        next = blocks.length();
    }

    /** Returns false when it was the trailer. */
    private boolean readBlock() throws IOException {
        final int kind = blocks.read();
        if (kind == SnapshotFormat.KIND_ENTRIES) {
            next = BLOCK_HEADER_LENGTH;
            return true;
        }
        final UnsafeBuffer block = blocks.buffer();
        if (kind != SnapshotFormat.KIND_TRAILER || blocks.length() != SnapshotFormat.TRAILER_LENGTH) {
            throw corrupt("a block of kind " + kind);
        }
        final long stated = block.getLong(SnapshotFormat.ENTRY_COUNT_OFFSET, LITTLE_ENDIAN);
        if (stated != entryCount) {
            throw corrupt(entryCount + " entries, and the trailer says " + stated);
        }
        final long statedLength = block.getLong(SnapshotFormat.FILE_LENGTH_OFFSET, LITTLE_ENDIAN);
        if (statedLength != blocks.fileLength()) {
            throw corrupt("the file has " + blocks.fileLength() + " bytes, and its trailer says " + statedLength);
        }
        isEnded = true;
        next = blocks.length();
        return false;
    }

    /** Where the file is, for people. */
    public String path() {
        return blocks.path();
    }

    /**
     * The content is wrong, although its checksum is good.
     *
     * @param reason what is wrong.
     * @return what to throw, naming file and place.
     */
    public SnapshotCorruptException corrupt(final String reason) {
        return blocks.corrupt(reason);
    }
}
