package io.penstock.broker.agent;

import io.penstock.broker.match.FollowedTopics;
import io.penstock.broker.match.SubscriptionIndex;
import java.util.ArrayDeque;

/**
 * Clients that are gone, and of which parts of subscriptions are left in a shard. Those are removed some at a time, so that
 * nobody waits for a client that had many. Bounded by the sessions; owned by the shard's sequencer.
 */
final class LeavingClients {
    private static final int PART_LIMIT = 8;

    /** More than come in a duty cycle, so that what leaves does not pile up. */
    private static final int PART_LIMIT_MANY = 64;

    private final SubscriptionIndex subscriptions;
    private final FollowedTopics followed;
    private final ArrayDeque<Long> sessionIds = new ArrayDeque<>();

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

    /** Removes some parts of the client that left first. Returns how much that was. */
    int removeSome() {
        final Long sessionId = sessionIds.peek();
        if (sessionId == null) {
            return 0;
        }
        final int limit = sessionIds.size() > 1 ? PART_LIMIT_MANY : PART_LIMIT;
        int count = subscriptions.removeSome(sessionId, limit);
        count += followed.removeSome(sessionId, limit - count);
        if (count < limit) {
            sessionIds.remove();
        }
        return 1 + count;
    }
}
