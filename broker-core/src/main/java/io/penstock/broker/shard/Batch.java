package io.penstock.broker.shard;

import io.penstock.broker.shard.log.ShardCounters;
import org.agrona.concurrent.EpochNanoClock;

/**
 * Changes that a shard publishes together: they have one time, read when the first of them comes. What they cause, and the log
 * had no room for, has that time as well. Owned by the sequencer.
 */
final class Batch {
    private final EpochNanoClock clock;
    private boolean isOpen;
    private boolean isGoingOn;

    /** Whether its time is that of a command, never that of the clock. */
    private boolean isOrdered;

    /** Whether a command is not applied as a whole. */
    private boolean isHeld;

    private boolean isForeign;
    private long timestampNs;
    private long messageCount;
    private long payloadLength;

    Batch(final EpochNanoClock clock) {
        this.clock = clock;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** Begins it, unless it has begun. */
    void open() {
        if (!isOpen) {
            isOpen = true;
            if (!isGoingOn && !isOrdered) {
                timestampNs = clock.nanoTime();
            }
        }
    }

    /** From now on its time is given by commands. */
    void followOrder() {
        isOrdered = true;
    }

    /** Whether its time is given by commands. */
    boolean isOrdered() {
        return isOrdered;
    }

    /**
     * Begins a command, which is open until it is released.
     *
     * @param timeNs    of the order; an earlier one than the last is taken as the last one.
     * @param ofForeign whether clients of another node have sent what is in it.
     */
    void hold(final long timeNs, final boolean ofForeign) {
        timestampNs = Math.max(timestampNs, timeNs);
        isForeign = ofForeign;
        isHeld = true;
        isOpen = true;
    }

    /** All of a command is applied, and what it causes. */
    void release() {
        isHeld = false;
        isForeign = false;
    }

    /** Whether a command is applied in part. */
    boolean isHeld() {
        return isHeld;
    }

    /** Whether clients of another node have sent what is applied now. */
    boolean isForeign() {
        return isForeign;
    }

    /** The time for what changes between batches: of the last command, or by the clock. */
    long nowNs() {
        return isOrdered ? timestampNs : clock.nanoTime();
    }

    void end() {
        isOpen = false;
    }

    /** Whether the next batch is a part of this one, and has its time: not all that this one causes is in the log. */
    void goesOn(final boolean value) {
        isGoingOn = value;
    }

    /** Timestamp of its records, since 1970. */
    long timestampNs() {
        return timestampNs;
    }

    /** A message was applied. */
    void add(final int length) {
        messageCount++;
        payloadLength += length;
    }

    /** Adds what was applied since the last call to the counters. */
    void count(final ShardCounters counters) {
        counters.messages().getAndAddPlain(messageCount);
        counters.payloadBytes().getAndAddPlain(payloadLength);
        counters.payloadBytesCopied().getAndAddPlain(payloadLength);
        messageCount = 0;
        payloadLength = 0;
    }
}
