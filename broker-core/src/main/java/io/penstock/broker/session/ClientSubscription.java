package io.penstock.broker.session;

import io.penstock.broker.match.FollowOptions;
import io.penstock.broker.match.Rate;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

/** A subscription as its client knows it. Confined to the client's I/O agent. */
final class ClientSubscription {
    final long id;
    final TopicPattern topics;
    final String filter;
    final @Nullable FollowOptions follow;

    /** The query for the state that comes first, and again when the subscription has fallen behind; or null. */
    final @Nullable QueryPlan plan;

    final SubscriptionPart[] parts;

    /** Whether it gets what is not on stable storage yet. */
    boolean isLive = true;

    /** Whether its state waits until it is on stable storage. */
    boolean isDurable;

    /** Where its range ends, if by time. */
    long toTimeNs = Long.MAX_VALUE;

    /** The command whose completed acknowledgement is still due; 0 for none. */
    long completedCommandId;

    /** Why it has ended, unless it has fallen behind. */
    @Nullable
    Refusal ended;

    boolean isRange;
    boolean isPaused;
    Rate rate = Rate.UNLIMITED;

    ClientSubscription(
            final long id,
            final TopicPattern topics,
            final String filter,
            final @Nullable FollowOptions follow,
            final @Nullable QueryPlan plan,
            final int partCount) {
        this.id = id;
        this.topics = topics;
        this.filter = filter;
        this.follow = follow;
        this.plan = plan;
        parts = new SubscriptionPart[partCount];
    }

    /** Its part in a shard; null when it has none. */
    @Nullable
    SubscriptionPart partIn(final int shard) {
        for (final SubscriptionPart part : parts) {
            if (part.interest.shard() == shard) {
                return part;
            }
        }
        return null;
    }

    boolean isStateful() {
        return follow != null || plan != null;
    }
}
