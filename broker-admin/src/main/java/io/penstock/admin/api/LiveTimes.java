package io.penstock.admin.api;

import io.penstock.admin.http.Json;
import io.penstock.broker.concurrent.LatencyHistogram;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long things took between one look at the broker's histograms and the next, each kind over all that it is counted for.
 * Confined to the server's thread.
 */
final class LiveTimes {
    /** Bounds that are shown, up to about a second; what is longer is counted together. */
    private static final int BOUND_COUNT = 21;

    private Map<String, long[]> before = Map.of();

    /** Forgets the last look. */
    void forget() {
        before = Map.of();
    }

    /** Takes a look, and writes what has come since the last one, as a member of the object. */
    void write(final Json json, final String name, final List<LatencyHistogram.Snapshot> histograms) {
        final Map<String, long[]> now = new TreeMap<>();
        for (final LatencyHistogram.Snapshot each : histograms) {
            final long[] counts = now.computeIfAbsent(each.name(), kind -> new long[BOUND_COUNT + 1]);
            for (int i = 0; i < each.counts().size(); i++) {
                counts[Math.min(i, BOUND_COUNT)] += each.counts().get(i);
            }
        }
        json.begin(name);
        now.forEach((kind, counts) -> write(json, kind, counts));
        json.end();
        before = now;
    }

    private void write(final Json json, final String kind, final long[] counts) {
        final long[] last = before.getOrDefault(kind, counts);
        json.begin(kind).beginArray("leUs");
        for (int i = 0; i < BOUND_COUNT; i++) {
            json.item(LatencyHistogram.boundNs(i) / 1000);
        }
        json.endArray().beginArray("counts");
        for (int i = 0; i < counts.length; i++) {
            json.item(counts[i] - last[i]);
        }
        json.endArray().end();
    }
}
