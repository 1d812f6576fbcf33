package io.penstock.broker.sink;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.EpochNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * One sink: the file, its index, and its producers. Blocks are written one after another, kept or dropped when they are
 * whole, and committed some at a time; nobody sees uncommitted blocks. Owned by the sink agent.
 */
public final class SinkFile implements AutoCloseable {
    /** Most blocks between two commits. */
    public static final int BATCH_COUNT_MAX = 256;

    private final List<Kept> kept = new ArrayList<>();
    private final SinkSettings settings;
    private final EpochNanoClock clock;
    private final StoredFile file;
    private final SinkIndex index;
    private final Map<String, Producer> producers;
    private long number;
    private long end;
    private long position;
    private long writtenEnd;
    private long committedNumber;
    private long committedEnd;
    private long markedNumber;
    private @Nullable String failure;

    private record Kept(Producer producer, long blockId, StoredBlock block) {}

    private SinkFile(final SinkSettings settings, final EpochNanoClock clock, final SinkRecovery.Recovered recovered) {
        this.settings = settings;
        this.clock = clock;
        file = recovered.file();
        index = new SinkIndex(recovered.index(), recovered.indexEnd(), recovered.indexLength());
        producers = recovered.producers();
        number = recovered.number();
        end = recovered.end();
        position = end;
        writtenEnd = end;
        committedNumber = number;
        committedEnd = end;
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

    /** Drops the bytes written since the last block. */
    public void drop() {
        position = end;
    }

    /**
     * Makes the bytes written since the last block a block.
     *
     * @param name     user and producer.
     * @param blockId  that the producer gave.
     * @param checksum CRC32C of the block.
     * @return its number.
     */
    public long keep(final String name, final long blockId, final int checksum) {
        final Producer producer = producers.computeIfAbsent(name, Producer::new);
        producer.add(blockId);
        kept.add(new Kept(producer, blockId, new StoredBlock(end, (int) (position - end), checksum)));
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
        putRecords(clock.nanoTime());
        makeRoom();
        if (settings.isSynced()) {
            // The file has all blocks of the index: a block of the index that is missing was lost later.
            syncFile();
        }
        index.appendOrClear();
        if (settings.isSynced()) {
            syncIndex();
        }
        index.onAppended();
        committedNumber = number;
        committedEnd = end;
        kept.clear();
    }

    /** Has zeros ahead in the index, on stable storage. */
    private void makeRoom() throws IOException {
        final long extended = index.extend();
        if (extended > 0) {
            syncIndex();
            index.onExtended(extended);
        }
    }

    private void putRecords(final long timeNs) {
        index.begin();
        for (int i = 0; i < kept.size(); i++) {
            final Kept each = kept.get(i);
            index.put(
                    IndexRecord.TYPE_BLOCK,
                    committedNumber + 1 + i,
                    committedNumber,
                    each.block,
                    each.blockId,
                    timeNs,
                    each.producer.nameBytes());
        }
    }

    private void syncFile() throws IOException {
        try {
            file.sync();
        } catch (final IOException e) {
            throw failed(e);
        }
    }

    private void syncIndex() throws IOException {
        try {
            index.sync();
        } catch (final IOException e) {
            throw failed(e);
        }
    }

    /** After a failed sync nobody can say what is on the disk. */
    private IOException failed(final IOException cause) {
        fail(cause);
        return cause;
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
                // The file always contains all blocks of the index, even if this is interrupted in between.
                if (index.clear() && settings.isSynced()) {
                    syncIndex();
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

    /** Refused blocks must not come back at the next start; on a failed disk they may nevertheless. */
    private void clearFailedIndex() {
        try {
            index.clear();
        } catch (final IOException ignored) {
            // The failure has been reported already.
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
     * Notes in the index that all blocks are stored for good, so that damage to the last ones is never taken for an
     * unfinished write. Called when there is nothing better to do.
     *
     * @throws IOException when the disk has no room or fails; nothing is lost by that.
     */
    public void mark() throws IOException {
        markedNumber = committedNumber;
        index.begin();
        index.put(
                IndexRecord.TYPE_MARK,
                committedNumber,
                committedNumber,
                new StoredBlock(committedEnd, 0, 0),
                0,
                clock.nanoTime(),
                new byte[0]);
        makeRoom();
        index.append();
        index.onAppended();
    }

    @Override
    public void close() throws IOException {
        try (StoredFile closedFile = file;
                SinkIndex closedIndex = index) {
            if (isMarkDue()) {
                mark();
                if (settings.isSynced()) {
                    closedIndex.sync();
                }
            }
            if (failure == null && writtenEnd > committedEnd) {
                closedFile.truncate(committedEnd);
            }
        }
    }
}
