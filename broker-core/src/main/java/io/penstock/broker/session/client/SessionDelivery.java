package io.penstock.broker.session.client;

import io.penstock.broker.session.feed.CutCopy;
import io.penstock.broker.session.feed.SubscriptionFeed;
import io.penstock.broker.session.send.InFlight;
import io.penstock.broker.shard.match.DescriptorRing;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries on their way to a client: descriptors of messages, and bytes that its connection has taken and not
 * completed. Confined to its I/O agent, except the rings, which others write.
 */
public final class SessionDelivery {
    private @Nullable DescriptorRing[] liveRings;
    private @Nullable DescriptorRing replayRing;
    private @Nullable DescriptorRing filesRing;
    private final InFlight inFlight = new InFlight();
    private final LongArrayList sentPages = new LongArrayList();
    private long takenPosition;
    private long sentPosition;
    private long messageCount;
    private long byteCount;
    private int partSent;
    private @Nullable DescriptorRing partRing;
    private @Nullable SubscriptionFeed partOf;
    private @Nullable CutCopy cutCopy;
    private boolean isScheduled;

    SessionDelivery(final int shardCount) {
        liveRings = new DescriptorRing[shardCount];
    }

    /** Descriptors from the replayer; null before the first cursor. */
    public @Nullable DescriptorRing replayRing() {
        return replayRing;
    }

    /** The same, from now on. */
    public void replayRing(final @Nullable DescriptorRing value) {
        replayRing = value;
    }

    /** Descriptors from the reader of files; null before its first cursor. */
    public @Nullable DescriptorRing filesRing() {
        return filesRing;
    }

    /** The same, from now on. */
    public void filesRing(final @Nullable DescriptorRing value) {
        filesRing = value;
    }

    /** Runs of the window that the connection has taken and not completed. */
    public InFlight inFlight() {
        return inFlight;
    }

    /** Pages whose records the connection has taken and not completed: number and position, in turn. */
    public LongArrayList sentPages() {
        return sentPages;
    }

    /** Up to where the connection has taken runs of pages. */
    public long takenPosition() {
        return takenPosition;
    }

    /** The same, from now on. */
    public void takenPosition(final long value) {
        takenPosition = value;
    }

    /** The connection has taken records, up to a position of its own. */
    public void onDelivered(final long position, final int records, final long length) {
        sentPosition = position;
        messageCount += records;
        byteCount += length;
        if (partSent == 0) {
            cutCopy = null;
        }
    }

    /** Up to where the connection has taken records. */
    public long sentPosition() {
        return sentPosition;
    }

    /** Records that it was sent. */
    public long messageCount() {
        return messageCount;
    }

    /** Bytes of records that it was sent. */
    public long byteCount() {
        return byteCount;
    }

    /** Whether it is among those that may have something to send. */
    public boolean isScheduled() {
        return isScheduled;
    }

    /** The same, from now on. */
    public void isScheduled(final boolean value) {
        isScheduled = value;
    }

    /** Descriptors from each shard's sequencer; present for shards that were subscribed to. */
    public @Nullable DescriptorRing[] liveRings() {
        return liveRings;
    }

    /** Those from one; null when it was not subscribed to. */
    public @Nullable DescriptorRing liveRing(final int shard) {
        return liveRings[shard];
    }

    /** Those from one are in a ring from now on. */
    public void liveRing(final int shard, final DescriptorRing ring) {
        liveRings[shard] = ring;
    }

    /** Another part of a record was sent, which is not the last. */
    public void onPartSent(final int length, final @Nullable DescriptorRing ring, final SubscriptionFeed feed) {
        partSent += length;
        partRing = ring;
        partOf = feed;
    }

    /** No record is half sent any more. */
    public void endPart() {
        partSent = 0;
        partRing = null;
        partOf = null;
        cutCopy = null;
    }

    /**
     * The copy of which parts are sent in place of the half-sent record; null when it is sent as it is. When none is half
     * sent, that of the record that the connection has refused last, or null.
     */
    public @Nullable CutCopy cutCopy() {
        return cutCopy;
    }

    /** The same, from now on. */
    public void cutCopy(final @Nullable CutCopy value) {
        cutCopy = value;
    }

    /** Bytes of the record at the head of a ring that were sent, when it is longer than one unit; 0 when none is half sent. */
    public int partSent() {
        return partSent;
    }

    /** The ring that record is in. */
    public @Nullable DescriptorRing partRing() {
        return partRing;
    }

    /** The feed of a subscription that record is for, which may have ended since. */
    public @Nullable SubscriptionFeed partOf() {
        return partOf;
    }
}
