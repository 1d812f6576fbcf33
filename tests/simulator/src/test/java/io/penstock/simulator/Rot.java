package io.penstock.simulator;

import io.penstock.broker.Broker;
import io.penstock.simulator.Reached.State;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Changes a bit of what is on the disk while no broker runs, or takes a file away. What was said to be on stable storage has to be missed: the
 * broker names the file and does not start, or starts from an older snapshot when it was one of these.
 */
final class Rot {
    private static final int HEAD_LENGTH = 48;
    private static final int COMMIT_LENGTH = 48;

    private final World world;
    private final Checks checks;
    private final SplittableRandom random;
    private final Reached reached;
    private final SimDisk disk;

    Rot(final World world, final Checks checks) {
        this.world = world;
        this.checks = checks;
        random = world.random;
        reached = world.reached;
        disk = world.disk;
    }

    /** Does it somewhere in the files of one shard. */
    void strike() {
        final int shard = random.nextInt(world.shardCount);
        final ModelLog log = checks.found().get(shard);
        switch (random.nextInt(7)) {
            case 0, 1 -> record(shard, log);
            case 2 -> commit(shard, log);
            case 3 -> head(shard);
            case 4 -> missing(shard, log);
            default -> snapshots(shard, log);
        }
    }

    private void record(final int shard, final ModelLog log) {
        final int first = (int) Math.max(1, log.firstSequence);
        final int last = (int) Math.max(log.durable, log.ended);
        if (last >= first) {
            // As often as not one that nothing was written after.
            final int least = random.nextBoolean() ? first : Math.max(first, last - 20);
            final ModelLog.Entry entry = log.entries.get(least - 1 + random.nextInt(last - least + 1));
            reached.add(State.LAST_GROUP_DAMAGED, entry.sequence() > log.stated ? 1 : 0);
            final int length = 8 * (48 + entry.message().length());
            log(shard, entry.file(), entry.position(), random.nextInt(length), entry.sequence());
        }
    }

    private void commit(final int shard, final ModelLog log) {
        if (!log.commits.isEmpty()) {
            final int last = log.commits.size() - 1;
            final ModelLog.Commit commit = log.commits.get(random.nextInt(4) == 0 ? last : random.nextInt(last + 1));
            if (log(shard, commit.file(), commit.position(), random.nextInt(8 * COMMIT_LENGTH), commit.next())) {
                reached.add(State.COMMIT_DAMAGED);
            }
        }
    }

    private void head(final int shard) {
        final List<String> files = disk.directory(ModelLogs.directory(shard)).entries.keySet().stream()
                .filter(ModelLog::isLog)
                .toList();
        if (!files.isEmpty()) {
            final int index = random.nextInt(files.size());
            final long last =
                    index == files.size() - 1 ? Long.MAX_VALUE : ModelLog.firstSequence(files.get(index + 1)) - 1;
            log(shard, files.get(index), 0, random.nextInt(8 * HEAD_LENGTH), last);
            reached.add(State.HEAD_DAMAGED);
        }
    }

    /** Takes a file of the log away, or all of them. A broker that has started once has noted what there has to be. */
    private void missing(final int shard, final ModelLog log) {
        final SimDisk.Directory directory = disk.directory(ModelLogs.directory(shard));
        final List<String> files =
                directory.entries.keySet().stream().filter(ModelLog::isLog).toList();
        if (!checks.hasStarted() || files.isEmpty()) {
            return;
        }
        final int first = random.nextInt(files.size());
        final int count = random.nextInt(3) == 0 ? files.size() - first : 1;
        final boolean isOld = ModelLog.firstSequence(files.get(first)) < ModelManifest.first(disk, shard);
        final boolean isUnused = first == files.size() - 1 && log.end == ModelLog.RECORDS_OFFSET;
        final Map<String, Map<String, byte[]>> copy = disk.copy();
        files.subList(first, first + count).forEach(directory::remove);
        world.trace.add("files are missing", first, count);
        reached.add(State.FILE_MISSING, count);
        reached.add(State.NEWEST_FILE_MISSING, first + count == files.size() ? 1 : 0);
        reached.add(State.LOG_MISSING, count == files.size() ? 1 : 0);
        // One that is on its way out, or that nothing was written to yet, need not be missed.
        if (!isNamed(directory.path) && !(count == 1 && (isOld || isUnused))) {
            throw new Violation("the broker has started without " + files.subList(first, first + count));
        }
        disk.restore(copy);
    }

    /**
     * Changes a bit of the log, checks how a broker handles it, and changes it back.
     *
     * @param sequence of a record that is missing then: when no snapshot has it, a broker needs the changed bytes.
     * @return whether the files show that something is missing.
     */
    private boolean log(final int shard, final String name, final int position, final int bit, final long sequence) {
        final Map<String, Map<String, byte[]>> copy = disk.copy();
        final SimDisk.Directory directory = disk.directory(ModelLogs.directory(shard));
        final SimFile file = directory.entries.get(name);
        if (file == null) {
            throw new IllegalStateException(name);
        }
        file.flip(position + bit / 8, bit % 8);
        final ModelLog damaged = world.logs.read().get(shard);
        if (damaged.problem == null) {
            // Nothing is missing, or nothing says that it was on stable storage: it may as well be a torn tail.
            final ModelLog found = checks.found().get(shard);
            if (damaged.lastSequence() < Math.max(found.stated, found.ended)) {
                throw new IllegalStateException("the model misses nothing: " + sequence);
            }
            reached.add(State.DAMAGE_LIKE_TORN_TAIL);
            disk.restore(copy);
            return false;
        }
        reached.add(State.BIT_FLIPPED);
        world.trace.add("bit flipped before record", sequence, bit);
        final boolean isNamed = isNamed(name);
        final List<Long> snapshots = ModelSnapshot.sequences(directory);
        if (!isNamed && (snapshots.isEmpty() || sequence > snapshots.get(snapshots.size() - 1))) {
            throw new Violation("the broker has started with a changed bit in record " + sequence);
        }
        reached.add(isNamed ? State.DAMAGE_NAMED : State.DAMAGE_BEFORE_SNAPSHOT);
        disk.restore(copy);
        return true;
    }

    /** Changes a bit of the newest snapshot, or of all. */
    private void snapshots(final int shard, final ModelLog log) {
        final SimDisk.Directory directory = disk.directory(ModelLogs.directory(shard));
        final List<Long> present = ModelSnapshot.sequences(directory);
        if (present.isEmpty()) {
            return;
        }
        final Map<String, Map<String, byte[]>> copy = disk.copy();
        final int count = random.nextInt(3) == 0 ? present.size() : 1;
        for (int i = present.size() - count; i < present.size(); i++) {
            final SimFile file = directory.entries.get(ModelSnapshot.name(present.get(i)));
            if (file != null) {
                final int bit = random.nextInt(8 * file.length());
                file.flip(bit / 8, bit % 8);
                checks.snapshots().onRotten(shard, present.get(i));
                world.trace.add("bit flipped in snapshot", present.get(i), bit);
            }
        }
        reached.add(State.SNAPSHOT_DAMAGED);
        if (count < present.size() || log.firstSequence <= 1) {
            // The broker has to come to the same state without it: that is for the checks after its start.
            return;
        }
        if (!isNamed("no snapshot")) {
            throw new Violation(
                    "the broker has started without a snapshot, on a log that begins with record " + log.firstSequence);
        }
        reached.add(State.NO_SNAPSHOT_NAMED);
        disk.restore(copy);
    }

    /** Whether a broker does not start, and says why. */
    private boolean isNamed(final String why) {
        final Life life = new Life();
        try (Broker started = world.launch(life)) {
            world.trace.add("started", 0, started.counter("lastSequence"));
            life.end();
            return false;
        } catch (final UncheckedIOException | IllegalStateException e) {
            if (!String.valueOf(e.getMessage()).contains(why)) {
                throw new Violation("the broker does not name " + why + ": " + e.getMessage(), e);
            }
            return true;
        } finally {
            life.end();
            world.network.cutAll();
        }
    }
}
