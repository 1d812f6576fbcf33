package io.penstock.broker.sink;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import io.penstock.file.FileErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.EpochNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of a sink and makes them end with the last stored block: it cuts off writes that a broker or its
 * machine did not finish. A block that is in the index but not in the file is damage, and nothing is changed then: a
 * block gets into the index when the file is on stable storage. Where the system decides the order of writes, the last
 * blocks are cut off if they are not whole.
 */
final class SinkRecovery {
    private static final int PIECE_LENGTH = 1024 * 1024;

    private final Storage storage;
    private final SinkSettings settings;
    private final Map<String, Producer> producers = new HashMap<>();

    /** Blocks whose records do not say yet that they are settled, and where their records begin. */
    private final ArrayDeque<Unsettled> unsettled = new ArrayDeque<>();

    private long settled;
    private long number;
    private long end;
    private long indexEnd = IndexRecord.HEAD_LENGTH;
    private long indexLength;
    private boolean hasZeros;
    private @Nullable IndexEntry first;
    private @Nullable IndexEntry last;

    private record Unsettled(IndexEntry entry, long position) {}

    /**
     * The result of the recovery.
     *
     * @param file      of the blocks, cut.
     * @param index     cut.
     * @param producers by their names.
     * @param number    of the last block.
     * @param end       of the file.
     * @param indexEnd  end of the index's records.
     * @param indexLength  end of the zeros after them.
     */
    record Recovered(
            StoredFile file,
            StoredFile index,
            Map<String, Producer> producers,
            long number,
            long end,
            long indexEnd,
            long indexLength) {}

    SinkRecovery(final Storage storage, final SinkSettings settings) {
        this.storage = storage;
        this.settings = settings;
    }

    Recovered run(final EpochNanoClock clock) throws IOException {
        final boolean hasFile = storage.exists(settings.file());
        if (!storage.exists(settings.index())) {
            if (hasFile) {
                try (StoredFile file = storage.open(settings.file(), false)) {
                    if (file.length() > 0) {
                        throw damaged(settings.file(), "is there without its index " + settings.index());
                    }
                }
            }
            makeIndex(clock);
        }
        final StoredFile index = open(settings.index(), true);
        StoredFile file = null;
        boolean isDone = false;
        try {
            file = open(settings.file(), hasFile);
            readIndex(index);
            check(file);
            clear(index);
            cut(file, index);
            isDone = true;
            return new Recovered(file, index, producers, number, end, indexEnd, indexLength);
        } finally {
            if (!isDone) {
                index.close();
                if (file != null) {
                    file.close();
                }
            }
        }
    }

    private StoredFile open(final String name, final boolean isThere) throws IOException {
        try {
            return isThere ? storage.open(name, true) : storage.create(name);
        } catch (final IOException e) {
            final Path path = Path.of(storage.path(name));
            final String reason =
                    FileErrors.reasonOf(FileErrors.explained(path, e)).replace(path + ": ", "");
            throw new IOException(
                    "sinks: " + settings.name() + ": " + path + ": cannot be opened: " + reason
                            + (reason.endsWith(")") ? "" : " (see that it is a file, and its disk is good)"),
                    e);
        }
    }

    /** Under another name first: an index that has its name has its head. */
    private void makeIndex(final EpochNanoClock clock) throws IOException {
        final String making = settings.index() + ".new";
        if (storage.exists(making)) {
            storage.delete(making);
        }
        try (StoredFile index = storage.create(making)) {
            index.write(IndexRecord.newHead(clock.nanoTime()), 0);
            SinkIndex.writeZeros(index, IndexRecord.HEAD_LENGTH, IndexRecord.ROOM_STEP);
            index.sync();
        }
        storage.rename(making, settings.index());
        storage.sync();
    }

    private void readIndex(final StoredFile index) throws IOException {
        try (IndexReader reader = new IndexReader(index, storage.path(settings.index()))) {
            long position = reader.position();
            IndexEntry entry;
            while ((entry = reader.next()) != null) {
                onEntry(entry, position);
                position = reader.position();
            }
            indexEnd = position;
            indexLength = index.length();
            hasZeros = reader.hasZeros();
            if (reader.isCutOff()) {
                throw damaged(settings.index(), "is cut off at byte " + indexLength);
            }
            if (reader.isDamaged()) {
                throw damaged(
                        settings.index(),
                        "is damaged at byte " + indexEnd + ", the record of block " + (number + 1)
                                + ", which was stored for good");
            }
        }
    }

    private void onEntry(final IndexEntry entry, final long position) {
        settled = Math.max(settled, Math.min(entry.settled(), entry.number()));
        while (!unsettled.isEmpty() && unsettled.element().entry().number() <= settled) {
            unsettled.remove();
        }
        if (entry.isBlock()) {
            if (entry.number() > settled) {
                unsettled.add(new Unsettled(entry, position));
            }
            first = first == null ? entry : first;
            last = entry;
            number = entry.number();
            end = entry.end();
            producers.computeIfAbsent(entry.name(), Producer::new).add(entry.blockId());
        }
    }

    private void check(final StoredFile file) throws IOException {
        final long settledEnd =
                unsettled.isEmpty() ? end : unsettled.element().entry().offset();
        if (file.length() < settledEnd) {
            throw damaged(
                    settings.file(),
                    "ends at byte " + file.length() + ", and has blocks that were stored for good up to " + settledEnd);
        }
        final AlignedBuffer piece = new AlignedBuffer(PIECE_LENGTH);
        try {
            checkOwn(file, first, piece);
            for (final Unsettled each : unsettled) {
                final IndexEntry entry = each.entry();
                if (!isWhole(file, entry, piece)) {
                    if (settings.isSynced() && hasZeros) {
                        throw damaged(
                                settings.file(),
                                "does not have block " + entry.number() + " at byte " + entry.offset()
                                        + ", which its index has");
                    }
                    cutBefore(each);
                    return;
                }
            }
            checkOwn(file, last, piece);
        } finally {
            piece.free();
        }
    }

    /** The first and the last block that were stored for good show whether the file is another sink's. */
    private void checkOwn(final StoredFile file, final @Nullable IndexEntry entry, final AlignedBuffer piece)
            throws IOException {
        if (entry != null && entry.number() <= settled && !isWhole(file, entry, piece)) {
            throw damaged(
                    settings.file(),
                    "does not have block " + entry.number() + " of its index at byte " + entry.offset());
        }
    }

    private static boolean isWhole(final StoredFile file, final IndexEntry entry, final AlignedBuffer piece)
            throws IOException {
        return IndexReader.checksumOf(file, entry.offset(), entry.length(), piece.bytes())
                == Integer.toUnsignedLong(entry.checksum());
    }

    /** From a block on nothing counts: nobody was notified that it is stored. */
    private void cutBefore(final Unsettled first) {
        boolean isGone = false;
        for (final Unsettled each : unsettled) {
            isGone |= each.equals(first);
            if (isGone) {
                final Producer producer = producers.get(each.entry().name());
                if (producer != null) {
                    producer.remove(each.entry().blockId());
                }
            }
        }
        number = first.entry().number() - 1;
        end = first.entry().offset();
        indexEnd = first.position();
    }

    private void cut(final StoredFile file, final StoredFile index) throws IOException {
        if (file.length() > end) {
            file.truncate(end);
        }
        if (settings.isSynced()) {
            file.sync();
            index.sync();
            storage.sync();
        }
    }

    /**
     * Behind the last record are zeros; an index of the version before gets them, and then a head that says so. They are on
     * stable storage before the file is cut and before there is a new record, behind which an old one would count again.
     */
    private void clear(final StoredFile index) throws IOException {
        if (hasZeros) {
            if (!isClear(index)) {
                SinkIndex.writeZeros(index, indexEnd, indexLength);
                index.sync();
            }
            return;
        }
        index.truncate(indexEnd);
        indexLength = indexEnd + IndexRecord.ROOM_STEP;
        SinkIndex.writeZeros(index, indexEnd, indexLength);
        index.sync();
        final AlignedBuffer head = new AlignedBuffer(IndexRecord.HEAD_LENGTH);
        try {
            index.read(head.bytes().clear().limit(IndexRecord.HEAD_LENGTH), 0);
            index.write(IndexRecord.putVersion(head.bytes().clear()).limit(IndexRecord.HEAD_LENGTH), 0);
            index.sync();
        } finally {
            head.free();
        }
    }

    /** Whether there is nothing but zeros after the last record. */
    private boolean isClear(final StoredFile index) throws IOException {
        final AlignedBuffer piece = new AlignedBuffer(PIECE_LENGTH);
        try {
            for (long at = indexEnd; at < indexLength; at += piece.capacity()) {
                final int read = index.read(piece.bytes().clear(), at);
                for (int i = 0; i < read; i++) {
                    if (piece.bytes().get(i) != 0) {
                        return false;
                    }
                }
            }
            return true;
        } finally {
            piece.free();
        }
    }

    private SinkDamagedException damaged(final String name, final String what) {
        return new SinkDamagedException("sinks: " + settings.name() + ": " + storage.path(name) + " " + what
                + " (bring back a copy of both files, or see what is whole with 'penstock sink verify' and"
                + " move both away)");
    }
}
