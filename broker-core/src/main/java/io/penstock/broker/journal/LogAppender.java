package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.EPOCH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.LENGTH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.PUBLISHER_SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TIMESTAMP_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TOPIC_ID_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_PADDING;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Appends records to a shard's log. Owned by the shard's sequencer, the only writer of the window.
 *
 * <p>Readers see records up to {@link #publish()} only, so a batch costs one ordered store.
 */
public final class LogAppender {
    /** Returned by {@link #append} when the next segment has not been released yet: nothing was written. */
    public static final long NO_ROOM = -1;

    private final LogWindow window;
    private final Reclaim reclaim;
    private final AtomicCounter published;
    private final int epoch;
    private UnsafeBuffer segment;
    private long segmentStart;
    private int offset;
    private long nextSequence = 1;

    /**
     * Makes the appender of an empty log.
     *
     * @param window    to append to.
     * @param reclaim   the agreement with its readers.
     * @param published where the published position is kept.
     * @param epoch     of this writer, stamped on each record.
     */
    public LogAppender(final LogWindow window, final Reclaim reclaim, final AtomicCounter published, final int epoch) {
        this.window = window;
        this.reclaim = reclaim;
        this.published = published;
        this.epoch = epoch;
        segment = window.buffer(0);
    }

    /**
     * Appends one record.
     *
     * @param type              of the record.
     * @param timestampNs       since 1970.
     * @param topicId           it belongs to.
     * @param publisherId       of the named publisher, or 0.
     * @param publisherSequence given by the publisher, or 0.
     * @param payload           to copy.
     * @param payloadOffset     of its first byte.
     * @param payloadLength     in bytes, so that the record fits half a segment.
     * @return the record's position, or {@link #NO_ROOM}.
     */
    public long append(
            final int type,
            final long timestampNs,
            final int topicId,
            final int publisherId,
            final long publisherSequence,
            final DirectBuffer payload,
            final int payloadOffset,
            final int payloadLength) {
        final int length = HEADER_LENGTH + payloadLength;
        final int alignedLength = RecordDescriptor.alignedLength(length);
        assert alignedLength <= window.segmentLength() / 2 + HEADER_LENGTH : alignedLength;
        if (alignedLength > window.segmentLength() - offset && !nextSegment()) {
            return NO_ROOM;
        }
        final UnsafeBuffer buffer = segment;
        final int at = offset;
        // Neighbours share a store. Type is followed by zeros for flags and the reserved field.
        buffer.putLong(at + LENGTH_OFFSET, pair(length, type), LITTLE_ENDIAN);
        buffer.putLong(at + SEQUENCE_OFFSET, nextSequence, LITTLE_ENDIAN);
        buffer.putLong(at + TIMESTAMP_OFFSET, timestampNs, LITTLE_ENDIAN);
        buffer.putLong(at + TOPIC_ID_OFFSET, pair(topicId, publisherId), LITTLE_ENDIAN);
        buffer.putLong(at + PUBLISHER_SEQUENCE_OFFSET, publisherSequence, LITTLE_ENDIAN);
        // Epoch is followed by the checksum, which is for the files.
        buffer.putLong(at + EPOCH_OFFSET, pair(epoch, 0), LITTLE_ENDIAN);
        buffer.putBytes(at + HEADER_LENGTH, payload, payloadOffset, payloadLength);
        nextSequence++;
        offset = at + alignedLength;
        return segmentStart + at;
    }

    /** Lets readers see everything appended so far. */
    public void publish() {
        published.setRelease(segmentStart + offset);
    }

    /**
     * Where the next record goes, unless it does not fit the segment.
     *
     * @return position after the last record.
     */
    public long position() {
        return segmentStart + offset;
    }

    /**
     * The number of the newest record.
     *
     * @return sequence, 0 before the first.
     */
    public long lastSequence() {
        return nextSequence - 1;
    }

    public LogWindow window() {
        return window;
    }

    private static long pair(final int first, final int second) {
        return ((long) second << 32) | (first & 0xFFFF_FFFFL);
    }

    private boolean nextSegment() {
        final long next = window.segmentNumber(segmentStart) + 1;
        final long oldestKept = window.segmentStart(Math.max(0, next + 1 - window.segmentCount()));
        if (!reclaim.isReleased(oldestKept)) {
            return false;
        }
        final int gap = window.segmentLength() - offset;
        if (gap > 0) {
            segment.putInt(offset + LENGTH_OFFSET, gap, LITTLE_ENDIAN);
            segment.putInt(offset + TYPE_OFFSET, TYPE_PADDING, LITTLE_ENDIAN);
        }
        segmentStart = window.segmentStart(next);
        segment = window.buffer(segmentStart);
        offset = 0;
        // One ahead: readers make room while this segment fills, so that publishers need not wait for them.
        reclaim.demand(window.segmentStart(Math.max(0, next + 2 - window.segmentCount())));
        return true;
    }
}
