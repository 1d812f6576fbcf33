package io.penstock.broker.shard.log;

import io.penstock.format.KeyReader;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;

/**
 * The log of a shard for the code that enqueues its records for subscriptions: before it enqueues the first record of a
 * segment, it enqueues everything of the segment before. Owned by the sequencer.
 */
public final class DispatchLog {
    private final LogAppender appender;
    private final Runnable flush;
    private long segmentNumber;

    /**
     * Wraps the log.
     *
     * @param appender of the shard.
     * @param flush    enqueues everything that is not yet enqueued.
     */
    public DispatchLog(final LogAppender appender, final Runnable flush) {
        this.appender = appender;
        this.flush = flush;
    }

    /**
     * Appends one record of a topic with state, as of {@link LogAppender}.
     *
     * @param type          of the record.
     * @param flags         of the record.
     * @param timestampNs   since 1970.
     * @param publication   whose payload is copied.
     * @param trailer       to copy after the payload.
     * @param trailerLength in bytes from its start.
     * @return the record's position, or {@link LogAppender#NO_ROOM}.
     */
    public long append(
            final int type,
            final int flags,
            final long timestampNs,
            final Publication publication,
            final DirectBuffer trailer,
            final int trailerLength) {
        return onAppended(appender.append(type, flags, timestampNs, publication, trailer, trailerLength));
    }

    /**
     * Appends what was made of a record for a subscription.
     *
     * @param sequence    of the record.
     * @param timestampNs of the record.
     * @param publication whose payload is copied, and behind it its key if it has one.
     * @return the position, or {@link LogAppender#NO_ROOM}.
     */
    public long appendDerived(final long sequence, final long timestampNs, final Publication publication) {
        return onAppended(appender.appendDerived(sequence, timestampNs, publication));
    }

    /**
     * Where the record lies that was appended last.
     *
     * @return the buffer that holds it at the {@link #offset} of its position.
     */
    public DirectBuffer lastBuffer() {
        return appender.lastBuffer();
    }

    /**
     * Where in its buffer a record lies.
     *
     * @param position of the record, in the window.
     * @return of its first byte.
     */
    public int offset(final long position) {
        return appender.window().offset(position);
    }

    /**
     * The room that the record at a position takes.
     *
     * @param position of a record in the window; what was made of the change since may be a segment ahead of it.
     * @return length in bytes with padding.
     */
    public int alignedLength(final long position) {
        return RecordDescriptor.alignedLength(RecordDescriptor.length(
                appender.window().buffer(position), appender.window().offset(position)));
    }

    /** The longest message, in bytes, that half a segment has room for beside its header and key. */
    public int derivedLengthMax() {
        return appender.window().segmentLength() / 2 - RecordDescriptor.HEADER_LENGTH - KeyReader.KEY_LENGTH_MAX;
    }

    public boolean isSegmentStart(final long position) {
        return appender.window().offset(position) == 0;
    }

    public long lastSequence() {
        return appender.lastSequence();
    }

    /** Enqueues everything that is not yet enqueued. */
    public void enqueue() {
        flush.run();
    }

    private long onAppended(final long position) {
        if (position >= 0 && appender.window().segmentNumber(position) != segmentNumber) {
            segmentNumber = appender.window().segmentNumber(position);
            flush.run();
        }
        return position;
    }
}
