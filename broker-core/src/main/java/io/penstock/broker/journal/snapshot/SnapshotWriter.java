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
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a shard's state to a file, which has its name only when it is whole and on stable storage. Has one owner. After
 * an exception it is to be discarded.
 */
public final class SnapshotWriter {
    /** Bytes of a block; longer when one entry needs more. */
    static final int BLOCK_LENGTH = 256 * 1024;

    /** Initial length of the memory for a block, which grows: most states are small. */
    private static final int MEMORY_LENGTH_INITIAL = 16 * 1024;

    /** Bytes that may be written and not synced: what waits for the disk behind them waits no longer. */
    static final int UNSYNCED_LENGTH_MAX = 8 * 1024 * 1024;

    static final String NAME = "state.tmp";

    private final Storage storage;
    private final long sequence;
    private final CRC32C crc = new CRC32C();
    private AlignedBuffer memory = new AlignedBuffer(MEMORY_LENGTH_INITIAL);
    private @Nullable StoredFile file;
    private int used = BLOCK_HEADER_LENGTH;
    private int blockCount;
    private long entryCount;
    private long position;
    private long syncedPosition;

    /**
     * Begins a file.
     *
     * @param storage  the shard's directory.
     * @param shard    whose state it is.
     * @param logId    of the log whose state it is; 0 when it has none.
     * @param sequence of the last record that is in it.
     * @param epoch    of the run that writes it.
     * @param nowNs    since 1970.
     * @throws IOException when the disk fails.
     */
    public SnapshotWriter(
            final Storage storage,
            final int shard,
            final long logId,
            final long sequence,
            final int epoch,
            final long nowNs)
            throws IOException {
        this.storage = storage;
        this.sequence = sequence;
        if (storage.exists(NAME)) {
            storage.delete(NAME);
        }
        file = storage.create(NAME);
        final MutableDirectBuffer block = memory.buffer();
        block.putLong(SnapshotFormat.MAGIC_OFFSET, SnapshotFormat.MAGIC, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.VERSION_OFFSET, SnapshotFormat.VERSION, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.SHARD_OFFSET, shard, LITTLE_ENDIAN);
        block.putLong(SnapshotFormat.CREATED_OFFSET, nowNs, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.EPOCH_OFFSET, epoch, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.LOG_OFFSET, Long.hashCode(logId), LITTLE_ENDIAN);
        used = SnapshotFormat.HEAD_LENGTH;
        flush(SnapshotFormat.KIND_HEAD);
    }

    /**
     * Makes room for an entry. Its bytes, padding included, are what they were: the caller writes the content.
     *
     * @param type   of the entry.
     * @param length of its content, in bytes.
     * @return where the content goes in {@link #buffer}.
     * @throws IOException when the disk fails.
     */
    public int claim(final int type, final int length) throws IOException {
        final int needed = BitUtil.align(ENTRY_HEADER_LENGTH + length, Long.BYTES);
        if (used + needed > BLOCK_LENGTH && used > BLOCK_HEADER_LENGTH) {
            flush(SnapshotFormat.KIND_ENTRIES);
        }
        ensureLength(used + needed);
        final MutableDirectBuffer block = memory.buffer();
        final int entry = used;
        block.putLong(entry + needed - Long.BYTES, 0);
        block.putInt(entry, ENTRY_HEADER_LENGTH + length, LITTLE_ENDIAN);
        block.putInt(entry + ENTRY_TYPE_OFFSET, type, LITTLE_ENDIAN);
        used += needed;
        entryCount++;
        return entry + ENTRY_HEADER_LENGTH;
    }

    /** The memory of the block that is being filled; another one after each {@link #claim}. */
    public MutableDirectBuffer buffer() {
        return memory.buffer();
    }

    /**
     * Writes what is left and the trailer, and puts the file on stable storage, still without its name.
     *
     * @throws IOException when the disk fails.
     */
    public void finish() throws IOException {
        if (used > BLOCK_HEADER_LENGTH) {
            flush(SnapshotFormat.KIND_ENTRIES);
        }
        memory.buffer().putLong(SnapshotFormat.ENTRY_COUNT_OFFSET, entryCount, LITTLE_ENDIAN);
        memory.buffer()
                .putLong(SnapshotFormat.FILE_LENGTH_OFFSET, position + SnapshotFormat.TRAILER_LENGTH, LITTLE_ENDIAN);
        used = SnapshotFormat.TRAILER_LENGTH;
        flush(SnapshotFormat.KIND_TRAILER);
        try (StoredFile written = file()) {
            written.sync();
        }
        file = null;
        memory.free();
    }

    /**
     * Gives the finished file its name. Called when all records up to its sequence are on stable storage.
     *
     * @throws IOException when the disk fails.
     */
    public void publish() throws IOException {
        storage.rename(NAME, SnapshotFormat.name(sequence));
        storage.sync();
    }

    /**
     * Forgets a file that was not published.
     *
     * @throws IOException when the disk fails.
     */
    public void discard() throws IOException {
        final StoredFile open = file;
        file = null;
        if (open != null) {
            memory.free();
            open.close();
        }
        storage.delete(NAME);
    }

    /** The last record that is in it. */
    public long sequence() {
        return sequence;
    }

    /** Bytes written so far. */
    public long length() {
        return position;
    }

    private StoredFile file() throws IOException {
        final StoredFile open = file;
        if (open == null) {
            throw new IOException("snapshot: is closed");
        }
        return open;
    }

    private void flush(final int kind) throws IOException {
        final MutableDirectBuffer block = memory.buffer();
        block.putInt(SnapshotFormat.LENGTH_OFFSET, used, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.INDEX_OFFSET, blockCount, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.KIND_OFFSET, kind, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.CHECKSUM_OFFSET, 0, LITTLE_ENDIAN);
        block.putLong(SnapshotFormat.SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
        block.putInt(SnapshotFormat.CHECKSUM_OFFSET, SnapshotFormat.checksum(crc, memory.bytes(), used), LITTLE_ENDIAN);
        if (position + used - syncedPosition > UNSYNCED_LENGTH_MAX && position > syncedPosition) {
            file().sync();
            syncedPosition = position;
        }
        file().write(memory.bytes().clear().limit(used), position);
        position += used;
        blockCount++;
        used = BLOCK_HEADER_LENGTH;
    }

    /** Makes room for what is in the block and an entry; gives back what a long entry of another block has needed. */
    private void ensureLength(final int needed) {
        final int capacity = memory.capacity();
        if (needed > capacity || (capacity > BLOCK_LENGTH && needed <= BLOCK_LENGTH)) {
            final AlignedBuffer other = new AlignedBuffer(Math.max(needed, Math.min(2 * capacity, BLOCK_LENGTH)));
            other.buffer().putBytes(0, memory.buffer(), 0, used);
            memory.free();
            memory = other;
        }
    }
}
