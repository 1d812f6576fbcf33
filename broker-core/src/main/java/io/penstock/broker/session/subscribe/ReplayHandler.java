package io.penstock.broker.session.subscribe;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.session.client.Entries;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.feed.SubscriptionRights;
import io.penstock.broker.session.query.HiddenFields;
import io.penstock.broker.session.text.Bookmarks;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.session.text.WireText;
import io.penstock.broker.shard.command.Hold;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.SubscribeFromDecoder;
import org.agrona.DirectBuffer;

/** Takes commands that subscribe from a place of the log. Confined to one I/O agent. */
public final class ReplayHandler {
    private static final int ACKS_SUPPORTED = 0b1011;
    private static final int ACK_COMPLETED = 0b1000;
    private static final int OPTION_PATTERN = 1;
    private static final int OPTION_LIVE = 1 << 1;
    private static final int OPTION_START_INCLUDED = 1 << 2;
    private static final int OPTION_END_INCLUDED = 1 << 3;
    private static final int OPTION_CREDIT = 1 << 4;
    private static final int OPTIONS_KNOWN = (1 << 5) - 1;
    private static final int BEGINNING = 0;
    private static final int NOW = 1;
    private static final int BOOKMARK = 2;
    private static final int TIME = 3;
    private static final int MISSING_FAIL = 0;
    private static final int MISSING_BEGINNING = 1;
    private static final int MISSING_MAX = 2;
    private static final long NO_END = -1;

    private final SessionContext context;
    private final SubscribeHandler subscribeHandler;
    private final LogSubscriber logSubscriber;
    private final CommandTexts texts;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SubscribeFromDecoder subscribeFromCommand = new SubscribeFromDecoder();

    /** Makes it for the sessions of one I/O agent. */
    public ReplayHandler(final SessionContext context, final SubscribeHandler subscribeHandler) {
        this.context = context;
        this.subscribeHandler = subscribeHandler;
        logSubscriber = subscribeHandler.logSubscriber();
        texts = new CommandTexts(context.gate());
    }

    /** A place in the log, as it was asked for. */
    private static final class Place {
        private final int kind;
        private final long[] sequences;
        private final boolean isIncluded;
        private final long timeNs;

        private Place(final int kind, final long[] sequences, final boolean isIncluded, final long timeNs) {
            this.kind = kind;
            this.sequences = sequences;
            this.isIncluded = isIncluded;
            this.timeNs = timeNs;
        }

        /** The sequence of a shard; negative when there is no bookmark, or it says nothing of the shard. */
        private long sequence(final int shard) {
            return sequences.length == 0 ? -1 : sequences[shard];
        }
    }

    /** A request for messages of the log. */
    private record Request(
            long commandId, int ackTypes, ClientSubscription subscription, Place start, Place end, int ifMissing) {}

    /** Begins a subscription at a place of the log, or refuses to. */
    public void onSubscribeFrom(final Session session, final DirectBuffer buffer, final int offset) {
        final SubscribeFromDecoder command = subscribeFromCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final long subscriptionId = command.subscriptionId();
        final int options = command.options().getRaw();
        final int ackTypes = command.ackTypes().getRaw();
        final int ifMissing = command.ifMissingRaw();
        final int startKind = command.startRaw();
        final int endKind = command.endRaw();
        final long startTimeNs = command.startTimeNs();
        final long endTimeNs = command.endTimeNs();
        final int rateUnit = command.rateUnitRaw();
        final long rate = command.rate();
        final int rateMaxGapMs = command.rateMaxGapMs();
        final String topicText = WireText.of(command::wrapTopic);
        final String filterText = WireText.of(command::wrapFilter);
        final String startText = command.startBookmark();
        final String endText = command.endBookmark();
        try {
            if (context.isDraining()) {
                throw new Refusal(ErrorCode.SHUTTING_DOWN, "subscribe: broker is shutting down (connect again later)");
            }
            if ((options & ~OPTIONS_KNOWN) != 0
                    || (ackTypes & ~ACKS_SUPPORTED) != 0
                    || startKind > TIME
                    || endKind > TIME
                    || ifMissing > MISSING_MAX) {
                throw new Refusal(
                        ErrorCode.NOT_SUPPORTED,
                        "subscribe: unknown option, place or acknowledgement (ask for received, processed or"
                                + " completed)");
            }
            subscribeHandler.checkSubscriptionId(session, subscriptionId, false);
            final TopicPattern topics = texts.topics(
                    session.profile().principal(),
                    SubscriptionRights.neededForReplay(),
                    "subscribe to",
                    topicText,
                    (options & OPTION_PATTERN) != 0);
            final Place start = place(startKind, startText, (options & OPTION_START_INCLUDED) != 0, startTimeNs);
            final Place end = place(endKind, endText, (options & OPTION_END_INCLUDED) != 0, endTimeNs);
            final ClientSubscription subscription = new ClientSubscription(
                    subscriptionId,
                    topics,
                    SubscriptionRights.of(
                            context.gate(),
                            session.profile().principal(),
                            SubscriptionRights.neededForReplay(),
                            topics,
                            CommandTexts.filter(filterText)),
                    null,
                    null,
                    topics.isLiteral() ? 1 : context.shards().count());
            HiddenFields.check(context, session, subscription);
            subscription.isLive((options & OPTION_LIVE) != 0);
            if ((options & OPTION_CREDIT) != 0) {
                subscription.pace().beginOnCredit();
            }
            subscription.isRange(endKind != BEGINNING);
            subscription.toTimeNs(endKind == TIME ? endTimeNs : Long.MAX_VALUE);
            subscription.pace().rate(PaceHandler.rate(rateUnit, rate, rateMaxGapMs));
            subscription
                    .due()
                    .completedCommandId(subscription.isRange() || (ackTypes & ACK_COMPLETED) != 0 ? commandId : 0);
            begin(session, new Request(commandId, ackTypes, subscription, start, end, ifMissing));
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, subscriptionId, 0, refusal.code(), refusal.text());
        }
    }

    private Place place(final int kind, final String text, final boolean isIncluded, final long timeNs) {
        final boolean isSaid = kind == BOOKMARK || (kind == NOW && !text.isEmpty());
        final long[] sequences =
                isSaid ? Bookmarks.sequences(text, context.shards().count()) : new long[0];
        return new Place(kind, sequences, isIncluded, timeNs);
    }

    private void begin(final Session session, final Request request) {
        final ClientSubscription subscription = request.subscription();
        context.takeSubscription(session, subscription, null);
        final int firstShard = subscription.topics().isLiteral()
                ? context.topics().rules().shard(subscription.topics().text())
                : 0;
        final Hold[] replies = new Hold[subscription.feeds().length];
        session.commands()
                .pending(new PendingCommand(
                        replies.length,
                        (of, reply) -> {
                            final Hold hold = (Hold) reply;
                            replies[hold.interest().shard() - firstShard] = hold;
                        },
                        of -> onHeld(of, request, replies)));
        for (int i = 0; i < replies.length; i++) {
            final Interest interest = subscription.interest(context.nextFeed(), session.id(), firstShard + i);
            final SubscriptionFeed feed = SubscriptionFeed.fromLog(interest, subscription);
            subscription.feeds()[i] = feed;
            session.subscriptions().feeds().put(interest.feed(), feed);
            logSubscriber.hold(session, feed, 0, false);
        }
    }

    private void onHeld(final Session session, final Request request, final Hold[] replies) {
        final ClientSubscription subscription = request.subscription();
        try {
            for (int i = 0; i < replies.length; i++) {
                place(subscription.feeds()[i], request, replies[i]);
            }
        } catch (final Refusal refusal) {
            subscription.lease().close();
            for (final SubscriptionFeed feed : subscription.feeds()) {
                session.subscriptions().feeds().remove(feed.interest().feed());
                context.shards().unsubscribe(session.id(), feed.interest(), false);
            }
            context.refuse(session, request.commandId, subscription.id(), 0, refusal.code(), refusal.text());
            return;
        }
        context.counters().subscriptions().incrementRelease();
        subscription.due().isBeginning(true);
        session.subscriptions().byId().put(subscription.id(), subscription);
        session.commands().entries(new Beginnings(request));
    }

    /** Finds where a feed begins and ends. */
    private void place(final SubscriptionFeed feed, final Request request, final Hold shard) {
        final int number = feed.interest().shard();
        final JournalFiles files = context.shards().port(number).files();
        final long first = files == null ? shard.oldestSequence() : Math.max(1, files.firstSequence());
        final long newest = shard.newestSequence();
        final Place start = request.start;
        final long next = switch (start.kind) {
            case BEGINNING -> first;
            case NOW -> newest + 1;
            case BOOKMARK -> afterBookmark(feed, request, first, newest);
            default -> {
                feed.beginAt(start.timeNs);
                yield files == null ? first : Math.max(first, files.sequenceBefore(start.timeNs));
            }
        };
        feed.nextSequence(next);
        final Place end = request.end;
        long completedSequence = newest;
        if (end.kind == BOOKMARK && end.sequence(number) >= 0) {
            completedSequence = end.isIncluded ? end.sequence(number) : end.sequence(number) - 1;
            if (completedSequence > newest || end.sequence(number) + 1 < first) {
                throw notFound(number, end.sequence(number), first, newest);
            }
        } else if (end.kind == NOW && end.sequence(number) >= 0) {
            completedSequence = Math.min(newest, end.sequence(number));
        } else if (end.kind == TIME && end.timeNs > shard.timeNs()) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY,
                    "subscribe: its end is in the future (leave the end out, and unsubscribe then)");
        }
        if (isReversed(feed, request, shard)) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY,
                    "subscribe: its end is before its start in shard " + number + " (exchange them, or begin earlier)");
        }
        feed.completeAt(Math.max(0, completedSequence));
        if (feed.subscription().isRange()) {
            feed.endAt(feed.completedSequence());
        }
    }

    /**
     * Whether a feed's end is before its start. A time and a bookmark could be compared only by reading the records.
     */
    private static boolean isReversed(final SubscriptionFeed feed, final Request request, final Hold shard) {
        final Place start = request.start;
        final Place end = request.end;
        final int number = feed.interest().shard();
        final boolean isIncluded = start.kind == BOOKMARK && start.isIncluded;
        return switch (end.kind) {
            case BOOKMARK ->
                (start.kind == NOW || (start.kind == BOOKMARK && start.sequence(number) > 0))
                        && end.sequence(number) >= 0
                        && end.sequence(number) < feed.nextSequence() - (isIncluded ? 0 : 1);
            case TIME ->
                start.kind == NOW ? end.timeNs < shard.timeNs() : (start.kind == TIME && end.timeNs < start.timeNs);
            case NOW -> start.kind == TIME && shard.timeNs() < start.timeNs;
            default -> false;
        };
    }

    private static long afterBookmark(
            final SubscriptionFeed feed, final Request request, final long first, final long newest) {
        final int number = feed.interest().shard();
        final long sequence = request.start.sequence(number);
        if (sequence < 0) {
            return first;
        }
        final long next = request.start.isIncluded ? Math.max(1, sequence) : sequence + 1;
        if (sequence <= newest && next >= first) {
            return next;
        }
        return switch (request.ifMissing) {
            case MISSING_FAIL -> throw notFound(number, sequence, first, newest);
            case MISSING_BEGINNING -> first;
            default -> newest + 1;
        };
    }

    private static Refusal notFound(final int shard, final long sequence, final long first, final long newest) {
        return new Refusal(
                ErrorCode.BOOKMARK_NOT_FOUND,
                "bookmark: " + shard + ":" + sequence + " is not in the log, which has " + first + " to " + newest
                        + " (begin at the beginning or now if it is missing)");
    }

    /** Says where each feed begins, then starts them all. */
    private final class Beginnings implements Entries {
        private final Request request;
        private int next;

        private Beginnings(final Request request) {
            this.request = request;
        }

        @Override
        public Step sendNext(final Session session) {
            final ClientSubscription subscription = request.subscription();
            final Refusal ended = subscription.ended();
            if (ended != null) {
                // Its client waits for an answer to the command.
                context.refuse(session, request.commandId, subscription.id(), 0, ended.code(), ended.text());
                return Step.ENDED;
            }
            if (next < subscription.feeds().length) {
                final SubscriptionFeed feed = subscription.feeds()[next++];
                context.answers()
                        .replayBegin(
                                session.outbox(),
                                request.commandId,
                                subscription.id(),
                                feed.nextSequence() - 1,
                                feed.interest().shard(),
                                subscription.isRange() ? feed.toSequence() : NO_END);
                return Step.SENT;
            }
            context.answers().acks(session.outbox(), request.commandId, request.ackTypes);
            subscription.due().isBeginning(false);
            for (final SubscriptionFeed feed : subscription.feeds().clone()) {
                logSubscriber.begin(session, feed);
            }
            return Step.ENDED;
        }
    }
}
