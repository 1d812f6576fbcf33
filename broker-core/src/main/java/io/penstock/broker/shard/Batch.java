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
            if (!isGoingOn) {
                timestampNs = clock.nanoTime();
            }
        }
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
