package io.penstock.bridge.service;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens. Safe on any thread. */
public final class BridgeCounters {
    private final Map<BridgeCounter, LongAdder> counters = new EnumMap<>(BridgeCounter.class);

    /** Begins at 0. */
    public BridgeCounters() {
        for (final BridgeCounter each : BridgeCounter.values()) {
            counters.put(each, new LongAdder());
        }
    }

    /**
     * Counts.
     *
     * @param counter what.
     * @param count   how many; below 0 for what is no longer there.
     */
    public void add(final BridgeCounter counter, final long count) {
        of(counter).add(count);
    }

    /**
     * How many there were, or are.
     *
     * @param counter what.
     * @return the count.
     */
    public long get(final BridgeCounter counter) {
        return of(counter).sum();
    }

    private LongAdder of(final BridgeCounter counter) {
        return Objects.requireNonNull(counters.get(counter));
    }
}
