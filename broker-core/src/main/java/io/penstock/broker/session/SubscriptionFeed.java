package io.penstock.broker.session;

import io.penstock.broker.shard.match.Interest;

/**
 * The I/O agent's view of one feed of a subscription: what one shard delivers to it. Confined to that agent.
 *
 * <p>What serves it is a {@link FeedState}, and only events change that. Whether another feed has taken its place, whether its
 * next run is turned to another way, and what is left to be sent are independent of it.
 */
final class SubscriptionFeed {
    private static final long COMPLETED = -1;
    private static final long NOT_IN_RING = -1;

    final Interest interest;
    final ClientSubscription subscription;
    private FeedState state;

    /** What it gets next when nothing serves it. */
    private long nextSequence;

    /** Whether its shard keeps it, to make it live later. */
    private boolean isHeld;

    /** The next run is not sent: the feed goes on from there in another way. */
    private boolean isDiverting;

    /** The client is told once everything up to here was sent; {@link #COMPLETED} when it was, or need not be. */
    private long completedSequence = COMPLETED;

    /** Where its range ends. */
    private long toSequence = Long.MAX_VALUE;

    /** Records before this time are left out. */
    private long fromTimeNs = Long.MIN_VALUE;

    /** Timestamp of the record that was enqueued last by a cursor over files; 0 for none. */
    private long lastTimestampNs;

    /** Whether its shards have still to say where it begins, or ends: nothing of it is sent until then. */
    private boolean isFrozen;

    /** The first record that is for it, when it has taken the place of another one. */
    private long startSequence;

    /** Whether another one has taken its place: it ends with {@link #toSequence}. */
    private boolean isSuperseded;

    /** Up to where all that it is to get lies in the live ring, when it is superseded; or {@link #NOT_IN_RING}. */
    private long ringLimit = NOT_IN_RING;

    private SubscriptionFeed(final Interest interest, final ClientSubscription subscription, final FeedState state) {
        this.interest = interest;
        this.subscription = subscription;
        this.state = state;
    }

    /** A feed that its shard is asked to serve from now on. */
    static SubscriptionFeed live(final Interest interest, final ClientSubscription subscription) {
        return new SubscriptionFeed(interest, subscription, FeedState.LIVE);
    }

    /** A feed that begins in the log, at a place that is to be found. */
    static SubscriptionFeed fromLog(final Interest interest, final ClientSubscription subscription) {
        final SubscriptionFeed feed = new SubscriptionFeed(interest, subscription, FeedState.SWITCHING);
        feed.completedSequence = 0;
        return feed;
    }

    /** A feed that goes on under another number where this one has got to. */
    SubscriptionFeed renew(final Interest renewed) {
        final SubscriptionFeed next = new SubscriptionFeed(renewed, subscription, FeedState.SWITCHING);
        next.startSequence = startSequence;
        next.isSuperseded = isSuperseded;
        next.completedSequence = completedSequence;
        next.toSequence = toSequence;
        next.fromTimeNs = fromTimeNs;
        next.lastTimestampNs = lastTimestampNs;
        return next;
    }

    FeedState state() {
        return state;
    }

    /** Something else serves it from now on, or nothing. */
    void on(final FeedEvent event) {
        state = state.after(event);
    }

    boolean isServedByCursor() {
        return state == FeedState.CURSOR || state == FeedState.FILES;
    }

    /** Whether the cursor that serves it reads files. */
    boolean isReadFromFiles() {
        return state == FeedState.FILES;
    }

    boolean isParked() {
        return state == FeedState.PARKED;
    }

    boolean isStarting() {
        return state == FeedState.STARTING;
    }

    /** Whether its shard is asked to hold it, so that another way to serve it begins soon. */
    boolean isSwitching() {
        return state == FeedState.SWITCHING;
    }

    boolean isWaiting() {
        return state == FeedState.WAITING;
    }

    boolean hasEnded() {
        return state == FeedState.ENDED;
    }

    /** What it gets next, when nothing serves it. */
    long nextSequence() {
        return nextSequence;
    }

    void nextSequence(final long value) {
        nextSequence = value;
    }

    /** The first record that is for it, when it has taken the place of another one. */
    void startSequence(final long value) {
        startSequence = value;
    }

    /** It goes on with its first record once those whose place was taken before have ended. */
    void putOff() {
        on(FeedEvent.PUT_OFF);
        nextSequence = startSequence;
    }

    /** A cursor over files has come to where the window is. */
    void onFilesRead(final long timestampNs) {
        on(FeedEvent.FILES_READ);
        lastTimestampNs = timestampNs;
    }

    /** Its shard is asked to hold it, and to keep it if it goes live later. */
    void hold(final boolean isKept) {
        isHeld = isKept;
    }

    void letGo() {
        isHeld = false;
    }

    /** Whether its shard keeps it, to make it live later. */
    boolean isHeld() {
        return isHeld;
    }

    /** Its next run is not sent: it goes on from there in another way. */
    void divert() {
        isDiverting = true;
    }

    /** The same, unless it waits or is just what its ring has. */
    void divertIfServed() {
        isDiverting |= !isWaiting() && !isEnqueued();
    }

    /** Its next run is sent, unless it has to be read again up to where another feed takes its place. */
    void divertNoMore() {
        isDiverting &= isSuperseded;
    }

    /** It goes on in another way. */
    void onDiverted() {
        isDiverting = false;
    }

    boolean isDiverting() {
        return isDiverting;
    }

    /** The client is told once everything up to a record was sent. */
    void completeAt(final long sequence) {
        completedSequence = sequence;
    }

    void complete() {
        completedSequence = COMPLETED;
    }

    /** Whether its client was notified that what was there at first was sent, or need not be. */
    boolean isCompleted() {
        return completedSequence == COMPLETED;
    }

    /** Up to where all is to be sent before the client is told; negative when it was, or need not be. */
    long completedSequence() {
        return completedSequence;
    }

    /** Its range ends with a record. */
    void endAt(final long sequence) {
        toSequence = sequence;
    }

    /** Where its range ends; {@link Long#MAX_VALUE} when it does not. */
    long toSequence() {
        return toSequence;
    }

    /** Records before a time are left out. */
    void beginAt(final long timeNs) {
        fromTimeNs = timeNs;
    }

    /** Records of it were sent: none that follow are left out for their time. */
    void onSent() {
        fromTimeNs = Long.MIN_VALUE;
    }

    long fromTimeNs() {
        return fromTimeNs;
    }

    /** Timestamp of the record that was enqueued last by a cursor over files; 0 for none. */
    long lastTimestampNs() {
        return lastTimestampNs;
    }

    /** Nothing of it is sent until its shards have said where it begins or ends, or from then on. */
    void freeze(final boolean value) {
        isFrozen = value;
    }

    boolean isFrozen() {
        return isFrozen;
    }

    /** Another feed takes its place from a record on. */
    void supersede(final long endSequence) {
        isSuperseded = true;
        toSequence = Math.min(toSequence, endSequence - 1);
    }

    /** Whether another one has taken its place, so that it has an end. */
    boolean isSuperseded() {
        return isSuperseded;
    }

    /** All that it is to get lies in the live ring, up to a position. */
    void endInRing(final long limit) {
        ringLimit = limit;
        isDiverting = false;
    }

    /** What lies in the ring is no longer all that it is to get. */
    void leaveRing() {
        ringLimit = NOT_IN_RING;
    }

    /** Whether it is superseded, and all that it is to get lies in the live ring. */
    boolean isEnqueued() {
        return ringLimit != NOT_IN_RING;
    }

    /** Up to where it lies in the live ring. */
    long ringLimit() {
        return ringLimit;
    }
}
