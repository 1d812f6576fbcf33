package io.penstock.broker.agent;

import io.penstock.broker.agent.RecordSelector.Choice;
import io.penstock.broker.journal.LogReader;
import io.penstock.broker.match.Descriptor;
import io.penstock.broker.match.DescriptorRing;
import io.penstock.broker.match.Interest;
import io.penstock.broker.match.Rate;
import io.penstock.broker.match.Replay;
import io.penstock.broker.match.Run;
import io.penstock.broker.topic.TopicTable;
import io.penstock.protocol.RecordDescriptor;

/**
 * A subscription that reads the window itself: because its descriptors did not fit its ring, until it has caught up; or
 * because it is to get nothing before it is on stable storage, or only so fast, for ever. Confined to the replayer.
 */
final class Cursor {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final Interest interest;
    private final Replay replay;
    private final DescriptorRing ring;
    private final LogReader reader;
    private final RecordSelector selector;
    private final long segmentMask;
    private final Run run = new Run();
    private long limit = NO_LIMIT;
    private boolean isAttachable;
    private boolean attachAsked;
    private boolean attached;
    private boolean ended;

    Cursor(
            final Interest interest,
            final Replay replay,
            final DescriptorRing ring,
            final LogReader reader,
            final TopicTable topics,
            final int segmentLength,
            final long nowNs) {
        this.interest = interest;
        this.replay = replay;
        this.ring = ring;
        this.reader = reader;
        selector = new RecordSelector(interest, replay, topics, nowNs);
        isAttachable = replay.attaches();
        segmentMask = segmentLength - 1L;
    }

    Interest interest() {
        return interest;
    }

    /** Whether it may describe only what is on stable storage. */
    boolean waitsForDurable() {
        return replay.waitsForDurable();
    }

    /** Everything before this position was read and described. */
    long position() {
        return run.isEmpty() ? reader.position() : run.start();
    }

    /** Whether nothing is left before a position, so that there is no more to do until it moves. */
    boolean isIdle(final long bound) {
        return run.isEmpty() && reader.position() >= bound && !selector.isDue() && !attached;
    }

    /** Reads some of the log, but not beyond a bound. Returns the bytes read; 0 when there is no more or its ring is full. */
    long read(final long lengthLimit, final long bound, final long nowNs) {
        final long start = reader.position();
        if (!tell()) {
            return 0;
        }
        final long end = Math.min(Math.min(limit, bound), start + lengthLimit);
        while (!selector.isDue() && reader.next(end)) {
            final Choice choice = selector.choose(reader.buffer(), reader.offset(), nowNs);
            if (choice == Choice.PASS) {
                continue;
            }
            if (choice == Choice.WAIT) {
                reader.back();
                break;
            }
            if (!add()) {
                break;
            }
            selector.onTaken(reader.buffer(), reader.offset());
        }
        tell();
        return reader.position() - start;
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
        limit = reader.position();
    }

    /**
     * The subscription is live from a position on: the cursor ends there. When there is no such subscription any more, the
     * position is {@link Long#MAX_VALUE}, and it goes on until it is stopped or its end comes.
     */
    void onAttached(final long position) {
        limit = position;
        attached = position != NO_LIMIT;
    }

    /** Another subscription takes its place: nothing after a sequence is wanted. */
    void end(final long toSequence) {
        isAttachable = false;
        selector.end(toSequence);
    }

    /** Whether everything before the hand-over was described. */
    boolean isComplete() {
        return attached && run.isEmpty() && reader.position() >= limit && !selector.isDue();
    }

    /** Tells the I/O agent that the cursor is at its end; false when the ring has no room now. */
    boolean end() {
        ended = ring.offer(Descriptor.TYPE_CURSOR_END, interest.part(), interest.shard(), limit, 0);
        return ended;
    }

    boolean isEnded() {
        return ended;
    }

    /** Tells the I/O agent that the cursor's position is lost; false when the ring has no room now. */
    boolean fellBehind() {
        return ring.offer(
                Descriptor.TYPE_FELL_BEHIND,
                interest.part(),
                interest.shard(),
                0,
                run.isEmpty() ? selector.nextSequence() : run.startSequence());
    }

    /** Describes the run, and what is to be told after it. Returns false when the ring has no room now. */
    private boolean tell() {
        if (!run.flush(ring, interest.part(), interest.shard())) {
            return false;
        }
        if (!ended && selector.isDue()) {
            final boolean isAtEnd = selector.isAtEnd();
            if (!ring.offer(
                    Descriptor.TYPE_COMPLETED,
                    interest.part(),
                    interest.shard(),
                    isAtEnd ? 1 : 0,
                    selector.nextSequence())) {
                return false;
            }
            ended = isAtEnd;
            selector.onTold();
        }
        return !ended;
    }

    /** Adds the reader's record to the run. When the ring is full the record is read again later. */
    private boolean add() {
        final long position = reader.recordPosition();
        final int length = RecordDescriptor.alignedLength(reader.length());
        final int topicId = RecordDescriptor.topicId(reader.buffer(), reader.offset());
        final long sequence = RecordDescriptor.sequence(reader.buffer(), reader.offset());
        if (run.isEmpty()) {
            run.startSequence(sequence);
        }
        if (run.add(position, length, topicId, (position & segmentMask) == 0)) {
            return true;
        }
        if (!run.flush(ring, interest.part(), interest.shard())) {
            reader.back();
            return false;
        }
        run.startSequence(sequence);
        return run.add(position, length, topicId, true);
    }
}
