package io.penstock.broker.shard.match;

import io.penstock.transport.TransportContext;

/**
 * Adjacent records of one topic that are for one subscription, sent as one piece of the log. Within one segment, and no
 * longer than a transport's unit unless it is a single long record. Confined to its subscription's writer.
 */
public final class Run {
    /** Leaves room in the unit for the headers before the records. */
    private static final int LENGTH_MAX = TransportContext.FRAGMENT_LENGTH_MIN - 256;

    private long start;
    private long end;
    private long sequence;
    private int topicId;
    private int kind;
    private int recordCount;

    /**
     * Adds a record if it continues the run, or starts the run if there is none.
     *
     * @param position      of the record.
     * @param alignedLength of the record, in bytes.
     * @param topic         id of the record's topic.
     * @param segmentStart  whether the record is the first of its segment.
     * @return false when the run must be enqueued and cleared first.
     */
    public boolean add(final long position, final int alignedLength, final int topic, final boolean segmentStart) {
        return add(position, alignedLength, topic, segmentStart, 0);
    }

    /**
     * Adds a record if it continues the run, or starts the run if there is none.
     *
     * @param position      of the record.
     * @param alignedLength of the record, in bytes.
     * @param topic         id of the record's topic.
     * @param segmentStart  whether the record is the first of its segment.
     * @param delivery      kind of the delivery.
     * @return false when the run must be enqueued and cleared first.
     */
    public boolean add(
            final long position,
            final int alignedLength,
            final int topic,
            final boolean segmentStart,
            final int delivery) {
        if (recordCount == 0) {
            kind = delivery;
            start = position;
            end = position + alignedLength;
            topicId = topic;
            recordCount = 1;
            return true;
        }
        if (position != end
                || topic != topicId
                || delivery != kind
                || segmentStart
                || end - start + alignedLength > LENGTH_MAX) {
            return false;
        }
        end += alignedLength;
        recordCount++;
        return true;
    }

    /**
     * Adds records that follow directly, of the run's topic and kind.
     *
     * @param alignedLength of all of them, in bytes, no more than there is {@link #room}.
     * @param count         of them.
     */
    public void add(final int alignedLength, final int count) {
        end += alignedLength;
        recordCount += count;
    }

    /**
     * How much may be added to the run.
     *
     * @return length in bytes; meaningless when it is empty.
     */
    public int room() {
        return (int) Math.max(0, LENGTH_MAX - (end - start));
    }

    /**
     * The topic of its records.
     *
     * @return id; meaningless when it is empty.
     */
    public int topicId() {
        return topicId;
    }

    /**
     * Adds bytes that receivers skip, if they follow the run.
     *
     * @param position      of them.
     * @param alignedLength of them.
     */
    public void pad(final long position, final int alignedLength) {
        if (recordCount > 0 && position == end && end - start + alignedLength <= LENGTH_MAX) {
            end += alignedLength;
        }
    }

    /**
     * Says of which sequence the record is that the run starts with.
     *
     * @param value sequence.
     */
    public void startSequence(final long value) {
        sequence = value;
    }

    /**
     * Sequence of the first record of the run.
     *
     * @return sequence; meaningless when the run is empty.
     */
    public long startSequence() {
        return sequence;
    }

    /**
     * Offers the run to a ring and clears it.
     *
     * @param ring         to offer to.
     * @param subscription feed that the run is for.
     * @param shard        whose log it lies in.
     * @return false when the ring has no room; the run is as it was.
     */
    public boolean flush(final DescriptorRing ring, final long subscription, final int shard) {
        return flush(Descriptor.TYPE_RUN, ring, subscription, shard);
    }

    /**
     * Offers the run to a ring and clears it.
     *
     * @param type         of its descriptor.
     * @param ring         to offer to.
     * @param subscription feed that the run is for.
     * @param shard        whose log it lies in.
     * @return false when the ring has no room; the run is as it was.
     */
    public boolean flush(final int type, final DescriptorRing ring, final long subscription, final int shard) {
        if (recordCount > 0) {
            if (!ring.offer(
                    type, subscription, shard, start, sequence, (int) (end - start), topicId, recordCount, kind)) {
                return false;
            }
            recordCount = 0;
        }
        return true;
    }

    /** Offers the run to a ring without notice, and clears it; false when there is no room. */
    boolean enqueue(final DescriptorRing ring, final long subscription, final int shard) {
        if (recordCount > 0) {
            if (!ring.enqueue(
                    Descriptor.TYPE_RUN,
                    subscription,
                    shard,
                    start,
                    sequence,
                    (int) (end - start),
                    topicId,
                    recordCount,
                    kind)) {
                return false;
            }
            recordCount = 0;
        }
        return true;
    }

    public boolean isEmpty() {
        return recordCount == 0;
    }

    /**
     * Where the run starts.
     *
     * @return position of its first record; meaningless when it is empty.
     */
    public long start() {
        return start;
    }

    /**
     * Where the run ends.
     *
     * @return position after its last record; meaningless when it is empty.
     */
    public long end() {
        return end;
    }

    /** Forgets the run. */
    public void clear() {
        recordCount = 0;
    }
}
