package io.penstock.simulator;

import io.penstock.broker.storage.Storage;
import io.penstock.simulator.Reached.State;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A disk: synced data is there after a power cut; any part of the other data may be. It fails, gets full and stops the
 * broker on demand.
 */
final class SimDisk {
    final Reached reached;

    /** Notified of files that are about to lose their names. */
    RemoveListener removeListener = (directory, name, file) -> {};

    private final SplittableRandom random;
    private final Trace trace;
    private final Map<String, Directory> directories = new TreeMap<>();
    private long capacity = Long.MAX_VALUE;
    private long operationCount;
    private long crashAt = Long.MAX_VALUE;
    private int syncsToFailure = -1;
    private int writesToFailure = -1;
    private boolean failed;
    private int mendedCount;

    /** Notified of files that are about to lose their names. */
    @FunctionalInterface
    interface RemoveListener {
        void onRemove(Directory directory, String name, SimFile file);
    }

    /** The entries of a directory, and what was done to them since they were synced last. */
    static final class Directory {
        final String path;
        final Map<String, SimFile> entries = new TreeMap<>();
        private final Map<String, SimFile> stored = new TreeMap<>();
        private final ArrayDeque<Change> unsynced = new ArrayDeque<>();

        private Directory(final String path) {
            this.path = path;
        }

        private record Change(
                String name,
                @Nullable SimFile file,
                @Nullable String former) {}

        void put(final String name, final SimFile file, final @Nullable String former) {
            change(new Change(name, file, former));
        }

        void remove(final String name) {
            change(new Change(name, null, null));
        }

        private void change(final Change change) {
            unsynced.add(change);
            apply(entries, change);
        }

        void sync() {
            for (final Change change : unsynced) {
                apply(stored, change);
            }
            unsynced.clear();
        }

        private static void apply(final Map<String, SimFile> target, final Change change) {
            if (change.former != null) {
                target.remove(change.former);
            }
            if (change.file == null) {
                target.remove(change.name);
            } else {
                target.put(change.name, change.file);
            }
        }

        private void loseUnsynced(final SplittableRandom random, final Reached reached) {
            final int kept = random.nextInt(unsynced.size() + 1);
            reached.add(State.DIRECTORY_CHANGE_LOST, unsynced.size() - kept);
            for (int i = 0; i < kept; i++) {
                apply(stored, unsynced.remove());
            }
            unsynced.clear();
            entries.clear();
            entries.putAll(stored);
        }
    }

    SimDisk(final SplittableRandom random, final Trace trace, final Reached reached) {
        this.random = random;
        this.trace = trace;
        this.reached = reached;
    }

    /** The disk for one run of a broker. */
    Storage open(final Life life, final String path) {
        return new SimStorage(this, life, directory(path));
    }

    Directory directory(final String path) {
        return directories.computeIfAbsent(path, Directory::new);
    }

    /** Ends the broker at the nth operation from now. */
    void crashAfter(final int operations) {
        crashAt = operationCount + operations;
    }

    /** Lets the nth sync from now fail, and everything after it. */
    void failSyncAfter(final int syncs) {
        syncsToFailure = syncs;
    }

    /** Lets the nth write from now fail, and everything after it. */
    void failWriteAfter(final int writes) {
        writesToFailure = writes;
    }

    /** Whether a sync or a write has failed since the disk was mended. */
    boolean hasFailed() {
        return failed;
    }

    /** How often it had failed and was mended. */
    int mendedCount() {
        return mendedCount;
    }

    void mend() {
        mendedCount += failed ? 1 : 0;
        failed = false;
        mendLater();
    }

    /** Nothing happens that was to happen later. */
    void mendLater() {
        syncsToFailure = -1;
        writesToFailure = -1;
        crashAt = Long.MAX_VALUE;
    }

    /** Leaves room for so many more bytes. */
    void room(final long bytes) {
        capacity = bytes == Long.MAX_VALUE ? bytes : usedLength() + bytes;
    }

    boolean isBounded() {
        return capacity != Long.MAX_VALUE;
    }

    long operationCount() {
        return operationCount;
    }

    /** What a disk of which everything is synced has, by its directories and files. */
    Map<String, Map<String, byte[]>> copy() {
        final Map<String, Map<String, byte[]>> copies = new TreeMap<>();
        directories.forEach((path, directory) -> {
            final Map<String, byte[]> files = copies.computeIfAbsent(path, key -> new TreeMap<>());
            directory.entries.forEach((name, file) -> files.put(name, Arrays.copyOf(file.bytes(), file.length())));
        });
        return copies;
    }

    /** Makes the disk what it was. */
    void restore(final Map<String, Map<String, byte[]>> copies) {
        directories.forEach((path, directory) -> {
            List.copyOf(directory.entries.keySet()).forEach(directory::remove);
            copies.getOrDefault(path, Map.of()).forEach((name, bytes) -> {
                final SimFile file = new SimFile();
                file.replace(bytes);
                directory.put(name, file, null);
            });
            directory.sync();
        });
    }

    /** Loses what is not on the disk itself. */
    void cutPower() {
        for (final Directory directory : directories.values()) {
            directory.entries.values().forEach(file -> file.loseUnsynced(random, reached));
            directory.stored.values().stream()
                    .filter(file -> !directory.entries.containsValue(file))
                    .forEach(file -> file.loseUnsynced(random, reached));
            directory.loseUnsynced(random, reached);
        }
    }

    /** Counts an operation; the broker's life may end with it, before it is done or after. */
    void begin(final Life life, final Runnable operation) {
        if (++operationCount >= crashAt) {
            crashAt = Long.MAX_VALUE;
            if (random.nextBoolean()) {
                operation.run();
            }
            trace.add("crash in storage operation", operationCount, 0);
            life.end();
            throw new SimulatedCrash();
        }
        operation.run();
    }

    void beginWrite(final Life life, final SimFile file, final int position, final byte[] bytes) throws IOException {
        trace.mix(position * 31L + bytes.length);
        final long more = Math.max(0, position + bytes.length - file.length());
        if (more > 0 && usedLength() + more > capacity) {
            reached.add(State.DISK_FULL);
            trace.add("disk full at", usedLength(), more);
            throw new IOException("No space left on device");
        }
        if (failed || (writesToFailure >= 0 && writesToFailure-- == 0)) {
            failed = true;
            reached.add(State.WRITE_FAILED);
            trace.add("write fails at", position, bytes.length);
            final int part = random.nextInt(bytes.length / SimFile.SECTOR_LENGTH + 1) * SimFile.SECTOR_LENGTH;
            if (part > 0) {
                file.write(position, Arrays.copyOf(bytes, part));
            }
            throw new IOException("Input/output error");
        }
        begin(life, () -> file.write(position, bytes));
    }

    void beginSync(final Life life, final SimFile file) throws IOException {
        if (failed || (syncsToFailure >= 0 && syncsToFailure-- == 0)) {
            failed = true;
            reached.add(State.SYNC_FAILED);
            trace.add("sync fails", operationCount, 0);
            file.failSync(random, reached);
            throw new IOException("Input/output error");
        }
        begin(life, file::sync);
    }

    private long usedLength() {
        long sum = 0;
        for (final Directory directory : directories.values()) {
            for (final SimFile file : directory.entries.values()) {
                sum += file.length();
            }
        }
        return sum;
    }
}
