package io.penstock.broker.session;

import io.penstock.broker.match.Interest;

/** The I/O agent's view of one part of a subscription: what one shard delivers to it. Confined to that agent. */
final class SubscriptionPart {
    final Interest interest;
    final ClientSubscription subscription;

    /** Whether a cursor serves it. */
    boolean cursor;

    /** Whether that cursor reads files. */
    boolean inFiles;

    /** Whether nothing serves it now: it goes on with {@link #nextSequence}. */
    boolean isParked;

    /** What it gets next, when it is parked or its shard was asked to hold it. */
    long nextSequence;

    /** Whether its shard keeps it, to make it live later. */
    boolean isHeld;

    /** The next run is not sent: the part goes on from there in another way. */
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

    /** Another part has taken its place: it ends where the live ring has got to this position. */
    long ringLimit = Long.MAX_VALUE;

    /** Makes a part that takes the place of another one, which has got so far. */
    SubscriptionPart(final Interest interest, final SubscriptionPart before) {
        this(interest, before.subscription);
        isCompleted = before.isCompleted;
        completedSequence = before.completedSequence;
        toSequence = before.toSequence;
        fromTimeNs = before.fromTimeNs;
        lastTimestampNs = before.lastTimestampNs;
    }

    SubscriptionPart(final Interest interest, final ClientSubscription subscription) {
        this.interest = interest;
        this.subscription = subscription;
    }
}
