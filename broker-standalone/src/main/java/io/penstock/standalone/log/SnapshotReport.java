package io.penstock.standalone.log;

import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The results of reading all snapshots of a shard.
 *
 * @param good   sequences of those that are what was written, the newest first.
 * @param damage what is wrong, for people, each with its file.
 */
record SnapshotReport(List<Long> good, List<String> damage) {
    /**
     * Reads the snapshots.
     *
     * @param first record of the log before they are read; 0 when there is none.
     */
    static SnapshotReport of(final ShardLog log, final long first) throws IOException {
        final List<Long> good = new ArrayList<>();
        final List<String> damage = new ArrayList<>();
        for (final long sequence : log.snapshots()) {
            try (SnapshotReader snapshot = log.snapshot(sequence)) {
                snapshot.readAll();
                good.add(sequence);
            } catch (final SnapshotCorruptException e) {
                damage.add(String.valueOf(e.getMessage()));
            } catch (final NoSuchFileException e) {
                // A broker has taken newer ones meanwhile.
            }
        }
        final long after = log.beginsAfter();
        if (after > 0 && good.stream().noneMatch(sequence -> sequence >= after)) {
            damage.add(StateSource.noBeginning(log, first));
        }
        if (first == 0 && !good.isEmpty()) {
            damage.add(log.path() + ": there are snapshots, and no file of the log (restore them from a copy)");
        }
        return new SnapshotReport(List.copyOf(good), List.copyOf(damage));
    }

    /** Lines for people; none when there is no snapshot and nothing is wrong. */
    List<String> text(final int shard) {
        final List<String> lines = new ArrayList<>();
        if (!good.isEmpty()) {
            lines.add("shard " + shard + ": good snapshots at "
                    + good.stream().map(String::valueOf).collect(Collectors.joining(" and ")));
        }
        for (final String each : damage) {
            lines.add("shard " + shard + ": " + each);
        }
        return lines;
    }

    /** Adds to an object. */
    Json json(final Json to) {
        final Json json = to.field("snapshots", good.size());
        return damage.isEmpty() ? json : json.field("snapshotDamage", String.join("; ", damage));
    }
}
