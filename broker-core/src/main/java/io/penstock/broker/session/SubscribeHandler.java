package io.penstock.broker.session;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.OrderBy;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.shard.command.Subscribe;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes subscribe and unsubscribe commands. Confined to one I/O agent. */
final class SubscribeHandler {
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
    private final StateSubscriber subscriber;
    private final LogSubscriber logSubscriber;
    private final Succession succession;

    SubscribeHandler(final SessionContext context, final SessionRings rings, final QueryStarter starter) {
        this.context = context;
        texts = new CommandTexts(context);
        succession = new Succession(context, this::start);
        subscriber = new StateSubscriber(
                context, rings, starter, succession, this::onStateLost, this::onSupersededTopicDeleted);
        logSubscriber = new LogSubscriber(context, rings, subscriber, succession);
    }

    private void start(final Session session, final SubscriptionFeed feed) {
        logSubscriber.unpark(session, feed);
    }

    LogSubscriber logSubscriber() {
        return logSubscriber;
    }

    void onSubscribe(final Session session, final SubscribeDecoder command) {
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final int options = (int) command.options().getRaw();
        final int ackTypes = command.ackTypes().getRaw();
        final int conflationMs = command.conflationMs();
        final int topN = command.topN();
        final int skipN = command.skipN();
        final int batchSize = command.batchSize();
        final String topicText = command.topic();
        final String filterText = command.filter();
        final String orderByText = command.orderBy();
        final String selectionText = command.selection();
        final String conflationKeyText = command.conflationKey();
        try {
            if (context.draining) {
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
            }
            final boolean pattern = (options & OPTION_PATTERN) != 0;
            final TopicPattern topics = texts.topics(session, "subscribe to", topicText, pattern);
            final Filter filter = CommandTexts.compile(filterText);
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
                            filter == null ? "" : filter.text(),
                            orderBy,
                            skipN,
                            topN,
                            batchSize,
                            selection,
                            null,
                            "",
                            context.settings.queryTimeoutNs());
            final ClientSubscription subscription = new ClientSubscription(
                    subscriptionId, topics, filter, follow, plan, topics.isLiteral() ? 1 : context.ports.length);
            subscription.isDurable = (options & OPTION_DURABLE) != 0;
            if (isOnCredit) {
                subscription.beginOnCredit();
            }
            subscriber.subscribe(
                    session,
                    commandId,
                    ackTypes,
                    subscription,
                    replace ? session.subscriptions.get(subscriptionId) : null);
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, subscriptionId, 0, refusal.code, refusal.text);
        }
    }

    void onUnsubscribe(final Session session, final UnsubscribeDecoder command) {
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final int ackTypes = command.ackTypes().getRaw();
        final boolean queried = cancelQueries(session, subscriptionId);
        final ClientSubscription subscription = session.subscriptions.get(subscriptionId);
        if (subscription == null) {
            if (queried) {
                acknowledge(session, commandId, ackTypes);
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
        session.pending =
                new PendingCommand(subscription.feeds.length, null, done -> acknowledge(done, commandId, ackTypes));
        subscriber.remove(session, subscription, true);
    }

    /**
     * A feed needs what is no longer in the window: it goes on from files, or its client is sent the state anew, or told
     * that the subscription ends.
     */
    void onFellBehind(final Session session, final SubscriptionFeed feed, final long sequence) {
        if (feed.isSuperseded()) {
            onSupersededFellBehind(session, feed, sequence);
            return;
        }
        context.counters.fellBehind.incrementPlain();
        if (feed.isWaiting()) {
            lose(session, feed);
            return;
        }
        if (logSubscriber.isInFiles(feed)) {
            logSubscriber.divert(session, feed, sequence);
            return;
        }
        resyncOrEnd(session, feed);
    }

    /** The state that a feed was being sent is gone, before its client had it. */
    private void onStateLost(final Session session, final SubscriptionFeed feed) {
        context.counters.fellBehind.incrementPlain();
        if (feed.isSuperseded()) {
            lose(session, feed);
        } else {
            resyncOrEnd(session, feed);
        }
    }

    /**
     * The topic whose state a feed follows was deleted: there may be another one of the name, or there is nothing to follow.
     * Returns false when it is not known yet that the subscription has begun.
     */
    boolean onTopicDeleted(final Session session, final SubscriptionFeed feed) {
        if (feed.isSuperseded()) {
            onSupersededTopicDeleted(session, feed);
            return true;
        }
        if (session.subscriptions.get(feed.subscription.id) != feed.subscription) {
            return false;
        }
        if (feed.isWaiting() && !subscriber.isTopicGone(feed.subscription)) {
            dropSuperseded(session, feed);
        }
        if (subscriber.isTopicGone(feed.subscription) || !subscriber.beginAnew(session, feed)) {
            subscriber.endDeleted(session, feed.subscription);
        }
        return true;
    }

    /** The same, of a feed that another one has superseded. What was still due to it is gone with the topic. */
    private void onSupersededTopicDeleted(final Session session, final SubscriptionFeed feed) {
        final SubscriptionFeed current = Succession.current(session, feed);
        if (current == null || !current.subscription.isStateful() || subscriber.isTopicGone(feed.subscription)) {
            subscriber.forget(session, feed);
            succession.finish(session, feed);
            return;
        }
        // What the next topic of the name got before is in the state of the other one.
        dropSuperseded(session, feed);
        if (subscriber.isTopicGone(current.subscription) || !subscriber.beginAnew(session, current)) {
            subscriber.endDeleted(session, current.subscription);
        }
    }

    private void resyncOrEnd(final Session session, final SubscriptionFeed feed) {
        if (feed.subscription.isStateful() && subscriber.resync(session, feed)) {
            report(EventKind.SUBSCRIPTION_BEHIND, session, feed.subscription, "is sent the state again");
        } else if (subscriber.isTopicGone(feed.subscription)) {
            subscriber.endDeleted(session, feed.subscription);
        } else {
            end(session, feed.subscription);
        }
    }

    private void end(final Session session, final ClientSubscription subscription) {
        report(EventKind.SUBSCRIPTION_BEHIND, session, subscription, "was ended");
        subscriber.end(session, subscription, null);
    }

    /** The same, of a feed that another one has superseded: what is still due to it has to come before that one. */
    private void onSupersededFellBehind(final Session session, final SubscriptionFeed feed, final long sequence) {
        final boolean readsLog = feed.interest.follow() == null;
        if (readsLog && sequence > feed.toSequence() && (feed.isCompleted() || !isInFiles(feed))) {
            succession.finish(session, feed);
            return;
        }
        context.counters.fellBehind.incrementPlain();
        if (readsLog && isInFiles(feed)) {
            final List<SubscriptionFeed> after = feed.isEnqueued() ? succession.after(session, feed) : List.of();
            if (after != null) {
                feed.leaveRing();
                after.forEach(each -> logSubscriber.putOff(session, each));
                logSubscriber.divert(session, feed, sequence);
                return;
            }
        }
        lose(session, feed);
    }

    /** Says to those who run the broker that a client does not keep up. */
    void report(
            final EventKind kind, final Session session, final ClientSubscription subscription, final String outcome) {
        if (context.events.admits(kind)) {
            context.report(
                    kind,
                    session,
                    "subscription " + subscription.id + " to " + subscription.topics.text() + ": " + outcome);
        }
    }

    private boolean isInFiles(final SubscriptionFeed feed) {
        return logSubscriber.isInFiles(feed);
    }

    /**
     * What is still due to a feed that another one has superseded, or to the one that has taken it and waits, is gone:
     * that one is sent the state in the place of all that, or ends.
     */
    private void lose(final Session session, final SubscriptionFeed feed) {
        final SubscriptionFeed current = Succession.current(session, feed);
        dropSuperseded(session, feed);
        final ClientSubscription subscription = session.subscriptions.get(feed.subscription.id);
        if (subscription == null
                || (current != null && subscription.isStateful() && subscriber.resync(session, current))) {
            return;
        }
        if (subscriber.isTopicGone(subscription)) {
            subscriber.endDeleted(session, subscription);
        } else {
            end(session, subscription);
        }
    }

    private void dropSuperseded(final Session session, final SubscriptionFeed feed) {
        final long id = feed.subscription.id;
        // Feeds whose state is not sent to its end have nothing to go on from, in whichever shard.
        final boolean wasSendingState = cancelQueries(session, id);
        succession.drop(session, id, wasSendingState ? -1 : feed.interest.shard());
    }

    /** A feed that follows state was told all up to when another one took its place. */
    void onEnded(final Session session, final SubscriptionFeed feed) {
        succession.finish(session, feed);
    }

    /** A shard has opened the state anew for a subscription that had fallen behind. */
    void onResynced(final Session session, final Subscribe reply) {
        subscriber.onResynced(session, reply);
    }

    /** Tells a client of subscriptions that have ended. */
    int sendEnded(final Session session) {
        int count = 0;
        while (!session.ended.isEmpty() && session.outbox.hasRoom()) {
            final ClientSubscription subscription = session.ended.remove();
            final Refusal ended = subscription.ended == null ? fellBehind(subscription) : subscription.ended;
            context.answers.error(session.outbox, 0, subscription.id, 0, ended.code, false, ended.text);
            count++;
        }
        return count;
    }

    private static Refusal fellBehind(final ClientSubscription subscription) {
        return new Refusal(
                ErrorCode.FELL_BEHIND,
                "subscription " + subscription.id + " to " + subscription.topics.text()
                        + ": what it was to get next is no longer in the window (read faster, filter more, or raise"
                        + " window.segmentCount)");
    }

    /** Forgets feeds that others have taken the place of, once all that was enqueued for them is sent. */
    void retireFeeds(final Session session) {
        succession.retire(session);
    }

    private static boolean cancelQueries(final Session session, final long id) {
        boolean found = false;
        for (final ClientQuery query : session.queries) {
            if (query.id == id) {
                query.cancel();
                found = true;
            }
        }
        for (final HistoryQuery query : session.histories) {
            if (query.command.id() == id) {
                query.isCancelled = true;
                found = true;
            }
        }
        return found;
    }

    void acknowledge(final Session session, final long commandId, final int ackTypes) {
        if ((ackTypes & 1) != 0) {
            context.answers.ack(session.outbox, commandId, 0, AckType.RECEIVED);
        }
        if ((ackTypes & 2) != 0) {
            context.answers.ack(session.outbox, commandId, 0, AckType.PROCESSED);
        }
    }

    void checkSubscriptionId(final Session session, final long subscriptionId, final boolean replace) {
        final boolean used = session.subscriptions.containsKey(subscriptionId);
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
        if (!replace && session.subscriptions.size() >= context.settings.subscriptionCountMax()) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: no more subscriptions: " + session.subscriptions.size()
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

    /** What is sent of a record always has its key. */
    private @Nullable FieldSelection withKey(final TopicPattern topics, final @Nullable FieldSelection selection) {
        if (selection == null || !topics.isLiteral()) {
            return selection;
        }
        return context.withKey(topics.text(), selection);
    }
}
