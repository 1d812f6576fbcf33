package io.penstock.broker.shard;

import io.penstock.broker.shard.follow.FollowedTopics;
import io.penstock.broker.shard.match.SubscriptionIndex;
import java.util.ArrayDeque;

/**
 * Clients that are gone, and of which parts of subscriptions are left in a shard. Those are removed some at a time, so that
 * nobody waits for a client that had many. Bounded by the sessions; owned by the shard's sequencer.
 */
final class LeavingClients {
    /** Of a duty cycle, beside as many as have come in it, so that what leaves does not pile up. */
    private static final int PART_LIMIT = 8;

    private final SubscriptionIndex subscriptions;
    private final FollowedTopics followed;
    private final ArrayDeque<Long> sessionIds = new ArrayDeque<>();
    private int cameCount;

    LeavingClients(final SubscriptionIndex subscriptions, final FollowedTopics followed) {
        this.subscriptions = subscriptions;
        this.followed = followed;
    }

    boolean isEmpty() {
        return sessionIds.isEmpty();
    }

    void add(final long sessionId) {
        sessionIds.add(sessionId);
    }

    /** A part of a subscription has come. */
    void onCame() {
        cameCount++;
    }

    /** Removes some parts of the client that left first. Returns how much that was. */
    int removeSome() {
        final int limit = PART_LIMIT + cameCount;
        cameCount = 0;
        final Long sessionId = sessionIds.peek();
        if (sessionId == null) {
            return 0;
        }
        int count = subscriptions.removeSome(sessionId, limit);
        count += followed.removeSome(sessionId, limit - count);
        if (count < limit) {
            sessionIds.remove();
        }
        return 1 + count;
    }
}
