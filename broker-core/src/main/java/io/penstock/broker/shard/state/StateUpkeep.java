package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.shard.store.ExpirySearch;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;

/** Which topics have records that expire, or memory to be freed: only those are looked at. Owned by the sequencer. */
final class StateUpkeep {
    private static final int EXPIRE_LIMIT = 256;

    /** How often another topic's records are looked at for what has expired before the sequencer does other work. */
    private static final int TOPIC_LIMIT = 512;

    private final Snapshots snapshots;

    /** Topics by when a record of theirs expires. */
    private final DueHeap<StateTopic> expiring = new DueHeap<>();

    /** Topics by how far the oldest snapshot has to be for something of theirs to be freed. */
    private final DueHeap<StateTopic> reclaimable = new DueHeap<>();

    private final ExpirySearch search = new ExpirySearch();

    /** How many records were deleted in the present round. */
    private int roundCount;

    private boolean isInRound;

    private long lookCount;

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

    /** Deletes records whose time is up, some at a time, as far as the log has room. Returns how many. */
    int expire(final ShardState state, final long nowNs) {
        roundCount = 0;
        expireRound(state, nowNs);
        isInRound = false;
        return roundCount;
    }

    /**
     * Deletes records whose time is up, so many at most: by the time, of one time by the topic's id, of one topic by the
     * sequence of the record. So which records a round deletes, and in which order, follows from the records.
     *
     * @return false when the log has no room now, or there was too much to look at in one turn: to be called again with the
     *     same time, before anything else changes, and goes on.
     */
    boolean expireRound(final ShardState state, final long nowNs) {
        if (!isInRound) {
            isInRound = true;
            roundCount = 0;
        }
        search.beginTurn();
        int topicCount = 0;
        StateTopic last = null;
        StateTopic topic;
        while (roundCount < EXPIRE_LIMIT && expiring.dueAt() <= nowNs && (topic = expiring.first()) != null) {
            if (!topic.isSame(last)) {
                lookCount++;
                last = topic;
                if (topicCount++ == TOPIC_LIMIT) {
                    return false;
                }
            }
            // Another topic has the first one after that.
            final long untilNs = Math.min(nowNs, expiring.dueAfterFirst());
            final int row = topic.store.nextExpired(search, nowNs, untilNs);
            if (row == StateStore.NO_ROW && topic.store.earliestExpiryNs() <= untilNs) {
                return false;
            }
            final long dueAt = row == StateStore.NO_ROW
                    ? topic.store.earliestExpiryNs()
                    : Version.expiresNs(topic.store.newest(row));
            if (dueAt > expiring.dueAt()) {
                expiring.dueAt(topic.expiring, dueAt);
            } else if (state.delete(topic, row, true, nowNs)) {
                roundCount++;
            } else {
                return false;
            }
        }
        isInRound = false;
        return true;
    }

    /** Before when nothing expires. */
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
