package io.penstock.broker.session;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

/** A subscription as its client knows it. Confined to the client's I/O agent. */
final class ClientSubscription {
    /** Of what it can be given: more is not added up. */
    private static final long CREDIT_MAX = 1L << 60;

    final long id;
    final TopicPattern topics;

    /** Of the filter, in canonical form; empty for everything. */
    final String filter;

    /** The filter as it was compiled when the subscription came, until an agent has it as its own. */
    private @Nullable Filter compiled;

    final @Nullable FollowOptions follow;

    /** The query for the state that comes first, and again when the subscription has fallen behind; or null. */
    final @Nullable QueryPlan plan;

    final SubscriptionFeed[] feeds;

    /** Whether it gets what is not on stable storage yet. */
    boolean isLive = true;

    /** Whether its state waits until it is on stable storage. */
    boolean isDurable;

    /** Where its range ends, if by time. */
    long toTimeNs = Long.MAX_VALUE;

    /** The command whose completed acknowledgement is still due; 0 for none. */
    long completedCommandId;

    /** The command that its state is the answer to, until that was sent; 0 for none. */
    long stateCommandId;

    /** What that command asked to be acknowledged once the state was sent. */
    int stateAckTypes;

    /** Why it has ended, unless it has fallen behind. */
    @Nullable
    Refusal ended;

    boolean isRange;
    boolean isPaused;
    Rate rate = Rate.UNLIMITED;

    /** Which of its feeds goes on first when there is credit, so that each shard has its turn. */
    int turn;

    private boolean isOnCredit;

    /** What may still be sent, in bytes; negative when the last message has taken more than there was. */
    private long credit = Long.MAX_VALUE;

    ClientSubscription(
            final long id,
            final TopicPattern topics,
            final @Nullable Filter compiled,
            final @Nullable FollowOptions follow,
            final @Nullable QueryPlan plan,
            final int partCount) {
        this.id = id;
        this.topics = topics;
        filter = compiled == null ? "" : compiled.text();
        this.compiled = compiled;
        this.follow = follow;
        this.plan = plan;
        feeds = new SubscriptionFeed[partCount];
    }

    /** The filter, for an agent to have as its own; null when everything matches. */
    @Nullable
    Filter takeFilter() {
        final Filter first = compiled;
        compiled = null;
        return first == null ? CommandTexts.compiled(filter) : first;
    }

    /** Its feed in a shard; null when it has none. */
    @Nullable
    SubscriptionFeed feedIn(final int shard) {
        for (final SubscriptionFeed feed : feeds) {
            if (feed.interest.shard() == shard) {
                return feed;
            }
        }
        return null;
    }

    /** From now on only that is sent which it is given credit for. */
    void beginOnCredit() {
        isOnCredit = true;
        credit = 0;
    }

    void endCredit() {
        isOnCredit = false;
        credit = Long.MAX_VALUE;
    }

    boolean isOnCredit() {
        return isOnCredit;
    }

    void giveCredit(final long length) {
        credit = length >= CREDIT_MAX - credit ? CREDIT_MAX : credit + length;
    }

    boolean hasCredit() {
        return credit > 0;
    }

    long credit() {
        return credit;
    }

    /** So many bytes were sent, with the padding of the last record. */
    void spend(final int length) {
        if (isOnCredit) {
            credit -= length;
        }
    }

    /** Whether nothing is to be sent for the moment. */
    boolean isHeldBack() {
        return isPaused || credit <= 0;
    }

    /** Whether a command is on its way to its shards that another one takes its place. */
    boolean isFrozen() {
        for (final SubscriptionFeed feed : feeds) {
            if (feed.isFrozen()) {
                return true;
            }
        }
        return false;
    }

    boolean isStateful() {
        return follow != null || plan != null;
    }
}
