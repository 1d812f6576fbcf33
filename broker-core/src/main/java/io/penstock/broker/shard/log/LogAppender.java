package io.penstock.broker.shard.log;

import static io.penstock.protocol.RecordDescriptor.EPOCH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.FLAG_HEADERS;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.LENGTH_OFFSET;
import static io.penstock.protocol.RecordDescriptor.PUBLISHER_SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.SEQUENCE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TIMESTAMP_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TOPIC_ID_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_PADDING;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.protocol.CheckedRange;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Appends records to a shard's log. Owned by the shard's sequencer, the only writer of the window.
 *
 * <p>A record is appended, then committed by {@link #commit()}, then seen by readers since {@link #publish()}; so a batch
 * costs one ordered store.
 */
public final class LogAppender {
    /** Returned by {@link #append} when the next segment has not been released yet: nothing was written. */
    public static final long NO_ROOM = -1;

    private final LogWindow window;
    private final Reclaim reclaim;
    private final AtomicCounter published;
    private UnsafeBuffer segment;
    private long segmentStart;
    private int offset;
    private int epoch = 1;
    private long nextSequence = 1;
    private long committedPosition;
    private long committedSequence;

    /**
     * Makes the appender of an empty log.
     *
     * @param window    to append to.
     * @param reclaim   the agreement with its readers.
     * @param published where the published position is kept.
     */
    public LogAppender(final LogWindow window, final Reclaim reclaim, final AtomicCounter published) {
        this.window = window;
        this.reclaim = reclaim;
        this.published = published;
        segment = window.buffer(0);
    }

    /**
     * Goes on after the last record of an earlier run. Called before the first append.
     *
     * @param lastSequence of the log, 0 for none.
     * @param runEpoch     number of this run, stamped on its records.
     */
    public void resume(final long lastSequence, final int runEpoch) {
        nextSequence = lastSequence + 1;
        committedSequence = lastSequence;
        epoch = runEpoch;
        window.firstSequence(0, nextSequence);
    }

    /**
     * Appends one record.
     *
     * @param type        of the record.
     * @param timestampNs since 1970.
     * @param publication whose payload and headers are copied, so that the record fits half a segment.
     * @return the record's position, or {@link #NO_ROOM}.
     */
    public long append(final int type, final long timestampNs, final Publication publication) {
        final int headersLength = publication.headersLength();
        final int typeAndMore = headersLength == 0 ? type : typeAndMore(type, FLAG_HEADERS, headersLength);
        final long position = write(typeAndMore, nextSequence, timestampNs, publication, headersLength);
        if (position != NO_ROOM) {
            nextSequence++;
        }
        return position;
    }

    private static int typeAndMore(final int type, final int flags, final int trailerLength) {
        return type | (flags << Byte.SIZE) | (trailerLength << Short.SIZE);
    }

    private static int headersFlag(final Publication publication) {
        return publication.headersLength() == 0 ? 0 : FLAG_HEADERS;
    }

    /**
     * Appends one record of a topic with state.
     *
     * @param type          of the record.
     * @param flags         that say what is in the trailer besides headers, and why it was deleted.
     * @param timestampNs   since 1970.
     * @param publication   whose payload and headers are copied.
     * @param trailer       to copy after the payload and the headers.
     * @param trailerLength in bytes from its start.
     * @return the record's position, or {@link #NO_ROOM}.
     */
    public long append(
            final int type,
            final int flags,
            final long timestampNs,
            final Publication publication,
            final DirectBuffer trailer,
            final int trailerLength) {
        final int wholeLength = publication.headersLength() + trailerLength;
        final long position = write(
                typeAndMore(type, flags | headersFlag(publication), wholeLength),
                nextSequence,
                timestampNs,
                publication,
                wholeLength);
        if (position != NO_ROOM) {
            nextSequence++;
            putTrailer(position, publication, trailer, 0, trailerLength);
        }
        return position;
    }

    /**
     * Appends what was made of a record for a subscription. It has the sequence of its cause and none of its own.
     *
     * @param sequence    of the cause.
     * @param timestampNs of the cause.
     * @param publication whose payload is copied, and behind it its key if it has one.
     * @return the record's position, or {@link #NO_ROOM}.
     */
    public long appendDerived(final long sequence, final long timestampNs, final Publication publication) {
        final int keyLength = publication.keyLength();
        final int flags = headersFlag(publication) | (keyLength > 0 ? RecordDescriptor.FLAG_KEY : 0);
        final int wholeLength = publication.headersLength() + keyLength;
        final long position = write(
                typeAndMore(RecordDescriptor.TYPE_DERIVED, flags, wholeLength),
                sequence,
                timestampNs,
                publication,
                wholeLength);
        if (position != NO_ROOM) {
            putTrailer(position, publication, publication.key(), publication.keyOffset(), keyLength);
        }
        return position;
    }

    private void putTrailer(
            final long position,
            final Publication publication,
            final DirectBuffer trailer,
            final int trailerOffset,
            final int trailerLength) {
        segment.putBytes(
                window.offset(position) + HEADER_LENGTH + publication.payloadLength() + publication.headersLength(),
                trailer,
                trailerOffset,
                trailerLength);
    }

    private long write(
            final int typeAndMore,
            final long sequence,
            final long timestampNs,
            final Publication publication,
            final int trailerLength) {
        final int payloadLength = publication.payloadLength();
        final int length = HEADER_LENGTH + payloadLength + trailerLength;
        final int alignedLength = RecordDescriptor.alignedLength(length);
        assert alignedLength <= window.segmentLength() : alignedLength;
        if (alignedLength > window.segmentLength() - offset && !nextSegment()) {
            return NO_ROOM;
        }
        final UnsafeBuffer buffer = segment;
        final int at = offset;
        final long header = CheckedRange.address(buffer, at, HEADER_LENGTH);
        // Neighbours share a store.
        CheckedRange.putLong(buffer, header + LENGTH_OFFSET, pair(length, typeAndMore));
        CheckedRange.putLong(buffer, header + SEQUENCE_OFFSET, sequence);
        CheckedRange.putLong(buffer, header + TIMESTAMP_OFFSET, timestampNs);
        CheckedRange.putLong(buffer, header + TOPIC_ID_OFFSET, pair(publication.topicId(), publication.publisherId()));
        CheckedRange.putLong(buffer, header + PUBLISHER_SEQUENCE_OFFSET, publication.publisherSequence());
        // Epoch is followed by the checksum, which is for the files.
        CheckedRange.putLong(buffer, header + EPOCH_OFFSET, pair(epoch, 0));
        buffer.putBytes(
                at + HEADER_LENGTH,
                publication.payload(),
                publication.payloadOffset(),
                payloadLength + publication.headersLength());
        offset = at + alignedLength;
        return segmentStart + at;
    }

    /**
     * Says that everything appended so far stays in the log, whatever happens. No reader sees more than that. A node that is
     * alone decides so at once; among several, a majority would.
     */
    public void commit() {
        committedPosition = segmentStart + offset;
        committedSequence = nextSequence - 1;
    }

    /** Lets readers see everything committed so far. */
    public void publish() {
        published.setRelease(committedPosition);
    }

    /**
     * How far the log is committed.
     *
     * @return position after the last record that stays.
     */
    public long committedPosition() {
        return committedPosition;
    }

    /**
     * The number of the newest record that stays.
     *
     * @return sequence, 0 before the first.
     */
    public long committedSequence() {
        return committedSequence;
    }

    /**
     * The segment of the record that was appended last; looking it up by the position would cost a division.
     *
     * @return its buffer.
     */
    public UnsafeBuffer lastBuffer() {
        return segment;
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
        window.firstSequence(segmentStart, nextSequence);
        segment = window.buffer(segmentStart);
        offset = 0;
        // One ahead: readers make room while this segment fills, so that publishers need not wait for them.
        reclaim.demand(window.segmentStart(Math.max(0, next + 2 - window.segmentCount())));
        return true;
    }
}
