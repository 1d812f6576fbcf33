package io.penstock.broker.session.feed;

import io.penstock.broker.shard.match.Interest;

/**
 * The I/O agent's view of one feed of a subscription: what one shard delivers to it. Confined to that agent.
 *
 * <p>What serves it is a {@link FeedState}, and only events change that. Whether another feed has superseded it,
 * whether its next run goes another way, and what is left to be sent are independent of the state.
 */
public final class SubscriptionFeed {
    private static final long COMPLETED = -1;
    private static final long NOT_IN_RING = -1;

    private final Interest interest;
    private final ClientSubscription subscription;
    private FeedState state;

    /** Sequence of its next record when nothing serves it, or of the first one that its cursor has read. */
    private long nextSequence;

    /** Whether its shard keeps it, to make it live later. */
    private boolean isHeld;

    /** Whether and why the next run is not sent: the feed goes on from there in another way. */
    private Diversion diversion = Diversion.NONE;

    /**
     * The client is notified once everything up to here was sent; {@link #COMPLETED} when it was notified, or need not
     * be.
     */
    private long completedSequence = COMPLETED;

    /** Where its range ends. */
    private long toSequence = Long.MAX_VALUE;

    /** Records before this time are left out. */
    private long fromTimeNs = Long.MIN_VALUE;

    /** Timestamp of the record that was enqueued last by a cursor over files; 0 for none. */
    private long lastTimestampNs;

    /** About the last record that was sent. */
    private long sentSequence;

    /** Whether its shards have still to say where it begins, or ends: nothing of it is sent until then. */
    private boolean isFrozen;

    /** The first record for it, when it has superseded another one; of topics with state, when it was sent that. */
    private long startSequence;

    /** Whether it is superseded: it ends with {@link #toSequence}. */
    private boolean isSuperseded;

    /** Up to where all that it is to get lies in the live ring, when it is superseded; or {@link #NOT_IN_RING}. */
    private long ringLimit = NOT_IN_RING;

    /** Why a feed is to go on in another way. */
    private enum Diversion {
        NONE,
        /** Another agent is to serve it, or nobody for now. */
        OTHER_WAY,
        /** Its filter is another one now. */
        OTHER_FILTER
    }

    private SubscriptionFeed(final Interest interest, final ClientSubscription subscription, final FeedState state) {
        this.interest = interest;
        this.subscription = subscription;
        this.state = state;
    }

    /** A feed that its shard is asked to serve from now on. */
    public static SubscriptionFeed live(final Interest interest, final ClientSubscription subscription) {
        return new SubscriptionFeed(interest, subscription, FeedState.LIVE);
    }

    /** A feed that begins in the log, at a place that is to be found. */
    public static SubscriptionFeed fromLog(final Interest interest, final ClientSubscription subscription) {
        final SubscriptionFeed feed = new SubscriptionFeed(interest, subscription, FeedState.SWITCHING);
        feed.completedSequence = 0;
        return feed;
    }

    /** A feed that goes on under another number where this one has got to. */
    public SubscriptionFeed renew(final Interest renewed) {
        return renew(renewed, FeedState.SWITCHING);
    }

    /** A feed that its shard is asked to serve under another number, with another filter, from the next record on. */
    public SubscriptionFeed renewLive(final Interest renewed) {
        final SubscriptionFeed next = renew(renewed, FeedState.LIVE);
        next.diversion = diversion;
        return next;
    }

    /** The same, of a superseded one: all that it is to get lies in the live ring, up to where this one's does. */
    public SubscriptionFeed renewInRing(final Interest renewed) {
        final SubscriptionFeed next = renewLive(renewed);
        next.ringLimit = ringLimit;
        return next;
    }

    private SubscriptionFeed renew(final Interest renewed, final FeedState as) {
        final SubscriptionFeed next = new SubscriptionFeed(renewed, subscription, as);
        next.startSequence = startSequence;
        next.isSuperseded = isSuperseded;
        next.completedSequence = completedSequence;
        next.toSequence = toSequence;
        next.fromTimeNs = fromTimeNs;
        next.lastTimestampNs = lastTimestampNs;
        next.sentSequence = sentSequence;
        return next;
    }

    /** Its interest in its shard. */
    public Interest interest() {
        return interest;
    }

    /** The subscription that it is a part of. */
    public ClientSubscription subscription() {
        return subscription;
    }

    FeedState state() {
        return state;
    }

    /** Something else serves it from now on, or nothing. */
    public void on(final FeedEvent event) {
        state = state.after(event);
    }

    /** Whether a cursor serves it, over the window or over files. */
    public boolean isServedByCursor() {
        return state == FeedState.CURSOR || state == FeedState.FILES;
    }

    /** Whether the cursor that serves it reads files. */
    public boolean isReadFromFiles() {
        return state == FeedState.FILES;
    }

    /** Whether nothing serves it until it is resumed. */
    public boolean isParked() {
        return state == FeedState.PARKED;
    }

    /** Whether its shard is to begin to serve it. */
    public boolean isStarting() {
        return state == FeedState.STARTING;
    }

    /** Whether its shard is asked to hold it, so that another way to serve it begins soon. */
    public boolean isSwitching() {
        return state == FeedState.SWITCHING;
    }

    /** Whether it waits for feeds whose place it has taken. */
    public boolean isWaiting() {
        return state == FeedState.WAITING;
    }

    /** Whether all that it was to get was sent. */
    public boolean hasEnded() {
        return state == FeedState.ENDED;
    }

    /** Sequence of the first record that was not sent, or was not for it, as far as that is known here. */
    public long unsentSequence() {
        return Math.max(nextSequence, sentSequence + 1);
    }

    /** Whether its shard serves it. */
    public boolean isLive() {
        return state == FeedState.LIVE;
    }

    /** Its shard holds it, until the state was sent that comes before a record; 0 when the shard has not said yet which. */
    public void awaitState(final long sequence) {
        if (state != FeedState.STATE) {
            on(FeedEvent.STATE_BEGUN);
        }
        nextSequence = sequence;
    }

    /** Whether its shard holds it, until the state was sent. */
    public boolean isAwaitingState() {
        return state == FeedState.STATE;
    }

    /** Whether a message of a topic with state is not sent: what it says is in the state that its client was sent. */
    public boolean isInState(final long sequence) {
        return sequence < startSequence && subscription.plan() != null && interest.follow() == null;
    }

    /** Sequence of its next record, when nothing serves it; or of the first one that a cursor has read for it. */
    public long nextSequence() {
        return nextSequence;
    }

    /** Sets the sequence of its next record. */
    public void nextSequence(final long value) {
        nextSequence = value;
    }

    /** The first record for it, when it has superseded another one; of topics with state, when it was sent that. */
    public long startSequence() {
        return startSequence;
    }

    /** The same, from now on. */
    public void startSequence(final long value) {
        startSequence = value;
    }

    /** It goes on with its first record once those whose place was taken before have ended. */
    public void putOff() {
        on(FeedEvent.PUT_OFF);
        nextSequence = startSequence;
    }

    /** A cursor over files has come to where the window is. */
    public void onFilesRead(final long timestampNs) {
        on(FeedEvent.FILES_READ);
        lastTimestampNs = timestampNs;
    }

    /** Its shard is asked to hold it, and to keep it if it goes live later. */
    public void hold(final boolean isKept) {
        isHeld = isKept;
    }

    /** Its shard is asked not to keep it any more. */
    public void letGo() {
        isHeld = false;
    }

    /** Whether its shard keeps it, to make it live later. */
    public boolean isHeld() {
        return isHeld;
    }

    /** Its next run is not sent: it goes on from there in another way. */
    public void divert() {
        diversion = diversion == Diversion.NONE ? Diversion.OTHER_WAY : diversion;
    }

    /** The same, unless it waits or is just what its ring has. */
    public void divertIfServed() {
        if (!isWaiting() && !isEnqueued()) {
            divert();
        }
    }

    /** Its next run is sent, unless it has to be read again up to where another feed supersedes it. */
    public void divertNoMore() {
        if (diversion == Diversion.OTHER_WAY && !isSuperseded) {
            diversion = Diversion.NONE;
        }
    }

    /** It goes on in another way. */
    public void onDiverted() {
        diversion = Diversion.NONE;
    }

    /** Whether its next run is not sent, because it goes on from there in another way. */
    public boolean isDiverting() {
        return diversion != Diversion.NONE;
    }

    /** Its filter is another one now: nothing more is sent that was matched by the earlier one. */
    public void changeFilter() {
        diversion = Diversion.OTHER_FILTER;
    }

    /** Whether what serves it still has its earlier filter. */
    public boolean isChanging() {
        return diversion == Diversion.OTHER_FILTER;
    }

    /** The client is notified once everything up to a record was sent. */
    public void completeAt(final long sequence) {
        completedSequence = sequence;
    }

    /** The client was notified, or need not be. */
    public void complete() {
        completedSequence = COMPLETED;
    }

    /** Whether its client was notified that what was there at first was sent, or need not be. */
    public boolean isCompleted() {
        return completedSequence == COMPLETED;
    }

    /** Up to where all is to be sent before the client is notified; negative when it was, or need not be. */
    public long completedSequence() {
        return completedSequence;
    }

    /** Its range ends with a record. */
    public void endAt(final long sequence) {
        toSequence = sequence;
    }

    /** Where its range ends; {@link Long#MAX_VALUE} when it does not. */
    public long toSequence() {
        return toSequence;
    }

    /** Records before a time are left out. */
    public void beginAt(final long timeNs) {
        fromTimeNs = timeNs;
    }

    /**
     * A run of records was sent.
     *
     * @param sequence   of the first one; 0 for derived ones.
     * @param wholeCount of all of them, which the feed is past now.
     * @param sentCount  of those that its client got: without those that are not shown to it.
     */
    public void onDelivered(final long sequence, final int wholeCount, final int sentCount) {
        sentSequence = Math.max(sentSequence, sequence + wholeCount - 1);
        subscription.onDelivered(sentCount);
    }

    /** About the last record that it was sent; 0 for none. */
    public long sentSequence() {
        return sentSequence;
    }

    /** Records of it were sent: none that follow are left out for their time. */
    public void onSent() {
        fromTimeNs = Long.MIN_VALUE;
    }

    /** Records before this time are left out. */
    public long fromTimeNs() {
        return fromTimeNs;
    }

    /** Timestamp of the record that was enqueued last by a cursor over files; 0 for none. */
    public long lastTimestampNs() {
        return lastTimestampNs;
    }

    /** Nothing of it is sent until its shards have said where it begins or ends, or from then on. */
    public void freeze(final boolean value) {
        isFrozen = value;
    }

    /** Whether nothing of it is sent until its shards have said where it begins or ends. */
    public boolean isFrozen() {
        return isFrozen;
    }

    /** Another feed supersedes it from a record on. */
    public void supersede(final long endSequence) {
        isSuperseded = true;
        toSequence = Math.min(toSequence, endSequence - 1);
    }

    /** Whether it is superseded, so that it has an end. */
    public boolean isSuperseded() {
        return isSuperseded;
    }

    /** All that it is to get lies in the live ring, up to a position. */
    public void endInRing(final long limit) {
        ringLimit = limit;
        diversion = Diversion.NONE;
    }

    /** The descriptors in the ring are no longer everything that is due to it. */
    public void leaveRing() {
        ringLimit = NOT_IN_RING;
    }

    /** Whether it is superseded, and all that it is to get lies in the live ring. */
    public boolean isEnqueued() {
        return ringLimit != NOT_IN_RING;
    }

    /** Up to where it lies in the live ring. */
    public long ringLimit() {
        return ringLimit;
    }
}
