package io.penstock.broker.sink;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.EpochNanoClock;

/**
 * Opens the files of a sink and makes them end with the last block that was stored: what was being written when a broker
 * or its machine died is cut off. Blocks that an index says were stored for good, and that are not there, are damage, and
 * nothing is changed then.
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

    private record Unsettled(IndexEntry entry, long position) {}

    /**
     * What was found.
     *
     * @param file      of the blocks, cut.
     * @param index     cut.
     * @param producers by their names.
     * @param number    of the last block.
     * @param end       of the file.
     * @param indexEnd  end of the index.
     */
    record Recovered(
            StoredFile file, StoredFile index, Map<String, Producer> producers, long number, long end, long indexEnd) {}

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
        final StoredFile index = storage.open(settings.index(), true);
        StoredFile file = null;
        boolean isDone = false;
        try {
            file = hasFile ? storage.open(settings.file(), true) : storage.create(settings.file());
            readIndex(index);
            check(file);
            cut(file, index);
            isDone = true;
            return new Recovered(file, index, producers, number, end, indexEnd);
        } finally {
            if (!isDone) {
                index.close();
                if (file != null) {
                    file.close();
                }
            }
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
            for (final Unsettled each : unsettled) {
                final IndexEntry entry = each.entry();
                if (IndexReader.checksumOf(file, entry.offset(), entry.length(), piece.bytes())
                        != Integer.toUnsignedLong(entry.checksum())) {
                    cutBefore(each);
                    return;
                }
            }
        } finally {
            piece.free();
        }
    }

    /** From a block on nothing counts: nobody was told that it is stored. */
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
        if (index.length() > indexEnd) {
            index.truncate(indexEnd);
        }
        if (settings.isSynced()) {
            file.sync();
            index.sync();
            storage.sync();
        }
    }

    private SinkDamagedException damaged(final String name, final String what) {
        return new SinkDamagedException("sinks: " + settings.name() + ": " + storage.path(name) + " " + what
                + " (see what is whole with 'penstock sink verify', then move file and index away)");
    }
}
