package io.penstock.broker.session.subscribe;

import io.penstock.broker.journal.LogPages;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.feed.FeedEvent;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.command.Hold;
import io.penstock.broker.shard.feed.CursorPort;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Replay;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;

/**
 * Moves feeds between the agents that serve them: the sequencer, cursors over the window, cursors over files. When the
 * server of a feed changes, the feed goes on, under a new number, with the first record that was not sent; records on
 * their way to the old number are dropped. Confined to one I/O agent.
 */
public final class LogSubscriber {
    private final SessionContext context;
    private final SessionRings rings;
    private final StateSubscriber subscriber;
    private final SubscriptionEnding ending;
    private final Succession succession;

    LogSubscriber(
            final SessionContext context,
            final SessionRings rings,
            final StateSubscriber subscriber,
            final SubscriptionEnding ending,
            final Succession succession) {
        this.context = context;
        this.rings = rings;
        this.subscriber = subscriber;
        this.ending = ending;
        this.succession = succession;
    }

    /** Whether a feed that has left the window goes on from files. */
    boolean isInFiles(final SubscriptionFeed feed) {
        return feed.interest().follow() == null && isJournaled(feed);
    }

    /** Asks a feed's shard where the log is, and to keep the feed if it goes live later. */
    void hold(final Session session, final SubscriptionFeed feed, final long replacedFeed, final boolean isDiverted) {
        final int shard = feed.interest().shard();
        // There in any case: who has one is asked to release the window.
        final DescriptorRing live = rings.live(session, shard);
        feed.hold(attaches(feed));
        context.shards()
                .submit(
                        shard,
                        new Hold(
                                context.settings().ioAgent(),
                                feed.interest(),
                                feed.isHeld() ? feed.subscription().takeFilter() : null,
                                feed.isHeld() ? live : null,
                                replacedFeed,
                                isDiverted));
    }

    /** A shard keeps a feed that lagged too far. */
    public void onHeld(final Session session, final Hold reply) {
        final SubscriptionFeed feed =
                session.subscriptions().feeds().get(reply.interest().feed());
        if (feed != null) {
            goOn(session, feed, feed.nextSequence());
        }
    }

    /** A subscription from a place of the log begins: its client was told where. */
    void begin(final Session session, final SubscriptionFeed feed) {
        if (feed.isChanging()) {
            divert(session, feed, feed.nextSequence());
        } else {
            goOn(session, feed, feed.nextSequence());
        }
    }

    /** Starts the cursor of a feed. */
    void goOn(final Session session, final SubscriptionFeed feed, final long sequence) {
        feed.nextSequence(sequence);
        feed.onDiverted();
        // Not for want of credit: there may be nothing that would need any.
        final boolean isStopped = feed.subscription().pace().isStopped();
        if (feed.isHeld() && (isStopped || !attaches(feed))) {
            letGo(session, feed);
        }
        if (isStopped) {
            feed.on(FeedEvent.HELD_BACK);
            return;
        }
        if (endIfSuperseded(session, feed, sequence)) {
            return;
        }
        if (isJournaled(feed)) {
            feed.on(FeedEvent.FILES_STARTED);
            final DescriptorRing ring = rings.files(session);
            final Replay replay = replay(feed, sequence);
            context.shards().onCursors(() -> context.shards().cursors().startInFiles(feed.interest(), ring, replay));
        } else {
            feed.on(FeedEvent.CURSOR_STARTED);
            startInWindow(session, feed, sequence);
        }
    }

    /** A cursor over files has come to where the window is. */
    public void onFilesEnd(
            final Session session, final SubscriptionFeed feed, final long lastTimestampNs, final long sequence) {
        feed.onFilesRead(lastTimestampNs);
        if (feed.isDiverting()) {
            divert(session, feed, sequence);
        } else {
            startInWindow(session, feed, sequence);
        }
    }

    private void startInWindow(final Session session, final SubscriptionFeed feed, final long sequence) {
        feed.nextSequence(sequence);
        final DescriptorRing ring = rings.replay(session);
        final Replay replay = replay(feed, sequence);
        context.shards()
                .onCursors(
                        () -> context.shards().cursors().start(feed.interest(), ring, CursorPort.BY_SEQUENCE, replay));
    }

    /** Ends a feed that another one has superseded, when the next record is not for it. Returns whether it is so. */
    boolean endIfSuperseded(final Session session, final SubscriptionFeed feed, final long sequence) {
        if (!feed.isSuperseded() || sequence <= feed.toSequence() || !feed.isCompleted()) {
            return false;
        }
        succession.finish(session, feed);
        return true;
    }

    /** A feed of which nothing was sent so far waits for those before it. */
    void putOff(final Session session, final SubscriptionFeed feed) {
        final SubscriptionFeed next = renew(session, feed);
        letGo(session, feed);
        next.putOff();
    }

    /** Another agent serves the feed from a record on, now or when it may send again. */
    public void divert(final Session session, final SubscriptionFeed feed, final long sequence) {
        if (endIfSuperseded(session, feed, sequence)) {
            return;
        }
        final SubscriptionFeed next = renew(session, feed);
        next.nextSequence(sequence);
        if (next.subscription().pace().isHeldBack()) {
            letGo(session, feed);
            next.on(FeedEvent.HELD_BACK);
        } else {
            hold(session, next, feed.interest().feed(), true);
        }
    }

    /** Somebody else needs the page that a feed's next record is in: it goes on when its client reads again. */
    public void recall(final Session session, final SubscriptionFeed feed, final long sequence) {
        if (!endIfSuperseded(session, feed, sequence)) {
            session.subscriptions().recalled().add(park(session, feed, sequence));
        }
    }

    /** Nothing serves a feed until it is resumed with a record. Returns it under its other number. */
    SubscriptionFeed park(final Session session, final SubscriptionFeed feed, final long sequence) {
        final SubscriptionFeed next = renew(session, feed);
        letGo(session, feed);
        next.nextSequence(sequence);
        next.on(FeedEvent.HELD_BACK);
        return next;
    }

    /** Goes on with feeds whose pages others needed. */
    public int resumeRecalled(final Session session) {
        int count = 0;
        while (!session.subscriptions().recalled().isEmpty()
                && session.connection().isFlushed()) {
            final SubscriptionFeed feed = session.subscriptions().recalled().remove();
            if (session.subscriptions().feeds().get(feed.interest().feed()) == feed
                    && !feed.subscription().pace().isHeldBack()) {
                unpark(session, feed);
            }
            count++;
        }
        return count;
    }

    /**
     * A cursor has enqueued what its client asked for at first, or all that there is for it. Returns false when the
     * client cannot be notified now.
     */
    public boolean onCompleted(final Session session, final SubscriptionFeed feed, final boolean isAtEnd) {
        if (!session.outbox().hasRoom()) {
            return false;
        }
        final ClientSubscription subscription = feed.subscription();
        feed.complete();
        if (isAtEnd) {
            feed.on(FeedEvent.RANGE_SENT);
            if (feed.isSuperseded()) {
                succession.finish(session, feed);
            }
        }
        for (final SubscriptionFeed other : subscription.feeds()) {
            if (!other.isCompleted()) {
                return true;
            }
        }
        if (subscription.due().completedCommandId() != 0) {
            context.answers().ack(session.outbox(), subscription.due().completedCommandId(), 0, AckType.COMPLETED);
            subscription.due().completedCommandId(0);
        }
        if (subscription.isRange() && !feed.isSuperseded()) {
            ending.remove(session, subscription, false);
        }
        return true;
    }

    /** A record that a feed is to get cannot be read. */
    public void onFailed(final Session session, final SubscriptionFeed feed, final long sequence) {
        // The subscription that its client knows, when this one is superseded.
        final ClientSubscription current =
                session.subscriptions().byId().get(feed.subscription().id());
        final ClientSubscription subscription = current == null ? feed.subscription() : current;
        final Refusal reason = new Refusal(
                ErrorCode.JOURNAL_FAILED,
                "subscription " + subscription.id() + " to "
                        + subscription.topics().text() + ": record "
                        + feed.interest().shard() + ":" + sequence
                        + " cannot be read (the broker's error log says more; go on after it)");
        ending.end(session, subscription, reason);
    }

    /**
     * The next record of a feed was removed from the log: its client is sent the state again, or the subscription ends.
     */
    public void onGone(final Session session, final SubscriptionFeed feed, final long sequence) {
        final ClientSubscription current =
                session.subscriptions().byId().get(feed.subscription().id());
        final ClientSubscription subscription = current == null ? feed.subscription() : current;
        feed.on(FeedEvent.LOST);
        final SubscriptionFeed known = feed.isSuperseded() ? Succession.current(session, feed) : feed;
        if (feed.isSuperseded()) {
            // The missing records are lost to its replacement, too.
            succession.drop(session, subscription.id(), feed.interest().shard());
        }
        if (known != null && subscription.isStateful() && subscriber.resync(session, known)) {
            return;
        }
        final Refusal reason = new Refusal(
                ErrorCode.BOOKMARK_NOT_FOUND,
                "subscription " + subscription.id() + " to "
                        + subscription.topics().text() + ": record "
                        + feed.interest().shard() + ":" + sequence
                        + " was removed from the log before it was read (read faster, or raise journal.retentionLength"
                        + " or journal.retentionMs)");
        ending.end(session, subscription, reason);
    }

    /** Whether nothing is left to be sent to those that are to be live, but to those that are paused. */
    public boolean isDone(final Session session) {
        return session.subscriptions().byId().allMatch(this::isDone) && Succession.isDone(session);
    }

    private boolean isDone(final ClientSubscription subscription) {
        for (final SubscriptionFeed feed : subscription.feeds()) {
            final boolean isInTurn = feed.isParked()
                    && subscription.pace().isOnCredit()
                    && !subscription.pace().isPaused()
                    && attaches(feed);
            if (feed.isStarting() || isInTurn || (feed.isSwitching() && attaches(feed))) {
                return false;
            }
        }
        return true;
    }

    /** The pages that are read. */
    public LogPages pages() {
        return context.shards().cursors().pages();
    }

    /** All of a page was taken by the connection. */
    public void onPageEnd(final Session session, final int page) {
        if (session.delivery().takenPosition() > session.connection().completedPosition()) {
            session.delivery().sentPages().addLong(page);
            session.delivery().sentPages().addLong(session.delivery().takenPosition());
        } else {
            context.shards().cursors().giveBack(page);
        }
    }

    /** Gives back the pages that the connection has completed. */
    public void giveBackPages(final Session session) {
        final long completed = session.connection().completedPosition();
        while (!session.delivery().sentPages().isEmpty()
                && session.delivery().sentPages().getLong(1) <= completed) {
            context.shards().cursors().giveBack((int)
                    session.delivery().sentPages().getLong(0));
            session.delivery().sentPages().removeAt(0);
            session.delivery().sentPages().removeAt(0);
        }
    }

    /** Starts a feed that nothing serves. */
    void unpark(final Session session, final SubscriptionFeed feed) {
        feed.on(FeedEvent.RESUMED);
        hold(session, feed, 0, true);
    }

    /** Gives a feed a new number. What is enqueued for the old one is dropped. */
    SubscriptionFeed renew(final Session session, final SubscriptionFeed feed) {
        if (feed.isServedByCursor()) {
            context.shards().stopCursor(feed);
        }
        final SubscriptionFeed next = feed.renew(feed.subscription()
                .interest(context.nextFeed(), session.id(), feed.interest().shard()));
        exchange(session, feed, next);
        return next;
    }

    /** A feed goes on as another one. */
    static void exchange(final Session session, final SubscriptionFeed feed, final SubscriptionFeed next) {
        session.subscriptions().feeds().remove(feed.interest().feed());
        for (int i = 0; i < feed.subscription().feeds().length; i++) {
            if (feed.subscription().feeds()[i] == feed) {
                feed.subscription().feeds()[i] = next;
            }
        }
        final int place = session.subscriptions().superseded().indexOf(feed);
        if (place >= 0) {
            session.subscriptions().superseded().set(place, next);
        }
        session.subscriptions().feeds().put(next.interest().feed(), next);
    }

    private void letGo(final Session session, final SubscriptionFeed feed) {
        feed.letGo();
        context.shards().unsubscribe(session.id(), feed.interest(), false);
    }

    private Replay replay(final SubscriptionFeed feed, final long sequence) {
        final ClientSubscription subscription = feed.subscription();
        return new Replay(
                sequence,
                feed.fromTimeNs(),
                feed.toSequence(),
                subscription.toTimeNs(),
                feed.completedSequence(),
                isJournaled(feed) && !subscription.isLive(),
                attaches(feed),
                subscription.pace().rate(),
                feed.lastTimestampNs());
    }

    /** Whether a feed goes live when it has caught up. */
    private boolean attaches(final SubscriptionFeed feed) {
        final ClientSubscription subscription = feed.subscription();
        return !subscription.isRange()
                && feed.toSequence() == Long.MAX_VALUE
                && !subscription.pace().rate().isLimited()
                && (subscription.isLive() || !isJournaled(feed));
    }

    private boolean isJournaled(final SubscriptionFeed feed) {
        return context.shards().port(feed.interest().shard()).isJournaled();
    }
}
