package io.penstock.broker.shard.match;

/**
 * How fast a subscription is served at most. Immutable.
 *
 * @param unit     of the rate.
 * @param rate     in its unit a second, or thousandths of the original speed.
 * @param maxGapNs at a multiple of the original speed: longest pause between two messages; 0 for no limit.
 */
public record Rate(Unit unit, long rate, long maxGapNs) {
    /** No limit: as fast as the client takes messages. */
    public static final Rate UNLIMITED = new Rate(Unit.NONE, 0, 0);

    /** What a rate counts. */
    public enum Unit {
        /** There is no limit. */
        NONE,
        /** Messages a second. */
        MESSAGES,
        /** Bytes of messages a second. */
        BYTES,
        /** Thousandths of the original speed. */
        SPEED
    }

    /**
     * Whether there is a limit.
     *
     * @return false when the client alone says how fast it goes.
     */
    public boolean isLimited() {
        return unit != Unit.NONE;
    }
}
