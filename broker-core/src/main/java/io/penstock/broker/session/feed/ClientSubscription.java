package io.penstock.broker.session.feed;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.security.Entitlement;
import io.penstock.broker.security.IdentityUse.Lease;
import io.penstock.broker.security.TopicRights;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.TopicPattern;
import org.jspecify.annotations.Nullable;

/** A subscription as its client knows it. Confined to the client's I/O agent. */
public final class ClientSubscription {
    private final long id;
    private final TopicPattern topics;

    private SubscriptionRights rights;
    private String filter;

    /** The filter as it was compiled when the subscription came, until an agent has it as its own. */
    private @Nullable Filter compiled;

    private final @Nullable FollowOptions follow;
    private final @Nullable QueryPlan plan;
    private final SubscriptionFeed[] feeds;
    private final SubscriptionPace pace = new SubscriptionPace();

    /** Made when an answer is due. */
    private @Nullable DueAnswers due;

    private boolean isLive = true;
    private boolean isDurable;

    /** Null for one without an end. */
    private @Nullable Range range;

    private @Nullable Refusal ended;
    private Lease lease = Lease.none();

    /**
     * A subscription without feeds.
     *
     * @param id        that its client has given.
     * @param topics    that it wants.
     * @param rights    by which it has them, with its filter.
     * @param follow    how it follows records of topics with state, or null when it gets messages as they are.
     * @param plan      of the query for the state that comes first, or null.
     * @param partCount how many feeds there will be.
     */
    public ClientSubscription(
            final long id,
            final TopicPattern topics,
            final SubscriptionRights rights,
            final @Nullable FollowOptions follow,
            final @Nullable QueryPlan plan,
            final int partCount) {
        this.id = id;
        this.topics = topics;
        this.rights = rights;
        filter = rights.filter();
        this.follow = follow;
        this.plan = plan;
        feeds = new SubscriptionFeed[partCount];
    }

    /** The id that its client has given. */
    public long id() {
        return id;
    }

    /** The topics that it wants. */
    public TopicPattern topics() {
        return topics;
    }

    /** What its client has asked for, in canonical form; empty for everything. */
    public String asked() {
        return rights.asked();
    }

    /** The rights by which it has its topics. */
    public SubscriptionRights rights() {
        return rights;
    }

    /** It has its topics by other rights from now on, with what their conditions make of its filter. */
    public void rights(final SubscriptionRights changed) {
        rights = changed;
        filter = changed.filter();
        compiled = null;
    }

    /** Its filter in canonical form, with what limits the messages of its one topic; empty for everything. */
    public String filter() {
        return filter;
    }

    /** Whether its filter is too long together with what limits the messages of its topic, so that it would get nothing. */
    public boolean isFilterTooLong() {
        return rights.isTooMuch(filter);
    }

    /** Its interest in a shard. */
    public Interest interest(final long feed, final long sessionId, final int shard) {
        return new Interest(feed, sessionId, shard, topics, filter, follow, rights.isLimited(), rights.ofPattern());
    }

    /** Its filter is compiled already, unless it is another one by its rights. */
    public void compiled(final @Nullable Filter value) {
        compiled = value != null && value.text().equals(filter) ? value : null;
    }

    /** The filter, for an agent to have as its own; null when everything matches. */
    public @Nullable Filter takeFilter() {
        final Filter first = compiled;
        compiled = null;
        final Filter own = first == null ? CommandTexts.compiled(filter) : first;
        final Entitlement ofPattern = rights.ofPattern();
        return ofPattern == null ? own : ofPattern.filter(own);
    }

    /** The condition on records of a topic that are sent as its state; null when none is. */
    public @Nullable String condition(final TopicRights ofTopic) {
        return plan == null ? ofTopic.subscribe() : ofTopic.stateFirst();
    }

    /** Whether it begins at a place of the log. */
    public boolean isReplay() {
        return rights.isReplay();
    }

    /** How it follows the records of topics with state; null when it gets messages as they are. */
    public @Nullable FollowOptions follow() {
        return follow;
    }

    /**
     * The query for the first state, and for the state that is sent again when the subscription lags too far; or null.
     */
    public @Nullable QueryPlan plan() {
        return plan;
    }

    /** Whether it follows state, or was sent it. */
    public boolean isStateful() {
        return follow != null || plan != null;
    }

    /** More messages of it were sent. */
    void onDelivered(final int count) {
        pace.onDelivered(count);
    }

    /** Messages of it that were sent. */
    public long deliveryCount() {
        return pace.deliveryCount();
    }

    /** Its feeds, one for each shard that it is about; set by who makes them. */
    public SubscriptionFeed[] feeds() {
        return feeds;
    }

    /** Its feed in a shard; null when it has none. */
    public @Nullable SubscriptionFeed feedIn(final int shard) {
        for (final SubscriptionFeed feed : feeds) {
            if (feed.interest().shard() == shard) {
                return feed;
            }
        }
        return null;
    }

    /** Whether a command to supersede it is on its way to its shards. */
    public boolean isFrozen() {
        for (final SubscriptionFeed feed : feeds) {
            if (feed.isFrozen()) {
                return true;
            }
        }
        return false;
    }

    /** How fast it may go. */
    public SubscriptionPace pace() {
        return pace;
    }

    /** Answers that its client still waits for. */
    public DueAnswers due() {
        DueAnswers made = due;
        if (made == null) {
            made = new DueAnswers();
            due = made;
        }
        return made;
    }

    /** Whether it gets what is not on stable storage yet. */
    public boolean isLive() {
        return isLive;
    }

    /** The same, from now on. */
    public void isLive(final boolean value) {
        isLive = value;
    }

    /** Whether its state waits until it is on stable storage. */
    public boolean isDurable() {
        return isDurable;
    }

    /** The same, from now on. */
    public void isDurable(final boolean value) {
        isDurable = value;
    }

    /** Whether it has an end, and ends when all before that was sent. */
    public boolean isRange() {
        return range != null && range.isRange;
    }

    /** The same, from now on. */
    public void isRange(final boolean value) {
        madeRange().isRange = value;
    }

    /** Where its range ends, if by time; else {@link Long#MAX_VALUE}. */
    public long toTimeNs() {
        return range == null ? Long.MAX_VALUE : range.toTimeNs;
    }

    /** The same, from now on. */
    public void toTimeNs(final long value) {
        madeRange().toTimeNs = value;
    }

    /** What it holds of its identity's share. */
    public Lease lease() {
        return lease;
    }

    /** The same, from now on. */
    public void lease(final Lease value) {
        lease = value;
    }

    /** Why it has ended; null when it lagged too far, or has not ended. */
    public @Nullable Refusal ended() {
        return ended;
    }

    /** It has ended for a reason; null when it lagged too far. */
    public void onEnded(final @Nullable Refusal reason) {
        ended = reason;
    }

    private Range madeRange() {
        Range made = range;
        if (made == null) {
            made = new Range();
            range = made;
        }
        return made;
    }

    /** Whether and where it ends. */
    private static final class Range {
        private boolean isRange;
        private long toTimeNs = Long.MAX_VALUE;
    }
}
