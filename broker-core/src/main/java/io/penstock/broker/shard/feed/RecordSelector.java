package io.penstock.broker.shard.feed;

import static io.penstock.protocol.RecordDescriptor.TYPE_DERIVED;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;

import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import io.penstock.broker.topic.TopicTable;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;

/** Decides for each record of a log what one cursor does with it. Confined to the cursor's agent. */
final class RecordSelector {
    /** What to do with a record. */
    enum Choice {
        /** It is not wanted. */
        PASS,
        /** It is to be enqueued, and {@link #onTaken} to be called. */
        TAKE,
        /** It is wanted, but not yet: it has to be looked at again. */
        WAIT
    }

    private final Replay replay;
    private final WantedTopics wanted;
    private final Pacer pacer;
    private long lastSequence;
    private long fromTimeNs;

    /** Sequence of the last record that may be wanted. */
    private long toSequence;

    /** Once everything up to here was enqueued, a notice to the client is due. */
    private long dueSequence;

    private boolean isLimited;
    private boolean isPastEndTime;

    /**
     * @param filters of those cursors that read the same records together.
     */
    RecordSelector(
            final Interest interest,
            final Replay replay,
            final TopicTable topics,
            final CursorFilters filters,
            final long nowNs) {
        this.replay = replay;
        wanted = new WantedTopics(interest, topics, filters);
        pacer = new Pacer(replay.rate(), replay.lastTimestampNs(), nowNs);
        isLimited = pacer.isLimited();
        lastSequence = replay.sequence() - 1;
        fromTimeNs = replay.fromTimeNs();
        toSequence = replay.toSequence();
        dueSequence = replay.completedSequence() < 0 ? toSequence : Math.min(replay.completedSequence(), toSequence);
    }

    /** The sequence of the record that comes next. */
    long nextSequence() {
        return lastSequence + 1;
    }

    /** Timestamp of the record that was taken last; 0 for none. */
    long lastTimestampNs() {
        return pacer.lastTimestampNs();
    }

    /** Whether a notice to the client is due before the next record is read. */
    boolean isDue() {
        return lastSequence >= dueSequence || isPastEndTime;
    }

    /** Whether nothing more is wanted. */
    boolean isAtEnd() {
        return lastSequence >= toSequence || isPastEndTime;
    }

    /** The client was notified of what was there at first: the end of the range comes next. */
    void onNotified() {
        dueSequence = toSequence;
    }

    /** Nothing is wanted any more after a sequence. */
    void end(final long sequence) {
        toSequence = Math.min(toSequence, sequence);
        dueSequence = Math.min(dueSequence, toSequence);
    }

    /** Sets another rate. */
    void rate(final Rate rate, final long nowNs) {
        pacer.rate(rate, nowNs);
        isLimited = pacer.isLimited();
    }

    boolean isLimited() {
        return isLimited;
    }

    /** Looks at the next record. */
    Choice choose(final DirectBuffer buffer, final int offset, final long nowNs) {
        final int type = RecordDescriptor.type(buffer, offset);
        if (type == TYPE_DERIVED) {
            return Choice.PASS;
        }
        final long sequence = RecordDescriptor.sequence(buffer, offset);
        if (sequence <= lastSequence) {
            return Choice.PASS;
        }
        if (replay.toTimeNs() != Long.MAX_VALUE && RecordDescriptor.timestampNs(buffer, offset) >= replay.toTimeNs()) {
            isPastEndTime = true;
            return Choice.WAIT;
        }
        if (type != TYPE_MESSAGE || !isWanted(buffer, offset, sequence)) {
            lastSequence = sequence;
            return Choice.PASS;
        }
        return isLimited && !pacer.mayPass(RecordDescriptor.timestampNs(buffer, offset), nowNs)
                ? Choice.WAIT
                : Choice.TAKE;
    }

    /** A record was enqueued. */
    void onTaken(final DirectBuffer buffer, final int offset) {
        lastSequence = RecordDescriptor.sequence(buffer, offset);
        if (isLimited) {
            pacer.onPassed(
                    RecordDescriptor.messageLength(buffer, offset), RecordDescriptor.timestampNs(buffer, offset));
        }
    }

    /**
     * Up to which sequence all messages of the topic that the last message was of are sure to be taken.
     *
     * @return sequence; 0 when each of them has to be looked at.
     */
    long plainUpTo() {
        return !wanted.isAllOfLast() || isLimited || fromTimeNs != Long.MIN_VALUE || replay.toTimeNs() != Long.MAX_VALUE
                ? 0
                : dueSequence;
    }

    /** Messages up to a sequence were enqueued without a look at each. */
    void onTakenUpTo(final long sequence) {
        lastSequence = sequence;
    }

    /** Gives back the filters that it shares. Nothing is looked at any more. */
    void close() {
        wanted.close();
    }

    private boolean isWanted(final DirectBuffer buffer, final int offset, final long sequence) {
        if (fromTimeNs != Long.MIN_VALUE) {
            if (RecordDescriptor.timestampNs(buffer, offset) < fromTimeNs) {
                return false;
            }
            fromTimeNs = Long.MIN_VALUE;
        }
        return wanted.has(buffer, offset, sequence);
    }
}
