package io.penstock.broker.journal.snapshot;

import static io.penstock.broker.journal.snapshot.SnapshotFormat.BLOCK_HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** The blocks of a snapshot's file, in order, each checked before anything in it is used. One owner. */
final class SnapshotBlocks implements AutoCloseable {
    private final String path;
    private final long sequence;
    private final StoredFile file;
    private final long fileLength;
    private final CRC32C crc = new CRC32C();
    private AlignedBuffer memory = new AlignedBuffer(BLOCK_HEADER_LENGTH);

    /** Position of the block in memory, and of the next one in the file. */
    private long position;

    private long nextPosition;
    private int blockCount;
    private int length;

    /**
     * Opens a file; its first block is read next.
     *
     * @param storage  the shard's directory.
     * @param sequence of the snapshot.
     * @throws IOException when it cannot be read.
     */
    SnapshotBlocks(final Storage storage, final long sequence) throws IOException {
        final String name = SnapshotFormat.name(sequence);
        path = storage.path(name);
        this.sequence = sequence;
        file = storage.open(name, false);
        boolean opened = false;
        try {
            fileLength = file.length();
            ensureLength((int) Math.min(SnapshotWriter.BLOCK_LENGTH, fileLength));
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /** Holds the present block until the next is read. */
    UnsafeBuffer buffer() {
        return memory.buffer();
    }

    /** Length of the present block, in bytes. */
    int length() {
        return length;
    }

    /** Where the next block is in the file. */
    long nextPosition() {
        return nextPosition;
    }

    long fileLength() {
        return fileLength;
    }

    /** Where the file is, for people. */
    String path() {
        return path;
    }

    /** The exception for a present block that has changed since it was written. */
    SnapshotCorruptException corrupt(final String reason) {
        return new SnapshotCorruptException(path, position, reason);
    }

    /** Makes room for a block; the former content of the memory is lost. */
    private void ensureLength(final int needed) {
        if (needed > memory.capacity()) {
            memory.free();
            memory = new AlignedBuffer(needed);
        }
    }

    /** Reads and checks the next block. Returns its kind. */
    int read() throws IOException {
        position = nextPosition;
        final int got = file.read(memory.bytes().clear(), position);
        if (got < BLOCK_HEADER_LENGTH) {
            throw corrupt("the file ends without a trailer");
        }
        final int stated = memory.buffer().getInt(SnapshotFormat.LENGTH_OFFSET, LITTLE_ENDIAN);
        if (stated < BLOCK_HEADER_LENGTH || stated > fileLength - position) {
            throw corrupt("a block of " + stated + " bytes");
        }
        length = stated;
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

    @Override
    public void close() throws IOException {
        memory.free();
        file.close();
    }
}
