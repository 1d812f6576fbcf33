package io.penstock.broker.session;

import io.penstock.broker.journal.LogPages;
import io.penstock.broker.shard.command.Hold;
import io.penstock.broker.shard.command.Unsubscribe;
import io.penstock.broker.shard.feed.CursorPort;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;

/**
 * Moves parts of subscriptions between those who serve them: the sequencer, cursors over the window, cursors over files.
 * Whenever a part is to be served by another one, it goes on, under a new number, with the first record that was not sent;
 * what is still on its way to the old number is dropped. Confined to one I/O agent.
 */
final class LogSubscriber {
    private final SessionContext context;
    private final SessionRings rings;
    private final StateSubscriber subscriber;
    private final Succession succession;

    LogSubscriber(
            final SessionContext context,
            final SessionRings rings,
            final StateSubscriber subscriber,
            final Succession succession) {
        this.context = context;
        this.rings = rings;
        this.subscriber = subscriber;
        this.succession = succession;
    }

    /** Whether a part that has left the window goes on from files. */
    boolean isInFiles(final SubscriptionPart part) {
        return part.interest.follow() == null && isJournaled(part);
    }

    /** Asks a part's shard where the log is, and to keep the part if it goes live later. */
    void hold(final Session session, final SubscriptionPart part, final long replacedPart, final boolean isDiverted) {
        final int shard = part.interest.shard();
        // There in any case: who has one is asked to release the window.
        final DescriptorRing live = rings.live(session, shard);
        part.isHeld = attaches(part);
        context.submit(
                shard,
                new Hold(
                        context.settings.ioAgent(),
                        part.interest,
                        part.isHeld ? part.subscription.takeFilter() : null,
                        part.isHeld ? live : null,
                        replacedPart,
                        isDiverted));
    }

    /** A shard keeps a part that had fallen behind. */
    void onHeld(final Session session, final Hold reply) {
        final SubscriptionPart part = session.parts.get(reply.interest().part());
        if (part != null) {
            goOn(session, part, part.nextSequence);
        }
    }

    /** Starts the cursor of a part. */
    void goOn(final Session session, final SubscriptionPart part, final long sequence) {
        part.nextSequence = sequence;
        part.isStarting = false;
        // Not for want of credit: there may be nothing that would need any.
        part.isParked = part.subscription.isPaused;
        part.isDiverting = false;
        if (part.isHeld && (part.isParked || !attaches(part))) {
            letGo(session, part);
        }
        if (part.isParked || leaves(session, part, sequence)) {
            return;
        }
        part.cursor = true;
        if (isJournaled(part)) {
            part.inFiles = true;
            final DescriptorRing ring = rings.files(session);
            final Replay replay = replay(part, sequence);
            context.onCursors(() -> context.cursors.startInFiles(part.interest, ring, replay));
        } else {
            startInWindow(session, part, sequence);
        }
    }

    /** A cursor over files has come to where the window is. */
    void onFilesEnd(
            final Session session, final SubscriptionPart part, final long lastTimestampNs, final long sequence) {
        part.inFiles = false;
        part.lastTimestampNs = lastTimestampNs;
        if (part.isDiverting) {
            divert(session, part, sequence);
        } else {
            startInWindow(session, part, sequence);
        }
    }

    private void startInWindow(final Session session, final SubscriptionPart part, final long sequence) {
        final DescriptorRing ring = rings.replay(session);
        final Replay replay = replay(part, sequence);
        context.onCursors(() -> context.cursors.start(part.interest, ring, CursorPort.BY_SEQUENCE, replay));
    }

    /** Ends a part whose place another one has taken, when the next record is not for it. Returns whether it is so. */
    boolean leaves(final Session session, final SubscriptionPart part, final long sequence) {
        if (!part.isLeaving || sequence <= part.toSequence || !part.isCompleted) {
            return false;
        }
        succession.finish(session, part);
        return true;
    }

    /** A part of which nothing was sent so far waits for those before it. */
    void putOff(final Session session, final SubscriptionPart part) {
        final SubscriptionPart next = renew(session, part);
        letGo(session, part);
        next.isWaiting = true;
        next.nextSequence = next.startSequence;
    }

    /** A part goes on with a record in another way, now or when it is no longer held back. */
    void divert(final Session session, final SubscriptionPart part, final long sequence) {
        if (leaves(session, part, sequence)) {
            return;
        }
        final SubscriptionPart next = renew(session, part);
        next.nextSequence = sequence;
        if (next.subscription.isHeldBack()) {
            letGo(session, part);
            next.isParked = true;
        } else {
            hold(session, next, part.interest.part(), true);
        }
    }

    /** Somebody else needs the page that a part's next record is in: it goes on when its client reads again. */
    void recall(final Session session, final SubscriptionPart part, final long sequence) {
        if (leaves(session, part, sequence)) {
            return;
        }
        final SubscriptionPart next = renew(session, part);
        letGo(session, part);
        next.nextSequence = sequence;
        next.isParked = true;
        session.recalled.add(next);
    }

    /** Goes on with parts whose pages others needed. */
    int resumeRecalled(final Session session) {
        int count = 0;
        while (!session.recalled.isEmpty() && session.connection.isFlushed()) {
            final SubscriptionPart part = session.recalled.remove();
            if (session.parts.get(part.interest.part()) == part && !part.subscription.isHeldBack()) {
                unpark(session, part);
            }
            count++;
        }
        return count;
    }

    /**
     * A cursor has described what its client asked for at first, or all that there is for it. Returns false when the client
     * cannot be told now.
     */
    boolean onCompleted(final Session session, final SubscriptionPart part, final boolean isAtEnd) {
        if (!session.outbox.hasRoom()) {
            return false;
        }
        final ClientSubscription subscription = part.subscription;
        part.isCompleted = true;
        part.isEnded = isAtEnd;
        if (part.isLeaving && isAtEnd) {
            part.cursor = false;
            succession.finish(session, part);
        }
        for (final SubscriptionPart other : subscription.parts) {
            if (!other.isCompleted) {
                return true;
            }
        }
        if (subscription.completedCommandId != 0) {
            context.answers.ack(session.outbox, subscription.completedCommandId, 0, AckType.COMPLETED);
            subscription.completedCommandId = 0;
        }
        if (subscription.isRange && !part.isLeaving) {
            subscriber.remove(session, subscription, false);
        }
        return true;
    }

    /** A record that a part is to get cannot be read. */
    void onFailed(final Session session, final SubscriptionPart part, final long sequence) {
        // The one that its client knows, when another one has taken its place.
        final ClientSubscription current = session.subscriptions.get(part.subscription.id);
        final ClientSubscription subscription = current == null ? part.subscription : current;
        final Refusal reason = new Refusal(
                ErrorCode.JOURNAL_FAILED,
                "subscription " + subscription.id + " to " + subscription.topics.text() + ": record "
                        + part.interest.shard() + ":" + sequence
                        + " cannot be read (the broker's error log says more; go on after it)");
        subscriber.end(session, subscription, reason);
    }

    /** What a part was to get next was removed from the log: it is sent the state anew, or it ends. */
    void onGone(final Session session, final SubscriptionPart part, final long sequence) {
        final ClientSubscription current = session.subscriptions.get(part.subscription.id);
        final ClientSubscription subscription = current == null ? part.subscription : current;
        part.cursor = false;
        part.inFiles = false;
        final SubscriptionPart known = part.isLeaving ? Succession.current(session, part) : part;
        if (part.isLeaving) {
            // What it lacks is lost to the one in its place, too.
            succession.drop(session, subscription.id, part.interest.shard());
        }
        if (known != null && subscription.isStateful() && subscriber.resync(session, known)) {
            return;
        }
        final Refusal reason = new Refusal(
                ErrorCode.BOOKMARK_NOT_FOUND,
                "subscription " + subscription.id + " to " + subscription.topics.text() + ": record "
                        + part.interest.shard() + ":" + sequence
                        + " was removed from the log before it was read (read faster, or raise journal.retentionLength"
                        + " or journal.retentionMs)");
        subscriber.end(session, subscription, reason);
    }

    /** Delivers nothing from now on. */
    void pause(final ClientSubscription subscription) {
        subscription.isPaused = true;
        for (final SubscriptionPart part : subscription.parts) {
            part.isDiverting |= part.isServed();
        }
    }

    /** Goes on where it was paused. */
    void resume(final Session session, final ClientSubscription subscription) {
        subscription.isPaused = false;
        for (final SubscriptionPart part : subscription.parts) {
            part.isDiverting &= part.isLeaving;
        }
        unparkAll(session, subscription);
    }

    /** Delivers more, if it had delivered all that was allowed. */
    void credit(final Session session, final ClientSubscription subscription, final long length) {
        subscription.giveCredit(length);
        if (subscription.rate.isLimited()) {
            unparkAll(session, subscription);
        } else {
            unparkNext(session, subscription);
        }
    }

    private void unparkAll(final Session session, final ClientSubscription subscription) {
        if (subscription.isHeldBack()) {
            return;
        }
        for (final SubscriptionPart part : subscription.parts) {
            if (part.isParked && !session.recalled.contains(part)) {
                unpark(session, part);
            }
        }
    }

    /**
     * Goes on with a part that lacked credit, in turn. It has something to send, and the next one goes on after that if
     * there is credit left: were all to go on at once, the first would have all there is, each time.
     */
    void unparkNext(final Session session, final ClientSubscription subscription) {
        if (!subscription.isOnCredit() || subscription.isHeldBack()) {
            return;
        }
        final SubscriptionPart[] parts = subscription.parts;
        for (int i = 0; i < parts.length; i++) {
            final int place = (subscription.turn + i) % parts.length;
            if (parts[place].isParked && !session.recalled.contains(parts[place])) {
                subscription.turn = (place + 1) % parts.length;
                unpark(session, parts[place]);
                return;
            }
        }
    }

    /** Whether nothing is left to be sent to those that are to be live, but to those that are paused. */
    boolean isDone(final Session session) {
        return session.subscriptions.allMatch(this::isDone) && Succession.isDone(session);
    }

    private boolean isDone(final ClientSubscription subscription) {
        for (final SubscriptionPart part : subscription.parts) {
            final boolean isInTurn =
                    part.isParked && subscription.isOnCredit() && !subscription.isPaused && attaches(part);
            if (part.isStarting || isInTurn) {
                return false;
            }
        }
        return true;
    }

    /** Sets how fast a subscription goes at most. */
    void rate(final ClientSubscription subscription, final Rate rate) {
        subscription.rate = rate;
        for (final SubscriptionPart part : subscription.parts) {
            if (part.cursor) {
                final long number = part.interest.part();
                final boolean inFiles = part.inFiles;
                context.onCursors(() -> context.cursors.rate(number, inFiles, rate));
            }
            // From its next record on it is a cursor with this rate, or one that may go live.
            part.isDiverting |= part.isServed();
        }
    }

    /** The pages that are read. */
    LogPages pages() {
        return context.cursors.pages();
    }

    /** All of a page was taken by the connection. */
    void onPageEnd(final Session session, final int page) {
        if (session.takenPosition > session.connection.completedPosition()) {
            session.sentPages.addLong(page);
            session.sentPages.addLong(session.takenPosition);
        } else {
            context.cursors.giveBack(page);
        }
    }

    /** Gives back the pages that the connection has completed. */
    void giveBackPages(final Session session) {
        final long completed = session.connection.completedPosition();
        while (!session.sentPages.isEmpty() && session.sentPages.getLong(1) <= completed) {
            context.cursors.giveBack((int) session.sentPages.getLong(0));
            session.sentPages.removeAt(0);
            session.sentPages.removeAt(0);
        }
    }

    /** Starts a part that nothing serves. */
    void unpark(final Session session, final SubscriptionPart part) {
        part.isParked = false;
        part.isStarting = true;
        hold(session, part, 0, true);
    }

    /** Gives a part a new number. What is described to the old one is dropped. */
    private SubscriptionPart renew(final Session session, final SubscriptionPart part) {
        session.parts.remove(part.interest.part());
        if (part.cursor) {
            context.stopCursor(part);
        }
        final Interest old = part.interest;
        final SubscriptionPart next = new SubscriptionPart(
                new Interest(
                        context.nextPart(), old.sessionId(), old.shard(), old.topics(), old.filter(), old.follow()),
                part);
        for (int i = 0; i < part.subscription.parts.length; i++) {
            if (part.subscription.parts[i] == part) {
                part.subscription.parts[i] = next;
            }
        }
        final int place = session.leaving.indexOf(part);
        if (place >= 0) {
            session.leaving.set(place, next);
        }
        session.parts.put(next.interest.part(), next);
        return next;
    }

    private void letGo(final Session session, final SubscriptionPart part) {
        part.isHeld = false;
        context.submit(
                part.interest.shard(),
                new Unsubscribe(context.settings.ioAgent(), session.id, part.interest.part(), false));
    }

    private Replay replay(final SubscriptionPart part, final long sequence) {
        final ClientSubscription subscription = part.subscription;
        return new Replay(
                sequence,
                part.fromTimeNs,
                part.toSequence,
                subscription.toTimeNs,
                part.isCompleted ? -1 : part.completedSequence,
                isJournaled(part) && !subscription.isLive,
                attaches(part),
                subscription.rate,
                part.lastTimestampNs);
    }

    /** Whether a part goes live when it has caught up. */
    private boolean attaches(final SubscriptionPart part) {
        final ClientSubscription subscription = part.subscription;
        return !subscription.isRange
                && part.toSequence == Long.MAX_VALUE
                && !subscription.rate.isLimited()
                && (subscription.isLive || !isJournaled(part));
    }

    private boolean isJournaled(final SubscriptionPart part) {
        return context.ports[part.interest.shard()].isJournaled();
    }
}
