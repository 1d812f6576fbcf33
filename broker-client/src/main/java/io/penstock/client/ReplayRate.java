package io.penstock.client;

import java.time.Duration;

/**
 * How fast messages are delivered at most. Immutable.
 *
 * @param unit     of the rate.
 * @param rate     in its unit a second, or thousandths of the original speed.
 * @param maxGapMs at a multiple of the original speed: longest pause between two messages, in milliseconds; 0 = no limit.
 */
public record ReplayRate(Unit unit, long rate, int maxGapMs) {
    /** No limit: as fast as the subscriber takes messages. */
    public static final ReplayRate UNLIMITED = new ReplayRate(Unit.NONE, 0, 0);

    /** What a rate counts. */
    public enum Unit {
        /** Nothing: there is no limit. */
        NONE,
        /** Messages a second. */
        MESSAGES,
        /** Bytes of messages a second. */
        BYTES,
        /** Thousandths of the speed at which the messages were published. */
        SPEED
    }

    public ReplayRate {
        if ((unit == Unit.NONE ? rate != 0 : rate < 1) || maxGapMs < 0) {
            throw new IllegalArgumentException("rate: not above 0: " + rate + ", " + maxGapMs + " ms");
        }
    }

    /**
     * A number of messages a second.
     *
     * @param perSecond above 0.
     * @return the rate.
     */
    public static ReplayRate messages(final long perSecond) {
        return new ReplayRate(Unit.MESSAGES, perSecond, 0);
    }

    /**
     * A number of bytes a second.
     *
     * @param perSecond above 0.
     * @return the rate.
     */
    public static ReplayRate bytes(final long perSecond) {
        return new ReplayRate(Unit.BYTES, perSecond, 0);
    }

    /**
     * A multiple of the speed at which the messages were published.
     *
     * @param factor 1 for the original speed; at least 0.001.
     * @param maxGap longest pause between two messages; zero for no limit.
     * @return the rate.
     */
    public static ReplayRate speed(final double factor, final Duration maxGap) {
        return new ReplayRate(Unit.SPEED, Math.round(factor * 1000), Math.toIntExact(maxGap.toMillis()));
    }
}
