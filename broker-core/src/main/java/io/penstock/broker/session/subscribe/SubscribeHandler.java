package io.penstock.broker.session.subscribe;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.OrderBy;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.feed.SubscriptionRights;
import io.penstock.broker.session.query.HiddenFields;
import io.penstock.broker.session.query.QueryStarter;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.session.text.WireText;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Takes subscribe and unsubscribe commands. Confined to one I/O agent. */
public final class SubscribeHandler {
    private static final int ACKS_SUPPORTED = 0b11011;
    private static final int OPTION_PATTERN = 1;
    private static final int OPTION_SOW = 1 << 1;
    private static final int OPTION_OOF = 1 << 2;
    private static final int OPTION_DELTA = 1 << 3;
    private static final int OPTION_NO_EMPTIES = 1 << 4;
    private static final int OPTION_REPLACE = 1 << 5;
    private static final int OPTIONS_FOLLOW = OPTION_OOF | OPTION_DELTA | OPTION_NO_EMPTIES;
    private static final int OPTION_DURABLE = 1 << 6;
    private static final int OPTION_CREDIT = 1 << 7;
    private static final int OPTIONS_KNOWN = (1 << 8) - 1;
    private static final int CONFLATION_MS_MAX = 24 * 3600 * 1000;

    private final SessionContext context;
    private final CommandTexts texts;
    private final Succession succession;
    private final SubscriptionEnding ending;
    private final StateSubscriber subscriber;
    private final LogSubscriber logSubscriber;
    private final FeedRecovery recovery;
    private final FilterChange filterChange;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SubscribeDecoder subscribeCommand = new SubscribeDecoder();
    private final UnsubscribeDecoder unsubscribeCommand = new UnsubscribeDecoder();

    /** Makes it for the sessions of one I/O agent. */
    public SubscribeHandler(final SessionContext context, final SessionRings rings, final QueryStarter starter) {
        this.context = context;
        texts = new CommandTexts(context.gate());
        succession = new Succession(context, this::start);
        ending = new SubscriptionEnding(context, succession);
        final StateSender states = new StateSender(context, rings, starter, ending, this::onStateLost);
        subscriber = new StateSubscriber(
                context, rings, starter, succession, ending, states, this::onSupersededTopicDeleted);
        logSubscriber = new LogSubscriber(context, rings, subscriber, ending, succession);
        recovery = new FeedRecovery(context, subscriber, logSubscriber, ending, succession);
        filterChange = new FilterChange(
                context,
                rings,
                logSubscriber,
                recovery,
                new StateChange(context, starter, subscriber, ending),
                new StateAgain(context, starter, new SubscriptionPacer(context, logSubscriber), ending));
    }

    private void start(final Session session, final SubscriptionFeed feed) {
        logSubscriber.unpark(session, feed);
    }

    private void onStateLost(final Session session, final SubscriptionFeed feed) {
        recovery.onStateLost(session, feed);
    }

    private void onSupersededTopicDeleted(final Session session, final SubscriptionFeed feed) {
        recovery.onSupersededTopicDeleted(session, feed);
    }

    /** Moves feeds between the agents that serve them. */
    public LogSubscriber logSubscriber() {
        return logSubscriber;
    }

    /** Has other permissions hold for what was begun. */
    public PermissionChange permissionChange() {
        return new PermissionChange(context, ending, filterChange);
    }

    /** Gives subscriptions other filters. */
    public FilterChange filterChange() {
        return filterChange;
    }

    /** Decides how feeds go on whose next record is missing. */
    public FeedRecovery recovery() {
        return recovery;
    }

    /** Begins a subscription, or replaces one by another, or refuses to. */
    public void onSubscribe(final Session session, final DirectBuffer buffer, final int offset) {
        final SubscribeDecoder command = subscribeCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final int options = (int) command.options().getRaw();
        final int ackTypes = command.ackTypes().getRaw();
        final int conflationMs = command.conflationMs();
        final int topN = command.topN();
        final int skipN = command.skipN();
        final int batchSize = command.batchSize();
        final String topicText = WireText.of(command::wrapTopic);
        final String filterText = WireText.of(command::wrapFilter);
        final String orderByText = WireText.of(command::wrapOrderBy);
        final String selectionText = WireText.of(command::wrapSelection);
        final String conflationKeyText = WireText.of(command::wrapConflationKey);
        try {
            if (context.isDraining()) {
                throw new Refusal(ErrorCode.SHUTTING_DOWN, "subscribe: broker is shutting down (connect again later)");
            }
            CommandTexts.checkBits(
                    "subscribe", "option", options, OPTIONS_KNOWN, "use a newer broker, or leave it out");
            CommandTexts.checkBits(
                    "subscribe",
                    "acknowledgement",
                    ackTypes,
                    ACKS_SUPPORTED,
                    "ask for received, processed, completed or stats");
            final boolean replace = (options & OPTION_REPLACE) != 0;
            checkSubscriptionId(session, subscriptionId, replace);
            final boolean sow = (options & OPTION_SOW) != 0;
            if (replace && !sow) {
                Succession.checkRoom(session, subscriptionId);
                StateAgain.checkSent(
                        Objects.requireNonNull(session.subscriptions().byId().get(subscriptionId)));
            }
            final boolean pattern = (options & OPTION_PATTERN) != 0;
            final TopicPattern topics = texts.topics(
                    session.profile().principal(), SubscriptionRights.needed(sow), "subscribe to", topicText, pattern);
            final Filter compiled = CommandTexts.compile(filterText);
            final String filter = compiled == null ? "" : compiled.text();
            final OrderBy orderBy = CommandTexts.orderBy(orderByText);
            final FieldSelection selection = withKey(topics, CommandTexts.fields("select", selectionText));
            final FollowOptions follow = follow(
                    options,
                    conflationMs,
                    CommandTexts.fields("conflation_key", conflationKeyText),
                    selection,
                    pattern);
            if (!sow && (orderBy != null || topN > 0 || skipN > 0 || batchSize > 0)) {
                throw new Refusal(
                        ErrorCode.BAD_QUERY,
                        "subscribe: order_by, top_n, skip_n and batch_size are for the state (subscribe with sow)");
            }
            if (!sow && (options & OPTION_DURABLE) != 0) {
                throw new Refusal(
                        ErrorCode.BAD_QUERY,
                        "subscribe: durable is for the state (subscribe with sow, or from a place of the log)");
            }
            final boolean isOnCredit = (options & OPTION_CREDIT) != 0;
            if (isOnCredit && (sow || follow != null || replace)) {
                throw new Refusal(
                        ErrorCode.NOT_SUPPORTED,
                        "subscribe: credit is for messages as they are published (leave out what follows state, and"
                                + " replace)");
            }
            final QueryPlan plan = !sow
                    ? null
                    : QueryStarter.plan(
                            filter,
                            orderBy,
                            skipN,
                            topN,
                            batchSize,
                            selection,
                            null,
                            "",
                            context.settings().timeouts().queryTimeoutNs());
            final ClientSubscription subscription = new ClientSubscription(
                    subscriptionId,
                    topics,
                    SubscriptionRights.of(
                            context.gate(),
                            session.profile().principal(),
                            SubscriptionRights.needed(sow),
                            topics,
                            filter),
                    follow,
                    plan,
                    topics.isLiteral() ? 1 : context.shards().count());
            HiddenFields.check(context, session, subscription);
            subscription.compiled(compiled);
            subscription.isDurable((options & OPTION_DURABLE) != 0);
            if (isOnCredit) {
                subscription.pace().beginOnCredit();
            }
            subscriber.subscribe(
                    session,
                    commandId,
                    ackTypes,
                    subscription,
                    replace ? session.subscriptions().byId().get(subscriptionId) : null);
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, subscriptionId, 0, refusal.code(), refusal.text());
        }
    }

    /** Ends a subscription or a query. */
    public void onUnsubscribe(final Session session, final DirectBuffer buffer, final int offset) {
        final UnsubscribeDecoder command = unsubscribeCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final int ackTypes = command.ackTypes().getRaw();
        final boolean queried = SubscriptionEnding.cancelQueries(session, subscriptionId);
        final ClientSubscription subscription = session.subscriptions().byId().get(subscriptionId);
        if (subscription == null) {
            if (queried) {
                context.answers().acks(session.outbox(), commandId, ackTypes);
                return;
            }
            context.refuse(
                    session,
                    commandId,
                    subscriptionId,
                    0,
                    ErrorCode.UNKNOWN_SUBSCRIPTION,
                    "unsubscribe: no such subscription: " + subscriptionId + " (it has ended, or never was)");
            return;
        }
        session.commands()
                .pending(new PendingCommand(
                        subscription.feeds().length,
                        null,
                        done -> context.answers().acks(done.outbox(), commandId, ackTypes)));
        ending.remove(session, subscription, true);
    }

    /** A feed that follows state has got everything up to the point at which it was superseded. */
    public void onEnded(final Session session, final SubscriptionFeed feed) {
        succession.finish(session, feed);
    }

    /** A shard has opened the state anew for a subscription that lagged too far. */
    public void onResynced(final Session session, final Subscribe reply) {
        if (!filterChange.onResynced(session, reply)) {
            subscriber.onResynced(session, reply);
        }
    }

    /** Notifies a client of subscriptions that have ended. */
    public int sendEnded(final Session session) {
        return ending.sendEnded(session);
    }

    /** Forgets superseded feeds, once everything that was enqueued for them is sent. */
    public void retireFeeds(final Session session) {
        succession.retire(session);
    }

    void checkSubscriptionId(final Session session, final long subscriptionId, final boolean replace) {
        final boolean used = session.subscriptions().byId().containsKey(subscriptionId);
        if (replace && !used) {
            throw new Refusal(
                    ErrorCode.UNKNOWN_SUBSCRIPTION,
                    "subscribe: no such subscription to replace: " + subscriptionId
                            + " (it has ended, or never was: subscribe without replace)");
        }
        if (subscriptionId == 0 || (used && !replace) || QueryStarter.isUsed(session, subscriptionId)) {
            throw new Refusal(
                    ErrorCode.DUPLICATE_SUBSCRIPTION,
                    "subscribe: subscription id in use, or 0: " + subscriptionId + " (choose another)");
        }
        if (!replace
                && session.subscriptions().byId().size()
                        >= context.settings().limits().subscriptionCountMax()) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: no more subscriptions: "
                            + session.subscriptions().byId().size()
                            + " (unsubscribe, or raise sessions.subscriptionCountMax)");
        }
    }

    private static @Nullable FollowOptions follow(
            final int options,
            final int conflationMs,
            final @Nullable FieldSelection conflationKey,
            final @Nullable FieldSelection selection,
            final boolean pattern) {
        if (conflationMs < 0 || conflationMs > CONFLATION_MS_MAX) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY,
                    "subscribe: conflation of " + conflationMs + " ms (use 0 to " + CONFLATION_MS_MAX + ")");
        }
        if (conflationKey != null && conflationMs == 0) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY, "subscribe: conflation_key without an interval (give conflation in ms, too)");
        }
        if ((options & OPTIONS_FOLLOW) == 0 && conflationMs == 0 && selection == null) {
            return null;
        }
        if (pattern) {
            throw new Refusal(
                    ErrorCode.NOT_SUPPORTED,
                    "subscribe: oof, delta, select and conflation follow one topic, not a pattern (name the topic)");
        }
        return new FollowOptions(
                (options & OPTION_OOF) != 0,
                (options & OPTION_DELTA) != 0,
                (options & OPTION_NO_EMPTIES) != 0,
                selection,
                TimeUnit.MILLISECONDS.toNanos(conflationMs),
                conflationKey);
    }

    /** A selection of a record always includes its key. */
    private @Nullable FieldSelection withKey(final TopicPattern topics, final @Nullable FieldSelection selection) {
        if (selection == null || !topics.isLiteral()) {
            return selection;
        }
        return context.topics().withKey(topics.text(), selection);
    }
}
