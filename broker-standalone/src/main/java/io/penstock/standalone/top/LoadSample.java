package io.penstock.standalone.top;

import io.penstock.client.PenstockClient;
import io.penstock.client.Stat;
import io.penstock.client.TopicInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a broker's counters were at a time.
 *
 * @param timeNs   of this process.
 * @param topics   with the messages published to each.
 * @param counters of the whole broker: what its parts count is added up.
 */
record LoadSample(long timeNs, List<TopicInfo> topics, Map<String, Long> counters) {
    private static final Pattern PART = Pattern.compile("(io|shard)-\\d+\\.(\\w+)");

    /** Asks for them. */
    static LoadSample take(final PenstockClient client, final String prefix) {
        return new LoadSample(System.nanoTime(), client.topics(prefix), sums(client.stats("")));
    }

    /** Adds up the counters of I/O agents and of shards, each under {@code io.} and {@code shard.}. */
    static Map<String, Long> sums(final List<Stat> stats) {
        final Map<String, Long> sums = new HashMap<>();
        for (final Stat stat : stats) {
            final var part = PART.matcher(stat.name());
            if (part.matches()) {
                sums.merge(part.group(1) + "." + part.group(2), stat.value(), Long::sum);
            }
        }
        return sums;
    }

    long counter(final String name) {
        return counters.getOrDefault(name, 0L);
    }
}
