package io.penstock.simulator;

import io.penstock.simulator.Reached.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The logs of all shards, including removed files: the records of each file are read before it is removed. */
final class ModelLogs {
    /** So many snapshots have to be there before a file may go, and have all of its records. */
    private static final int SNAPSHOT_COUNT = 2;

    private final SimDisk disk;
    private final boolean hasArchive;
    private final List<List<ModelLog.Entry>> gone = new ArrayList<>();
    private final List<List<ModelLog.Entry>> before = new ArrayList<>();

    /** A file was removed that may not be. */
    private @Nullable String problem;

    ModelLogs(final SimDisk disk, final int shardCount, final boolean hasArchive) {
        this.disk = disk;
        this.hasArchive = hasArchive;
        for (int shard = 0; shard < shardCount; shard++) {
            gone.add(new ArrayList<>());
            before.add(List.of());
        }
    }

    static String directory(final int shard) {
        return World.DIRECTORY + "/shard-" + shard;
    }

    private static String archive(final int shard) {
        return World.ARCHIVE + "/shard-" + shard;
    }

    /** The logs as they are seen now, by their shards. */
    List<ModelLog> read() {
        final List<ModelLog> logs = new ArrayList<>();
        for (int shard = 0; shard < gone.size(); shard++) {
            final ModelLog log = ModelLog.read(disk.directory(directory(shard)), gone.get(shard), before.get(shard));
            if (log.firstSequence > gone.get(shard).size() + 1L) {
                log.problem = "records before " + log.firstSequence + " are gone, and nobody knows why";
            }
            if (log.problem == null) {
                before.set(shard, log.entries);
            }
            logs.add(log);
        }
        return logs;
    }

    /** The first sequence that files of a shard have now. */
    long firstSequence(final int shard) {
        for (final String name : disk.directory(directory(shard)).entries.keySet()) {
            if (ModelLog.isLog(name)) {
                return ModelLog.firstSequence(name);
            }
        }
        return 1;
    }

    /** The first sequence that a broker may say that its log has: a file that is being moved does not count. */
    long firstSequenceMax(final int shard) {
        final Set<String> archived = disk.directory(archive(shard)).entries.keySet();
        for (final String name : disk.directory(directory(shard)).entries.keySet()) {
            if (ModelLog.isLog(name) && !archived.contains(name) && !archived.contains(name.replace(".log", ".idx"))) {
                return ModelLog.firstSequence(name);
            }
        }
        return 1;
    }

    /** The broker removes a file, or uses it for something else. */
    void onRemove(final SimDisk.Directory directory, final String name, final SimFile file) {
        for (int shard = 0; shard < gone.size(); shard++) {
            if (ModelLog.isLog(name) && directory.path.equals(directory(shard))) {
                onRemove(shard, directory, name, file);
            }
        }
    }

    private void onRemove(final int shard, final SimDisk.Directory directory, final String name, final SimFile file) {
        final List<ModelLog.Entry> known = gone.get(shard);
        final List<ModelLog.Entry> records = ModelLog.read(name, file, before.get(shard));
        for (final ModelLog.Entry entry : records) {
            if (entry.sequence() == known.size() + 1L) {
                known.add(entry);
            }
        }
        final long last = records.isEmpty()
                ? ModelLog.firstSequence(name) - 1
                : records.get(records.size() - 1).sequence();
        final long covering = ModelSnapshot.sequences(directory).stream()
                .filter(sequence -> sequence >= last)
                .count();
        if (covering < SNAPSHOT_COUNT) {
            problem = directory.path + "/" + name + " is removed, and " + covering + " snapshots have all of it";
        } else if (firstSequence(shard) != ModelLog.firstSequence(name)) {
            problem = directory.path + "/" + name + " is removed before an older one";
        } else if (hasArchive && !isArchived(shard, name, file)) {
            problem = directory.path + "/" + name + " is removed, and not in the archive";
        }
        disk.reached.add(hasArchive ? State.FILE_ARCHIVED : State.FILE_REMOVED);
    }

    private boolean isArchived(final int shard, final String name, final SimFile file) {
        final SimFile copy = disk.directory(archive(shard)).entries.get(name);
        return copy != null
                && copy.isSynced()
                && Arrays.equals(copy.bytes(), 0, copy.length(), file.bytes(), 0, file.length());
    }

    /** Throws when a file was removed that may not be. */
    void check() {
        if (problem != null) {
            throw new Violation(problem);
        }
    }
}
