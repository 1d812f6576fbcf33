package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.OrderedLog;
import org.jspecify.annotations.Nullable;

/** The orders of a member of several nodes. Shards in memory only stay this node's alone. */
public final class ReplicatedLogs implements OrderedLogs {
    private final Consensus consensus;

    /**
     * For one broker.
     *
     * @param consensus that decides the order of its journaled shards.
     */
    public ReplicatedLogs(final Consensus consensus) {
        this.consensus = consensus;
    }

    @Override
    public @Nullable OrderedLog newLog(final OrderContext shard) {
        return shard.isJournaled() ? new ReplicatedLog(consensus, shard) : null;
    }

    @Override
    public boolean areTopicsFixed() {
        return true;
    }
}
