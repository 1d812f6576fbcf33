package io.penstock.broker.shard.feed;

import io.penstock.broker.shard.match.Rate;

/** Lets records of one cursor pass as fast as its rate allows. Confined to the cursor's agent. */
final class Pacer {
    private static final long NS_PER_SECOND = 1_000_000_000;

    /** Time for which a rate may be saved up, so that looks at the clock need not come for each message. */
    private static final long BURST_NS = 10_000_000;

    private Rate rate;
    private long lastNs;

    /** When the next message is due, at a multiple of the original speed. */
    private long dueNs;

    private long lastTimestampNs;

    /** Credit of the rate, in messages or bytes times nanoseconds; below 0 after a message that took more. */
    private long credit;

    Pacer(final Rate rate, final long lastTimestampNs, final long nowNs) {
        this.rate = rate;
        this.lastTimestampNs = lastTimestampNs;
        lastNs = nowNs;
        dueNs = nowNs;
        credit = 1;
    }

    /** Sets another rate. */
    void rate(final Rate value, final long nowNs) {
        rate = value;
        lastNs = nowNs;
        dueNs = nowNs;
        credit = 1;
    }

    boolean isLimited() {
        return rate.isLimited();
    }

    /** Whether a record may pass now. */
    boolean mayPass(final long timestampNs, final long nowNs) {
        if (rate.unit() == Rate.Unit.SPEED) {
            return nowNs - dueNs(timestampNs) >= 0;
        }
        final long elapsedNs = Math.min(nowNs - lastNs, BURST_NS);
        lastNs = nowNs;
        credit = Math.min(credit + elapsedNs * rate.rate(), BURST_NS * rate.rate());
        return credit > 0;
    }

    /** A record has passed. */
    void onPassed(final int length, final long timestampNs) {
        switch (rate.unit()) {
            case MESSAGES -> credit -= NS_PER_SECOND;
            case BYTES -> credit -= length * NS_PER_SECOND;
            case SPEED -> dueNs = dueNs(timestampNs);
            case NONE -> {}
        }
        lastTimestampNs = timestampNs;
    }

    /** Timestamp of the record that has passed last; 0 for none. */
    long lastTimestampNs() {
        return lastTimestampNs;
    }

    private long dueNs(final long timestampNs) {
        if (lastTimestampNs == 0 || timestampNs <= lastTimestampNs) {
            return dueNs;
        }
        final long gapNs = (long) ((timestampNs - lastTimestampNs) * 1000.0 / rate.rate());
        return dueNs + (rate.maxGapNs() == 0 ? gapNs : Math.min(gapNs, rate.maxGapNs()));
    }
}
