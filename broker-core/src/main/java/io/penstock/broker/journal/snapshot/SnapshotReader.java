package io.penstock.broker.journal.snapshot;

import static io.penstock.broker.journal.snapshot.SnapshotFormat.BLOCK_HEADER_LENGTH;
import static io.penstock.broker.journal.snapshot.SnapshotFormat.ENTRY_HEADER_LENGTH;
import static io.penstock.broker.journal.snapshot.SnapshotFormat.ENTRY_TYPE_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a file with a shard's state, entry by entry, and checks each block before it gives an entry of it. One owner. */
public final class SnapshotReader implements AutoCloseable {
    private final String path;
    private final int shard;
    private final long sequence;
    private final StoredFile file;
    private final long fileLength;
    private final CRC32C crc = new CRC32C();
    private AlignedBuffer memory = new AlignedBuffer(BLOCK_HEADER_LENGTH);

    /** Of the block in memory, and of the next one in the file. */
    private long position;

    private long nextPosition;
    private int blockCount;
    private int blockLength;
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
        final String name = SnapshotFormat.name(sequence);
        path = storage.path(name);
        this.shard = shard;
        this.sequence = sequence;
        file = storage.open(name, false);
        boolean opened = false;
        try {
            fileLength = file.length();
            ensureLength((int) Math.min(SnapshotWriter.BLOCK_LENGTH, fileLength));
            readHead(Long.hashCode(logId));
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
        while (next == blockLength) {
            if (isEnded || !readBlock()) {
                return false;
            }
        }
        final int stated = memory.buffer().getInt(next, LITTLE_ENDIAN);
        if (stated < ENTRY_HEADER_LENGTH || stated > blockLength - next) {
            throw corrupt("an entry of " + stated + " bytes");
        }
        offset = next + ENTRY_HEADER_LENGTH;
        length = stated - ENTRY_HEADER_LENGTH;
        next += BitUtil.align(stated, Long.BYTES);
        entryCount++;
        return true;
    }

    /** What the entry is. */
    public int type() {
        return memory.buffer().getInt(offset - ENTRY_HEADER_LENGTH + ENTRY_TYPE_OFFSET, LITTLE_ENDIAN);
    }

    /** Holds the entry until the next call of {@link #next}. */
    public DirectBuffer buffer() {
        return memory.buffer();
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
        return fileLength;
    }

    /** Bytes that were read. */
    public long position() {
        return nextPosition;
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
        memory.free();
        file.close();
    }

    private void readHead(final int expectedLog) throws IOException {
        final int kind = read();
        final UnsafeBuffer block = memory.buffer();
        if (kind != SnapshotFormat.KIND_HEAD
                || blockLength != SnapshotFormat.HEAD_LENGTH
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
        next = blockLength;
    }

    /** Returns false when it was the trailer. */
    private boolean readBlock() throws IOException {
        final int kind = read();
        if (kind == SnapshotFormat.KIND_ENTRIES) {
            next = BLOCK_HEADER_LENGTH;
            return true;
        }
        final UnsafeBuffer block = memory.buffer();
        if (kind != SnapshotFormat.KIND_TRAILER || blockLength != SnapshotFormat.TRAILER_LENGTH) {
            throw corrupt("a block of kind " + kind);
        }
        final long stated = block.getLong(SnapshotFormat.ENTRY_COUNT_OFFSET, LITTLE_ENDIAN);
        if (stated != entryCount) {
            throw corrupt(entryCount + " entries, and the trailer says " + stated);
        }
        final long statedLength = block.getLong(SnapshotFormat.FILE_LENGTH_OFFSET, LITTLE_ENDIAN);
        if (statedLength != fileLength) {
            throw corrupt("the file has " + fileLength + " bytes, and its trailer says " + statedLength);
        }
        isEnded = true;
        next = blockLength;
        return false;
    }

    /** Makes room for a block; what was in memory is gone. */
    private void ensureLength(final int needed) {
        if (needed > memory.capacity()) {
            memory.free();
            memory = new AlignedBuffer(needed);
        }
    }

    /** Reads and checks the next block. Returns its kind. */
    private int read() throws IOException {
        position = nextPosition;
        final int got = file.read(memory.bytes().clear(), position);
        if (got < BLOCK_HEADER_LENGTH) {
            throw corrupt("the file ends without a trailer");
        }
        final int stated = memory.buffer().getInt(SnapshotFormat.LENGTH_OFFSET, LITTLE_ENDIAN);
        if (stated < BLOCK_HEADER_LENGTH || stated > fileLength - position) {
            throw corrupt("a block of " + stated + " bytes");
        }
        blockLength = stated;
        if (stated > got) {
            ensureLength(stated);
            if (file.read(memory.bytes().clear().limit(stated), position) < stated) {
                throw corrupt("the file ends within a block");
            }
        }
        checkBlock(stated);
        nextPosition = position + stated;
        blockCount++;
        return memory.buffer().getInt(SnapshotFormat.KIND_OFFSET, LITTLE_ENDIAN);
    }

    private void checkBlock(final int stated) throws IOException {
        final UnsafeBuffer block = memory.buffer();
        final int checksum = block.getInt(SnapshotFormat.CHECKSUM_OFFSET, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.CHECKSUM_OFFSET, 0, LITTLE_ENDIAN);
        if (SnapshotFormat.checksum(crc, memory.bytes(), stated) != checksum) {
            throw corrupt("the checksum of block " + blockCount + " is wrong");
        }
        if (block.getInt(SnapshotFormat.INDEX_OFFSET, LITTLE_ENDIAN) != blockCount) {
            throw corrupt("block " + block.getInt(SnapshotFormat.INDEX_OFFSET, LITTLE_ENDIAN) + " where " + blockCount
                    + " should be");
        }
        final long of = block.getLong(SnapshotFormat.SEQUENCE_OFFSET, LITTLE_ENDIAN);
        if (of != sequence) {
            throw corrupt("a block of the snapshot at " + of);
        }
    }

    /** Where the file is, for people. */
    public String path() {
        return path;
    }

    /**
     * What is read is not what was written, although its checksum is good.
     *
     * @param reason what is wrong.
     * @return what to throw, naming file and place.
     */
    public SnapshotCorruptException corrupt(final String reason) {
        return new SnapshotCorruptException(path, position, reason);
    }
}
