package io.penstock.broker.query.column;

import io.penstock.format.FieldPath;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Fields of a store whose columns were of no use, and which therefore get none for some time. Bounded; any thread may ask. */
final class BarredFields {
    /** For how long a field gets none. */
    static final long TIME_NS = TimeUnit.MINUTES.toNanos(10);

    private static final int COUNT_MAX = 256;

    private final Map<FieldPath, Long> untilNs = new ConcurrentHashMap<>();

    /** The column of a field was of no use. */
    void add(final FieldPath path, final long nowNs) {
        if (untilNs.size() >= COUNT_MAX) {
            untilNs.values().removeIf(until -> until - nowNs <= 0);
        }
        if (untilNs.size() < COUNT_MAX) {
            untilNs.put(path, nowNs + TIME_NS);
        }
    }

    /** Whether a field gets no column now. */
    boolean has(final FieldPath path, final long nowNs) {
        if (untilNs.isEmpty()) {
            return false;
        }
        final Long until = untilNs.get(path);
        if (until != null && until - nowNs <= 0) {
            untilNs.remove(path, until);
            return false;
        }
        return until != null;
    }
}
