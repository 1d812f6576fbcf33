package io.penstock.broker.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often something took how long, in buckets whose bounds double. Written by one thread, without a lock and without
 * allocating; read by any.
 */
public final class LatencyHistogram {
    /** Buckets with a bound: of 1 µs, 2 µs, and so on to 67 s. */
    public static final int BOUND_COUNT = 27;

    private static final long UNIT_NS = 1000;
    private static final int SUM = BOUND_COUNT + 1;

    private final String owner;
    private final String name;

    /** A count for each bound, one for what took longer than the last, and the sum of all times in nanoseconds. */
    private final AtomicLongArray values = new AtomicLongArray(SUM + 1);

    LatencyHistogram(final String owner, final String name) {
        this.owner = owner;
        this.name = name;
    }

    /**
     * What was counted up to a moment. Immutable.
     *
     * @param owner  of the histogram, as of a counter.
     * @param name   of what took time.
     * @param counts of each bucket, the last for what took longer than the last bound.
     * @param sumNs  of all times, in nanoseconds.
     */
    public record Snapshot(String owner, String name, List<Long> counts, long sumNs) {
        public Snapshot {
            counts = List.copyOf(counts);
        }

        /** How many times were counted. */
        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }

        /**
         * The bound that a share of all times is not above.
         *
         * @param share 0 to 1.
         * @return in nanoseconds; 0 when there are none, the greatest long when it is above all bounds.
         */
        public long percentileNs(final double share) {
            final long wanted = (long) Math.ceil(share * count());
            long count = 0;
            for (int i = 0; i < BOUND_COUNT; i++) {
                count += counts.get(i);
                if (count >= wanted) {
                    return count == 0 ? 0 : boundNs(i);
                }
            }
            return Long.MAX_VALUE;
        }
    }

    /**
     * The greatest time of a bucket.
     *
     * @param bucket below {@link #BOUND_COUNT}.
     * @return in nanoseconds.
     */
    public static long boundNs(final int bucket) {
        return UNIT_NS << bucket;
    }

    /** The bucket of a time; {@link #BOUND_COUNT} for what is longer than all bounds. */
    static int bucket(final long timeNs) {
        final long units = (timeNs - 1) / UNIT_NS;
        return timeNs <= UNIT_NS ? 0 : Math.min(BOUND_COUNT, Long.SIZE - Long.numberOfLeadingZeros(units));
    }

    /**
     * Counts a time. Called by its one writer.
     *
     * @param timeNs in nanoseconds; what is below 0, as clocks are set, counts as 0.
     */
    public void add(final long timeNs) {
        final int bucket = bucket(timeNs);
        values.setRelease(SUM, values.getPlain(SUM) + Math.max(0, timeNs));
        values.setRelease(bucket, values.getPlain(bucket) + 1);
    }

    /** What was counted so far. Any thread. */
    public Snapshot snapshot() {
        final List<Long> counts = new ArrayList<>(BOUND_COUNT + 1);
        for (int i = 0; i <= BOUND_COUNT; i++) {
            counts.add(values.getAcquire(i));
        }
        return new Snapshot(owner, name, counts, values.getAcquire(SUM));
    }
}
