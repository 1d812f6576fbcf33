package io.penstock.broker.session.deliver;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.session.feed.FeedEvent;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.send.HeaderlessRecords;
import io.penstock.broker.session.send.RecordCopies;
import io.penstock.broker.session.subscribe.FeedRecovery;
import io.penstock.broker.session.subscribe.LogSubscriber;
import io.penstock.broker.session.subscribe.SessionRings;
import io.penstock.broker.session.subscribe.SubscribeHandler;
import io.penstock.broker.session.subscribe.SubscriptionPacer;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Replay;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.transport.Connection;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The sender: follows a session's descriptors into the log and offers their records to its connection, straight from
 * the window, or from a page of a file. A descriptor stays in its ring until the connection has taken all of it.
 * Confined to one I/O agent.
 */
public final class Deliverer implements ControlledMessageHandler {
    private final SessionContext context;
    private final SubscribeHandler subscribeHandler;
    private final LogSubscriber logSubscriber;
    private final FeedRecovery recovery;
    private final SubscriptionPacer pacer;
    private final SessionRings rings;
    private final RecordCopies copies = RecordCopies.create();
    private final LongRecords longRecords = new LongRecords(copies);
    private final DeliverHeader header = new DeliverHeader();
    private @Nullable Session session;
    private @Nullable DescriptorRing ring;
    private boolean releasing;
    private boolean recalling;

    /** Makes it for the sessions of one I/O agent. */
    public Deliverer(
            final SessionContext context,
            final SubscribeHandler subscribeHandler,
            final SubscriptionPacer pacer,
            final SessionRings rings) {
        this.context = context;
        this.subscribeHandler = subscribeHandler;
        logSubscriber = subscribeHandler.logSubscriber();
        recovery = subscribeHandler.recovery();
        this.pacer = pacer;
        this.rings = rings;
    }

    /** Delivers up to a number of descriptors from each of a session's rings. Returns the number delivered. */
    public int deliver(final Session to, final int limit) {
        session = to;
        releasing = false;
        int count = 0;
        if (to.delivery().partRing() != null) {
            count += read(to.delivery().partRing(), 1);
            if (to.delivery().partSent() > 0) {
                return count;
            }
        }
        count += read(to.delivery().filesRing(), limit);
        if (to.delivery().partSent() > 0) {
            return count;
        }
        count += read(to.delivery().replayRing(), limit);
        for (int i = 0; i < to.delivery().liveRings().length && to.delivery().partSent() == 0; i++) {
            count += read(to.delivery().liveRing(i), limit);
        }
        return count;
    }

    /** Ends the subscriptions of a session that would still read what has been released, and forgets the rest of it. */
    public void release(final Session of) {
        session = of;
        releasing = true;
        read(of.delivery().replayRing(), Integer.MAX_VALUE);
        for (final DescriptorRing live : of.delivery().liveRings()) {
            read(live, Integer.MAX_VALUE);
        }
    }

    /** Gives back the pages of a session that are not sent; what was to be sent goes on from there later. */
    public void recall(final Session of) {
        session = of;
        releasing = false;
        recalling = true;
        read(of.delivery().filesRing(), Integer.MAX_VALUE);
        recalling = false;
    }

    private int read(final @Nullable DescriptorRing from, final int limit) {
        ring = from;
        return from == null ? 0 : from.read(this, limit);
    }

    @Override
    public Action onMessage(final int type, final MutableDirectBuffer buffer, final int index, final int length) {
        final Session to = session;
        final long position = Descriptor.position(buffer, index);
        if (to != null && type == Descriptor.TYPE_PAGE_END) {
            logSubscriber.onPageEnd(to, (int) position);
            return Action.CONTINUE;
        }
        final SubscriptionFeed feed = to == null ? null : feed(to, Descriptor.subscription(buffer, index));
        if (to == null || feed == null) {
            // It has ended since, or has another filter; what was on its way is dropped.
            return to == null || to.subscriptions().changed().isEmpty() || onEarlier(to, type, buffer, index)
                    ? Action.CONTINUE
                    : Action.ABORT;
        }
        if (feed.isFrozen() && !isHalfSent(to)) {
            return Action.ABORT;
        }
        final long sequence = Descriptor.sequence(buffer, index);
        return switch (type) {
            case Descriptor.TYPE_RUN, Descriptor.TYPE_PAGE_RUN ->
                (feed.isDiverting() || !feed.subscription().pace().hasCredit()) && !isHalfSent(to)
                        ? divert(to, feed, sequence)
                        : onRun(
                                to,
                                feed,
                                type == Descriptor.TYPE_PAGE_RUN,
                                position,
                                sequence,
                                Descriptor.runLength(buffer, index),
                                Descriptor.topicId(buffer, index),
                                Descriptor.recordCount(buffer, index),
                                Descriptor.kind(buffer, index));
            case Descriptor.TYPE_TURN -> onTurn(to, feed, position, sequence);
            case Descriptor.TYPE_LIVE -> feed.isServedByCursor() ? Action.ABORT : Action.CONTINUE;
            case Descriptor.TYPE_CURSOR_END -> {
                feed.on(FeedEvent.CAUGHT_UP);
                yield Action.CONTINUE;
            }
            case Descriptor.TYPE_FELL_BEHIND -> {
                // Without a cursor, the notice comes from its shard, which follows state for it.
                if (feed.isServedByCursor()) {
                    feed.on(FeedEvent.LOST);
                }
                yield fellBehind(to, feed, sequence);
            }
            case Descriptor.TYPE_TOPIC_DELETED -> recovery.onTopicDeleted(to, feed) ? Action.CONTINUE : Action.ABORT;
            case Descriptor.TYPE_FILES_END -> {
                logSubscriber.onFilesEnd(to, feed, position, sequence);
                yield Action.CONTINUE;
            }
            case Descriptor.TYPE_COMPLETED ->
                logSubscriber.onCompleted(to, feed, position == 1) ? Action.CONTINUE : Action.ABORT;
            case Descriptor.TYPE_ENDED -> {
                subscribeHandler.onEnded(to, feed);
                yield Action.CONTINUE;
            }
            case Descriptor.TYPE_FAILED -> {
                logSubscriber.onFailed(to, feed, sequence);
                yield Action.CONTINUE;
            }
            case Descriptor.TYPE_GONE -> {
                logSubscriber.onGone(to, feed, sequence);
                yield Action.CONTINUE;
            }
            default -> throw new IllegalStateException("descriptor: unknown type: " + type);
        };
    }

    /** Returns false when it is not known yet how a feed goes on that has another filter now. */
    private boolean onEarlier(final Session to, final int type, final MutableDirectBuffer buffer, final int index) {
        final boolean isDue = type == Descriptor.TYPE_RUN || type == Descriptor.TYPE_TURN;
        return !isDue
                || subscribeHandler
                        .filterChange()
                        .onEarlier(to, Descriptor.subscription(buffer, index), Descriptor.sequence(buffer, index));
    }

    /** Whether the rest of a record is to be sent before anything else. */
    private boolean isHalfSent(final Session to) {
        return to.delivery().partSent() > 0 && ring == to.delivery().partRing();
    }

    private Action divert(final Session to, final SubscriptionFeed feed, final long sequence) {
        logSubscriber.divert(to, feed, sequence);
        return Action.CONTINUE;
    }

    /** A record that is half sent goes on, whether its subscription has ended meanwhile or not. */
    private @Nullable SubscriptionFeed feed(final Session to, final long number) {
        return isHalfSent(to)
                ? to.delivery().partOf()
                : to.subscriptions().feeds().get(number);
    }

    private Action onTurn(final Session to, final SubscriptionFeed feed, final long position, final long sequence) {
        if (position < context.shards().releasedPosition(feed.interest().shard())) {
            return fellBehind(to, feed, sequence);
        }
        if (feed.isDiverting()) {
            return divert(to, feed, sequence);
        }
        if (!context.shards()
                .cursors()
                .start(feed.interest(), rings.replay(to), position, Replay.untilLive(sequence))) {
            return Action.ABORT;
        }
        feed.on(FeedEvent.CURSOR_STARTED);
        feed.nextSequence(sequence);
        recovery.report(EventKind.SUBSCRIPTION_SLOW, to, feed.subscription(), "its ring is full");
        return Action.CONTINUE;
    }

    private Action onRun(
            final Session to,
            final SubscriptionFeed feed,
            final boolean inPage,
            final long position,
            final long sequence,
            final int runLength,
            final int topicId,
            final int recordCount,
            final int kind) {
        final int shard = feed.interest().shard();
        if (!inPage && position < context.shards().releasedPosition(shard)) {
            return fellBehind(to, feed, sequence);
        }
        if (recalling && !isHalfSent(to)) {
            logSubscriber.recall(to, feed, sequence);
            return Action.CONTINUE;
        }
        // A topic's name waits in the outbox and has to come before its messages.
        if (releasing
                || recalling
                || to.delivery().inFlight().isFull()
                || (to.delivery().partSent() == 0 && !to.outbox().isEmpty())) {
            return Action.ABORT;
        }
        final ShardPort port = context.shards().port(shard);
        TopicAccess access = to.topics().access(shard, topicId);
        if (access == null || !access.isAnnounced()) {
            final Topic topic = access == null ? topic(port, topicId) : access.topic();
            if (topic == null) {
                // The topic was deleted, as many others since, and its name has to be sent first.
                pacer.unparkNext(to, feed.subscription());
                return Action.CONTINUE;
            }
            access = context.announce(to, topic);
            if (!to.outbox().flush()) {
                return Action.ABORT;
            }
        }
        final boolean isAllowed = feed.subscription().isReplay() ? access.mayReplay() : access.maySubscribe();
        if (!isAllowed && !isHalfSent(to)) {
            pacer.unparkNext(to, feed.subscription());
            return Action.CONTINUE;
        }
        if (feed.isInState(sequence) && access.topic().state() != null && !isHalfSent(to)) {
            return sequence + recordCount <= feed.startSequence()
                    ? Action.CONTINUE
                    : divert(to, feed, feed.startSequence());
        }
        final LogWindow window = port.window();
        final UnsafeBuffer log =
                inPage ? logSubscriber.pages().buffer((int) (position >> Integer.SIZE)) : window.buffer(position);
        final int offset = inPage ? (int) position : window.offset(position);
        final boolean isLong =
                runLength + DeliverHeader.LENGTH > to.connection().bestSendLength();
        final int sendLength = isLong
                ? runLength
                : RecordRun.firstLength(
                        log, offset, runLength, feed.subscription().pace().credit());
        header.encode(feed.subscription().id(), shard, topicId, kind);
        final boolean isCut = LongRecords.isCut(to, access);
        final long taken;
        if (isLong) {
            taken = isCut
                    ? longRecords.offerCut(to, feed, ring, header.buffer(), log, offset, position, access)
                    : longRecords.offer(to, feed, ring, header.buffer(), log, offset);
        } else {
            taken = isCut ? offerCut(to, log, offset, sendLength, access) : offer(to, log, offset, sendLength);
        }
        if (taken == Connection.BACK_PRESSURED) {
            context.counters().deliveriesRefused().incrementPlain();
            return Action.ABORT;
        }
        if (inPage) {
            to.delivery().takenPosition(Math.max(to.delivery().takenPosition(), taken));
        } else if (taken > to.connection().completedPosition()) {
            to.delivery().inFlight().add(taken, shard, position);
        }
        if (!inPage && context.time().latencies().isSampling(context.nowNs()) && isLive(feed)) {
            context.time().latencies().onDelivered(context.nowNs(), RecordDescriptor.timestampNs(log, offset));
        }
        feed.onSent();
        final int sentLength = isCut ? copies.cut().length() : sendLength;
        feed.subscription().pace().spend(RecordDescriptor.alignedLength(sentLength));
        pacer.unparkNext(to, feed.subscription());
        to.times().lastSentNs(context.nowNs());
        final int wholeCount = sendLength == runLength ? recordCount : RecordRun.count(log, offset, sendLength);
        final int sentCount = isCut ? copies.cut().count() : wholeCount;
        context.counters().messagesDelivered().getAndAddPlain(sentCount);
        context.counters().bytesDelivered().getAndAddPlain(sentLength);
        to.delivery().onDelivered(taken, sentCount, sentLength);
        feed.onDelivered(sequence, wholeCount, sentCount);
        if (sendLength == runLength) {
            return feed.isChanging() ? onHalfSentEnd(to, feed) : Action.CONTINUE;
        }
        return divert(to, feed, RecordDescriptor.sequence(log, offset + sendLength));
    }

    /** A record was half sent when the filter of its feed was changed: the feed goes on after it. */
    private Action onHalfSentEnd(final Session to, final SubscriptionFeed feed) {
        if (to.subscriptions().feeds().get(feed.interest().feed()) == feed) {
            logSubscriber.divert(to, feed, feed.unsentSequence());
        }
        return Action.CONTINUE;
    }

    /** Whether what it is sent has just been applied. */
    private static boolean isLive(final SubscriptionFeed feed) {
        return !feed.isServedByCursor() && !feed.subscription().isReplay();
    }

    /** The topic of what was enqueued, which may have been deleted since. */
    private static @Nullable Topic topic(final ShardPort port, final int topicId) {
        final Topic topic = port.topics().find(topicId);
        return topic == null ? port.topics().findDeleted(topicId) : topic;
    }

    /** Offers a run that fits into one unit, as it lies in the log if the client knows what is in it. */
    private long offer(final Session to, final UnsafeBuffer log, final int offset, final int runLength) {
        return to.profile().protocolVersion() == 1 && HeaderlessRecords.hasHeaders(log, offset, runLength)
                ? copies.headerless().offer(to.connection(), header.buffer(), log, offset, runLength)
                : to.connection().offer(header.buffer(), 0, DeliverHeader.LENGTH, log, offset, runLength, 0);
    }

    /** Offers a copy of a run without what is hidden from the client. */
    private long offerCut(
            final Session to, final UnsafeBuffer log, final int offset, final int runLength, final TopicAccess access) {
        final FieldSelection hidden = access.hidden();
        return copies.cut()
                .offer(
                        to.connection(),
                        header.buffer(),
                        log,
                        offset,
                        runLength,
                        access.topic().format(),
                        hidden == null ? FieldSelection.NONE : hidden,
                        to.profile().protocolVersion() == 1);
    }

    private Action fellBehind(final Session to, final SubscriptionFeed feed, final long sequence) {
        if (isHalfSent(to)) {
            // The rest of a half-sent message is lost: this connection cannot go on.
            LongRecords.endPart(to);
            to.state(Session.State.CUT_OFF);
        }
        if (to.subscriptions().feeds().containsKey(feed.interest().feed())) {
            recovery.onFellBehind(to, feed, sequence);
        }
        return Action.CONTINUE;
    }
}
