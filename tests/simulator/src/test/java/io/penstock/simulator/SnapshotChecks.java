package io.penstock.simulator;

import io.penstock.simulator.Reached.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sees to it that snapshots with a name are whole, and are the state as of their record. Each is compared once. */
final class SnapshotChecks {
    private final World world;

    /** Of each shard what was compared, by its sequence. */
    private final List<Map<Long, byte[]>> compared = new ArrayList<>();

    /** Of each shard those of which a bit was changed. */
    private final List<Set<Long>> rotten = new ArrayList<>();

    SnapshotChecks(final World world) {
        this.world = world;
        for (int shard = 0; shard < world.shardCount; shard++) {
            compared.add(new HashMap<>());
            rotten.add(new HashSet<>());
        }
    }

    /** A bit of a snapshot was changed: it need not be whole any more. */
    void onRotten(final int shard, final long sequence) {
        rotten.get(shard).add(sequence);
    }

    /** Whether a broker has to find the state as of a record. */
    boolean isWithinReach(final int shard, final long sequence, final boolean isTime) {
        final long first = world.logs.firstSequenceMax(shard);
        if (!rotten.get(shard).isEmpty() || (isTime && sequence < first && first > 1)) {
            return false;
        }
        return first <= 1
                || ModelSnapshot.sequences(directory(shard)).stream()
                        .anyMatch(each -> each <= sequence && (each == sequence || each + 1 >= first));
    }

    /** The newest snapshot of a shard that is whole; 0 when there is none. */
    long usable(final int shard) {
        final SimDisk.Directory directory = directory(shard);
        final List<Long> sequences = ModelSnapshot.sequences(directory);
        for (int i = sequences.size() - 1; i >= 0; i--) {
            final long sequence = sequences.get(i);
            if (!rotten.get(shard).contains(sequence) || read(directory, shard, sequence) != null) {
                return sequence;
            }
        }
        return 0;
    }

    /** Replays a shard's log, and compares the snapshots that were not compared yet on the way. */
    void replay(final ModelState state, final int shard, final ModelLog log) {
        final NavigableMap<Long, ModelSnapshot> pending = pending(shard);
        while (!pending.isEmpty()) {
            final ModelSnapshot snapshot = pending.pollFirstEntry().getValue();
            if (snapshot.sequence > log.lastSequence()) {
                throw new Violation("shard " + shard + ": a snapshot as of record " + snapshot.sequence
                        + ", and the log ends at " + log.lastSequence());
            }
            state.apply(shard, log, snapshot.sequence);
            state.compare(shard, snapshot);
            world.reached.add(State.SNAPSHOT_COMPARED);
        }
        state.apply(shard, log, log.lastSequence());
    }

    private NavigableMap<Long, ModelSnapshot> pending(final int shard) {
        final NavigableMap<Long, ModelSnapshot> pending = new TreeMap<>();
        final SimDisk.Directory directory = directory(shard);
        for (final long sequence : ModelSnapshot.sequences(directory)) {
            final SimFile file = file(directory, sequence);
            final byte[] before = compared.get(shard).get(sequence);
            if (before == null || !Arrays.equals(before, 0, before.length, file.bytes(), 0, file.length())) {
                final ModelSnapshot snapshot = read(directory, shard, sequence);
                if (snapshot != null) {
                    pending.put(sequence, snapshot);
                    compared.get(shard).put(sequence, Arrays.copyOf(file.bytes(), file.length()));
                }
            }
        }
        return pending;
    }

    /** Reads one. Returns null when it is not whole, and that is known. */
    private @Nullable ModelSnapshot read(final SimDisk.Directory directory, final int shard, final long sequence) {
        try {
            return ModelSnapshot.read(ModelSnapshot.name(sequence), file(directory, sequence));
        } catch (final Violation e) {
            if (!rotten.get(shard).contains(sequence)) {
                throw e;
            }
            return null;
        }
    }

    private static SimFile file(final SimDisk.Directory directory, final long sequence) {
        final SimFile file = directory.entries.get(ModelSnapshot.name(sequence));
        if (file == null) {
            throw new IllegalStateException("no snapshot as of " + sequence);
        }
        return file;
    }

    private SimDisk.Directory directory(final int shard) {
        return world.disk.directory(ModelLogs.directory(shard));
    }
}
