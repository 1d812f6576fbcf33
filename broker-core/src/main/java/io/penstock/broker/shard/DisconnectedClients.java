package io.penstock.broker.shard;

import io.penstock.broker.shard.follow.FollowedTopics;
import io.penstock.broker.shard.match.SubscriptionIndex;
import java.util.ArrayDeque;

/**
 * Disconnected clients whose feeds are still in a shard. The feeds are removed some at a time, so that
 * nobody waits for a client that had many. Bounded by the sessions; owned by the shard's sequencer.
 */
final class DisconnectedClients {
    /**
     * Feeds that a duty cycle ends for each waiting client, in addition to the feeds that began in it, so that ended
     * ones do not pile up.
     */
    private static final int FEED_LIMIT = 8;

    /** Most waiting clients that count: some ten microseconds of a duty cycle. */
    private static final int CLIENT_LIMIT = 8;

    private final SubscriptionIndex subscriptions;
    private final FollowedTopics followed;
    private final ArrayDeque<Long> sessionIds = new ArrayDeque<>();
    private int cameCount;

    DisconnectedClients(final SubscriptionIndex subscriptions, final FollowedTopics followed) {
        this.subscriptions = subscriptions;
        this.followed = followed;
    }

    boolean isEmpty() {
        return sessionIds.isEmpty();
    }

    void add(final long sessionId) {
        sessionIds.add(sessionId);
    }

    /** A feed of a subscription has come. */
    void onCame() {
        cameCount++;
    }

    /** Removes some feeds of the clients that left first. Returns how much that was. */
    int removeSome() {
        final int limit = FEED_LIMIT * Math.min(CLIENT_LIMIT, sessionIds.size()) + cameCount;
        cameCount = 0;
        int count = 0;
        Long sessionId;
        while (count < limit && (sessionId = sessionIds.peek()) != null) {
            final int left = limit - count;
            final int removed = removeSome(sessionId, left);
            if (removed < left) {
                sessionIds.remove();
            }
            // Who had nothing counts, too.
            count += 1 + removed;
        }
        return count;
    }

    private int removeSome(final long sessionId, final int limit) {
        final int count = subscriptions.removeSome(sessionId, limit);
        return count + followed.removeSome(sessionId, limit - count);
    }
}
