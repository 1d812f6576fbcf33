package io.penstock.orb.chunk;

import java.util.concurrent.atomic.LongAdder;

/** Counters of several connections together. Safe on any thread. */
public final class ChunkCounters {
    private final LongAdder frames = new LongAdder();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitNs = new LongAdder();
    private final LongAdder directLength = new LongAdder();
    private final LongAdder stagedLength = new LongAdder();

    /** Begins at 0. */
    public ChunkCounters() {}

    void onFrame(final boolean isWaiting) {
        frames.increment();
        if (isWaiting) {
            waits.increment();
        }
    }

    void onWaited(final long ns) {
        waitNs.add(ns);
    }

    void onDirect(final long length) {
        directLength.add(length);
    }

    void onStaged(final long length) {
        stagedLength.add(length);
    }

    /** Frames of data that were sent. */
    public long frames() {
        return frames.sum();
    }

    /** The number of these that found another one on its way. */
    public long waits() {
        return waits.sum();
    }

    /** Nanoseconds that threads stood still because another frame was on its way. */
    public long waitNs() {
        return waitNs.sum();
    }

    /** Payload in bytes that was written from where it lay. */
    public long directLength() {
        return directLength.sum();
    }

    /** Payload in bytes that was copied here, to go with other frames. */
    public long stagedLength() {
        return stagedLength.sum();
    }
}
