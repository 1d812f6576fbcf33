package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateStore;
import java.util.ArrayList;

/** Which topics have records that expire, or memory to be freed: only those are looked at. Owned by the sequencer. */
final class StateUpkeep {
    private static final int EXPIRE_LIMIT = 256;

    /** Topics whose records are looked at for what has expired before the sequencer does other work. */
    private static final int TOPIC_LIMIT = 256;

    private final Snapshots snapshots;

    /** Topics by when a record of theirs expires. */
    private final DueHeap<StateTopic> expiring = new DueHeap<>();

    /** Topics by how far the oldest snapshot has to be for something of theirs to be freed. */
    private final DueHeap<StateTopic> reclaimable = new DueHeap<>();

    private final ArrayList<StateTopic> expired = new ArrayList<>();
    private long lookCount;

    /** How far a round has come. */
    private int next;

    private int roundCount;
    private boolean isInRound;

    /** @param snapshots of the shard. */
    StateUpkeep(final Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    /** A topic's records have changed: notes when there is something to do for them. */
    void schedule(final StateTopic topic) {
        expiring.dueAt(topic.expiring, topic.store.earliestExpiryNs());
        reclaimable.dueAt(topic.reclaimable, topic.store.reclaimableAt());
    }

    /** A topic was deleted. */
    void remove(final StateTopic topic) {
        expiring.dueAt(topic.expiring, DueHeap.NEVER);
        reclaimable.dueAt(topic.reclaimable, DueHeap.NEVER);
    }

    /** Whether a record may have expired, which {@link #expire} deletes. */
    boolean mayExpire(final long nowNs) {
        return expiring.dueAt() <= nowNs;
    }

    /** Deletes records whose time is up, some at a time. */
    int expire(final ShardState state, final long nowNs) {
        expireRound(state, nowNs);
        for (; next < expired.size(); next++) {
            // The log has no room for theirs.
            schedule(expired.get(next));
        }
        endRound();
        return roundCount;
    }

    /**
     * The same, as one round that does not depend on how much room the log has.
     *
     * @return false when the log has no room now: to be called again with the same time, before anything else changes.
     */
    boolean expireRound(final ShardState state, final long nowNs) {
        if (!isInRound) {
            expiring.takeDue(nowNs, TOPIC_LIMIT, expired);
            isInRound = true;
            roundCount = 0;
        }
        for (; next < expired.size(); next++) {
            final StateTopic each = expired.get(next);
            lookCount++;
            int row = StateStore.NO_ROW;
            while (roundCount < EXPIRE_LIMIT
                    && each.store.mayExpire(nowNs)
                    && (row = each.store.nextExpired(nowNs)) != StateStore.NO_ROW) {
                if (!state.delete(each, row, true, nowNs)) {
                    return false;
                }
                roundCount++;
            }
            schedule(each);
        }
        endRound();
        return true;
    }

    private void endRound() {
        expired.clear();
        next = 0;
        isInRound = false;
    }

    /** When a record expires next; it may be later. */
    long dueNs() {
        return expiring.dueAt();
    }

    /** Frees what no reader needs any more, at most so many versions. Returns how many. */
    int reclaim(final int limit) {
        int left = limit;
        StateTopic topic;
        while (left > 0 && reclaimable.dueAt() <= snapshots.oldest() && (topic = reclaimable.first()) != null) {
            lookCount++;
            left -= topic.store.reclaim(left);
            schedule(topic);
        }
        return limit - left;
    }

    /** How often a topic was looked at, since the start. */
    long lookCount() {
        return lookCount;
    }
}
