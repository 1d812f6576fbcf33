package io.penstock.broker.shard.feed;

import io.penstock.broker.shard.feed.RecordSelector.Choice;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import io.penstock.broker.shard.match.Run;
import io.penstock.broker.topic.TopicTable;
import io.penstock.protocol.RecordDescriptor;

/**
 * A subscription that is served from the window: because its descriptors did not fit its ring, until it has caught up; or
 * because it is to get nothing before it is on stable storage, or only so fast, for ever. It is shown the records by the
 * group that it belongs to. Confined to the replayer.
 */
final class Cursor {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    /** What a cursor does with a record that it is shown. */
    enum Step {
        /** The next one comes. */
        ON,
        /** It stays before the record: that is beyond its bound, or not to be enqueued yet. */
        STAY,
        /** It stays before the record, since the ring is full. */
        FULL
    }

    private final Interest interest;
    private final Replay replay;
    private final CursorGroup group;
    private final DescriptorRing ring;
    private final RecordSelector selector;
    private final long segmentMask;
    private final Run run = new Run();
    private long next;
    private long limit = NO_LIMIT;
    private long bound;
    private boolean isReading;
    private boolean isAttachable;
    private boolean attachAsked;
    private boolean attached;
    private boolean ended;

    Cursor(
            final Interest interest,
            final Replay replay,
            final CursorGroup group,
            final long position,
            final TopicTable topics,
            final int segmentLength,
            final long nowNs) {
        this.interest = interest;
        this.replay = replay;
        this.group = group;
        ring = group.ring();
        next = position;
        selector = new RecordSelector(interest, replay, topics, group.filters(), nowNs);
        isAttachable = replay.attaches();
        segmentMask = segmentLength - 1L;
    }

    Interest interest() {
        return interest;
    }

    CursorGroup group() {
        return group;
    }

    /** Whether it may enqueue only records on stable storage. */
    boolean waitsForDurable() {
        return replay.waitsForDurable();
    }

    /** Everything before this position was read and enqueued. */
    long position() {
        return run.isEmpty() ? next : run.start();
    }

    /** Where the next record for it to look at is, or padding before it. */
    long next() {
        return next;
    }

    /** Whether nothing is left before a position, so that there is no more to do until it moves. */
    boolean isIdle(final long publishedOrDurable) {
        return run.isEmpty() && next >= publishedOrDurable && !selector.isDue() && !attached;
    }

    /** A turn begins: nothing beyond a position may be enqueued in it. Returns false when the ring is full. */
    boolean begin(final long publishedOrDurable) {
        bound = publishedOrDurable;
        return report() || ended;
    }

    /** Records are shown to it from here on, the first of which is not before {@link #next()}, if it wants any now. */
    boolean join() {
        isReading = !ended && next < Math.min(limit, bound);
        return isReading;
    }

    boolean isReading() {
        return isReading;
    }

    /** Looks at the next record. */
    Step onRecord(final LogReader record, final long nowNs) {
        if (record.recordPosition() >= Math.min(limit, bound)) {
            return Step.STAY;
        }
        if (selector.isDue() && !report()) {
            return ended ? Step.STAY : Step.FULL;
        }
        final Choice choice = selector.choose(record.buffer(), record.offset(), nowNs);
        if (choice == Choice.WAIT) {
            return Step.STAY;
        }
        if (choice == Choice.TAKE) {
            if (!add(record)) {
                return Step.FULL;
            }
            selector.onTaken(record.buffer(), record.offset());
        }
        return Step.ON;
    }

    /** No more records are shown to it in this turn, or until it joins again; it goes on at a position. */
    void leave(final long position) {
        isReading = false;
        next = Math.min(position, Math.max(next, Math.min(limit, bound)));
    }

    /** A turn ends. */
    void finish() {
        report();
    }

    /** Whether it is about to be live, so that others of its client wait for it. */
    boolean isAttaching() {
        return attachAsked;
    }

    boolean isLimited() {
        return selector.isLimited();
    }

    void rate(final Rate rate, final long nowNs) {
        selector.rate(rate, nowNs);
    }

    /** Whether to ask for the hand-over now: once, when no more than some bytes are left. */
    boolean shouldAttach(final long publishedPosition, final long distance) {
        return isAttachable && !selector.isLimited() && !attachAsked && publishedPosition - position() <= distance;
    }

    /**
     * The hand-over was asked for. From now on the sequencer may make the subscription live at any position not before
     * this one, so nothing more is read until it says which: it would come twice.
     */
    void onAttachAsked() {
        attachAsked = true;
        limit = next;
    }

    /**
     * The subscription is live from a position on: the cursor ends there. When there is no such subscription any more, the
     * position is {@link Long#MAX_VALUE}, and it goes on until it is stopped or its end comes.
     */
    void onAttached(final long position) {
        limit = position;
        attached = position != NO_LIMIT;
    }

    /** It is superseded: nothing after a sequence is wanted. */
    void end(final long toSequence) {
        isAttachable = false;
        selector.end(toSequence);
    }

    /** Whether everything before the hand-over was enqueued. */
    boolean isComplete() {
        return attached && run.isEmpty() && next >= limit && !selector.isDue();
    }

    /** Notifies the I/O agent that the cursor is at its end; false when the ring has no room now. */
    boolean end() {
        ended = ring.offer(Descriptor.TYPE_CURSOR_END, interest.feed(), interest.shard(), limit, 0);
        return ended;
    }

    boolean isEnded() {
        return ended;
    }

    /** Notifies the I/O agent that the cursor's position is lost; false when the ring has no room now. */
    boolean fellBehind() {
        return ring.offer(
                Descriptor.TYPE_FELL_BEHIND,
                interest.feed(),
                interest.shard(),
                0,
                run.isEmpty() ? selector.nextSequence() : run.startSequence());
    }

    /** It is served no more. */
    void close() {
        selector.close();
    }

    /** Enqueues the run and the notice that is due after it. Returns false when the ring has no room now. */
    private boolean report() {
        if (!run.flush(ring, interest.feed(), interest.shard())) {
            return false;
        }
        if (!ended && selector.isDue()) {
            final boolean isAtEnd = selector.isAtEnd();
            if (!ring.offer(
                    Descriptor.TYPE_COMPLETED,
                    interest.feed(),
                    interest.shard(),
                    isAtEnd ? 1 : 0,
                    selector.nextSequence())) {
                return false;
            }
            ended = isAtEnd;
            selector.onNotified();
        }
        return !ended;
    }

    /** Adds a record to the run. When the ring is full the record is shown again later. */
    private boolean add(final LogReader record) {
        final long position = record.recordPosition();
        final int length = RecordDescriptor.alignedLength(record.length());
        final int topicId = RecordDescriptor.topicId(record.buffer(), record.offset());
        final long sequence = RecordDescriptor.sequence(record.buffer(), record.offset());
        if (run.isEmpty()) {
            run.startSequence(sequence);
        }
        if (run.add(position, length, topicId, (position & segmentMask) == 0)) {
            return true;
        }
        if (!run.flush(ring, interest.feed(), interest.shard())) {
            return false;
        }
        run.startSequence(sequence);
        return run.add(position, length, topicId, true);
    }
}
