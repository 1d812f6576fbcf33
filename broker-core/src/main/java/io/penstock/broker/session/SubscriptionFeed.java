package io.penstock.broker.session;

import io.penstock.broker.shard.match.Interest;

/** The I/O agent's view of one feed of a subscription: what one shard delivers to it. Confined to that agent. */
final class SubscriptionFeed {
    final Interest interest;
    final ClientSubscription subscription;

    /** Whether a cursor serves it. */
    boolean cursor;

    /** Whether that cursor reads files. */
    boolean inFiles;

    /** Whether nothing serves it now: it goes on with {@link #nextSequence}. */
    boolean isParked;

    /** Whether its shard was asked to hold it, so that it goes on after nothing served it. */
    boolean isStarting;

    /** What it gets next, when it is parked or its shard was asked to hold it. */
    long nextSequence;

    /** Whether its shard keeps it, to make it live later. */
    boolean isHeld;

    /** The next run is not sent: the feed goes on from there in another way. */
    boolean isDiverting;

    /** Whether its client was told that what was there at first was sent, or need not be. */
    boolean isCompleted = true;

    /** The client is told once everything up to here was sent. */
    long completedSequence = -1;

    /** Where its range ends. */
    long toSequence = Long.MAX_VALUE;

    /** Records before this time are left out. */
    long fromTimeNs = Long.MIN_VALUE;

    /** Timestamp of the record that was described last by a cursor over files; 0 for none. */
    long lastTimestampNs;

    /** Whether its shards have still to say where it begins, or ends: nothing of it is sent until then. */
    boolean isFrozen;

    /** The first record that is for it, when it has taken the place of another one. */
    long startSequence;

    /** Whether it goes on with {@link #nextSequence} once those whose place was taken before have ended. */
    boolean isWaiting;

    /** Whether another one has taken its place: it ends with {@link #toSequence}. */
    boolean isSuperseded;

    /** When it is superseded: whether all that it is to get lies in the live ring, up to {@link #ringLimit}. */
    boolean isEnqueued;

    long ringLimit;

    /** Whether its range was sent, so that nothing serves it any more. */
    boolean isEnded;

    /** Makes a feed that goes on under another number where another one has got to. */
    SubscriptionFeed(final Interest interest, final SubscriptionFeed before) {
        this(interest, before.subscription);
        startSequence = before.startSequence;
        isSuperseded = before.isSuperseded;
        isCompleted = before.isCompleted;
        completedSequence = before.completedSequence;
        toSequence = before.toSequence;
        fromTimeNs = before.fromTimeNs;
        lastTimestampNs = before.lastTimestampNs;
    }

    /** Whether the next run may be turned to another way: it does not wait, and is not just what its ring has. */
    boolean isServed() {
        return !isWaiting && !isEnqueued;
    }

    SubscriptionFeed(final Interest interest, final ClientSubscription subscription) {
        this.interest = interest;
        this.subscription = subscription;
    }
}
