package io.penstock.broker.agent;

import io.penstock.broker.shard.recovery.ShardKeeper;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Does slow work of journals that is not urgent: makes files ahead of their need, stores indexes, writes the state to
 * files, and removes old files.
 */
final class Keeper implements Agent {
    private final NanoClock clock;
    private final List<ShardKeeper> shards = new ArrayList<>();

    Keeper(final NanoClock clock) {
        this.clock = clock;
    }

    /** Adds a shard. Called before the start. */
    void add(final ShardKeeper shard) {
        shards.add(shard);
    }

    /** Asks for a snapshot of each shard. Any thread. */
    void requestSnapshots() {
        for (int i = 0, size = shards.size(); i < size; i++) {
            shards.get(i).snapshots().request();
        }
    }

    @Override
    public int doWork() {
        final long nowNs = clock.nanoTime();
        int workCount = 0;
        RuntimeException first = null;
        for (int i = 0, size = shards.size(); i < size; i++) {
            try {
                workCount += shards.get(i).doWork(nowNs);
            } catch (final RuntimeException e) {
                // The other shards' turn comes all the same.
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return workCount;
    }

    @Override
    public void onClose() {
        for (final ShardKeeper shard : shards) {
            shard.close();
        }
    }

    @Override
    public String roleName() {
        return "keeper";
    }
}
