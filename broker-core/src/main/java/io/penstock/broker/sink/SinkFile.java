package io.penstock.broker.sink;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One sink: the file, its index, and who has delivered what. Blocks are written one after another, kept or dropped when
 * they are whole, and committed some at a time; what is not committed is not there for anybody. Owned by the sink agent.
 */
public final class SinkFile implements AutoCloseable {
    /** Most blocks between two commits. */
    public static final int BATCH_COUNT_MAX = 256;

    private final ByteBuffer records = ByteBuffer.allocateDirect((BATCH_COUNT_MAX + 1) * IndexRecord.LENGTH_MAX);
    private final UnsafeBuffer recordBuffer = new UnsafeBuffer(records);
    private final List<Kept> kept = new ArrayList<>();
    private final SinkSettings settings;
    private final EpochNanoClock clock;
    private final StoredFile file;
    private final StoredFile index;
    private final Map<String, Producer> producers;
    private long number;
    private long end;
    private long position;
    private long writtenEnd;
    private long committedNumber;
    private long committedEnd;
    private long indexEnd;

    /** Where the zeros end that were written ahead. */
    private long indexLength;

    /** Whether something may be behind its end that is to be cleared. */
    private boolean isIndexTouched;

    private long markedNumber;
    private @Nullable String failure;

    private record Kept(Producer producer, long blockId, long offset, int length, int checksum) {}

    private SinkFile(final SinkSettings settings, final EpochNanoClock clock, final SinkRecovery.Recovered recovered) {
        this.settings = settings;
        this.clock = clock;
        file = recovered.file();
        index = recovered.index();
        producers = recovered.producers();
        number = recovered.number();
        end = recovered.end();
        position = end;
        writtenEnd = end;
        committedNumber = number;
        committedEnd = end;
        indexEnd = recovered.indexEnd();
        indexLength = recovered.indexLength();
    }

    /**
     * Opens a sink, and makes it if it is not there.
     *
     * @param storage  the sinks' directory.
     * @param settings of the sink.
     * @param clock    for the times of blocks.
     * @return the sink, which ends with the last block that was stored.
     * @throws IOException when its files are damaged, or the disk fails.
     */
    public static SinkFile open(final Storage storage, final SinkSettings settings, final EpochNanoClock clock)
            throws IOException {
        return new SinkFile(settings, clock, new SinkRecovery(storage, settings).run(clock));
    }

    public SinkSettings settings() {
        return settings;
    }

    /** Why it takes nothing any more; null while it does. */
    public @Nullable String failure() {
        return failure;
    }

    /** How many blocks are committed. */
    public long number() {
        return committedNumber;
    }

    /** How long the file is, in bytes, with all blocks that are committed. */
    public long end() {
        return committedEnd;
    }

    /** How many producers have delivered something. */
    public int producerCount() {
        return producers.size();
    }

    /**
     * Finds a producer.
     *
     * @param name user and producer.
     * @return what it has delivered, or null when it has delivered nothing yet.
     */
    public @Nullable Producer find(final String name) {
        return producers.get(name);
    }

    /**
     * Whether a block would make the file longer than it may be.
     *
     * @param length of the block in bytes.
     * @return true when there is no room for it.
     */
    public boolean isFull(final int length) {
        return settings.lengthMax() > 0 && position + length > settings.lengthMax();
    }

    /**
     * Writes a part of the block that is under way.
     *
     * @param piece direct buffer; its position moves to its limit.
     * @throws IOException when the disk has no room or fails; {@link #rollBack()} follows.
     */
    public void write(final ByteBuffer piece) throws IOException {
        final int length = piece.remaining();
        writtenEnd = Math.max(writtenEnd, position + length);
        file.write(piece, position);
        position += length;
    }

    /** What was written since the last block is none. */
    public void drop() {
        position = end;
    }

    /**
     * What was written since the last block is a block.
     *
     * @param name     user and producer.
     * @param blockId  that the producer gave.
     * @param checksum CRC32C of the block.
     * @return its number.
     */
    public long keep(final String name, final long blockId, final int checksum) {
        final Producer producer = producers.computeIfAbsent(name, Producer::new);
        producer.add(blockId);
        kept.add(new Kept(producer, blockId, end, (int) (position - end), checksum));
        end = position;
        return ++number;
    }

    /** How many blocks are to be committed. */
    public int keptCount() {
        return kept.size();
    }

    /** Where the next block begins. */
    public long position() {
        return end;
    }

    /**
     * Makes what was kept last: when this returns it is stored.
     *
     * @throws IOException when the disk has no room or fails; {@link #rollBack()} follows, and nothing of it is stored.
     */
    public void commit() throws IOException {
        if (writtenEnd > end) {
            file.truncate(end);
            writtenEnd = end;
        }
        if (kept.isEmpty()) {
            return;
        }
        final int length = putRecords(clock.nanoTime());
        makeRoom(length);
        if (settings.isSynced()) {
            // What the index has is there: a block of it that is not was lost since.
            sync(file);
        }
        isIndexTouched = true;
        index.write(records.clear().limit(length), indexEnd);
        if (settings.isSynced()) {
            sync(index);
        }
        indexEnd += length;
        isIndexTouched = false;
        committedNumber = number;
        committedEnd = end;
        kept.clear();
    }

    /** Writes zeros ahead in the index, on stable storage. */
    private void makeRoom(final int needed) throws IOException {
        if (indexEnd + needed + IndexRecord.ZEROS_MIN > indexLength) {
            final long newLength = BitUtil.align(indexEnd + needed, IndexRecord.ROOM_STEP) + IndexRecord.ROOM_STEP;
            writeZeros(index, indexLength, newLength);
            sync(index);
            indexLength = newLength;
        }
    }

    static void writeZeros(final StoredFile index, final long from, final long to) throws IOException {
        if (from < to) {
            final ByteBuffer zeros = ByteBuffer.allocateDirect(IndexRecord.ROOM_STEP);
            try {
                for (long at = from; at < to; at += zeros.capacity()) {
                    index.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
                }
            } finally {
                BufferUtil.free(zeros);
            }
        }
    }

    private int putRecords(final long timeNs) {
        int length = 0;
        for (int i = 0; i < kept.size(); i++) {
            final Kept each = kept.get(i);
            length += IndexRecord.write(
                    recordBuffer,
                    records,
                    length,
                    IndexRecord.TYPE_BLOCK,
                    committedNumber + 1 + i,
                    committedNumber,
                    each.offset,
                    each.blockId,
                    timeNs,
                    each.length,
                    each.checksum,
                    each.producer.nameBytes());
        }
        return length;
    }

    /** After a failed sync nobody can say what is on the disk. */
    private void sync(final StoredFile synced) throws IOException {
        try {
            synced.sync();
        } catch (final IOException e) {
            fail(e);
            throw e;
        }
    }

    /** Takes everything back that is not committed. When that fails too, the sink takes nothing any more. */
    public void rollBack() {
        for (final Kept each : kept) {
            each.producer.remove(each.blockId);
        }
        kept.clear();
        number = committedNumber;
        end = committedEnd;
        position = end;
        if (failure == null) {
            try {
                // What the index has is in the file at every moment, also when this is cut off in between.
                if (clearIndex() && settings.isSynced()) {
                    sync(index);
                }
                if (file.length() > end) {
                    file.truncate(end);
                }
                writtenEnd = end;
            } catch (final IOException e) {
                fail(e);
            }
        }
        if (failure != null) {
            clearFailedIndex();
        }
    }

    /** Returns false when there was nothing to clear among its records. */
    private boolean clearIndex() throws IOException {
        if (index.length() > indexLength) {
            index.truncate(indexLength);
        }
        if (!isIndexTouched) {
            return false;
        }
        writeZeros(index, indexEnd, Math.min(indexLength, indexEnd + records.capacity()));
        isIndexTouched = false;
        return true;
    }

    /** What was refused is not to come back at the next start; on a disk that has failed it may, all the same. */
    private void clearFailedIndex() {
        try {
            clearIndex();
        } catch (final IOException ignored) {
            // The failure has been told already.
        }
    }

    private void fail(final IOException cause) {
        failure = "its disk has failed: " + cause.getMessage() + " (mend the disk, restart the broker)";
    }

    /** Whether the index does not say yet that the last blocks are stored for good. */
    public boolean isMarkDue() {
        return failure == null && markedNumber < committedNumber;
    }

    /**
     * Notes in the index that all blocks are stored for good, so that damage to the last ones is never taken for something
     * that was being written. For times without anything better to do.
     *
     * @throws IOException when the disk has no room or fails; nothing is lost by that.
     */
    public void mark() throws IOException {
        markedNumber = committedNumber;
        final int length = IndexRecord.write(
                recordBuffer,
                records,
                0,
                IndexRecord.TYPE_MARK,
                committedNumber,
                committedNumber,
                committedEnd,
                0,
                clock.nanoTime(),
                0,
                0,
                new byte[0]);
        makeRoom(length);
        index.write(records.clear().limit(length), indexEnd);
        indexEnd += length;
    }

    @Override
    public void close() throws IOException {
        try (StoredFile closedFile = file;
                StoredFile closedIndex = index) {
            if (isMarkDue()) {
                mark();
                if (settings.isSynced()) {
                    closedIndex.sync();
                }
            }
            if (failure == null && writtenEnd > committedEnd) {
                closedFile.truncate(committedEnd);
            }
        } finally {
            BufferUtil.free(records);
        }
    }
}
