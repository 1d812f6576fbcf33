package io.penstock.admin.api;

import io.penstock.broker.monitor.TopicDetails;
import io.penstock.broker.topic.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many messages a second topics get, from one look at their counts to the next. Safe on any thread. */
final class TopicRates {
    private static final long INTERVAL_NS_MIN = 1_000_000_000;

    private Map<Long, Long> counts = new HashMap<>();
    private Map<Long, Double> rates = Map.of();
    private long takenNs;

    /** Takes a look, unless the last one was a moment ago. */
    synchronized void update(final long nowNs, final List<TopicDetails> topics) {
        final long elapsedNs = nowNs - takenNs;
        if (!counts.isEmpty() && elapsedNs < INTERVAL_NS_MIN) {
            return;
        }
        final Map<Long, Long> taken = new HashMap<>();
        final Map<Long, Double> computed = new HashMap<>();
        for (final TopicDetails each : topics) {
            final long id = id(each.topic());
            taken.put(id, each.messages());
            final Long before = counts.get(id);
            if (before != null) {
                computed.put(id, (each.messages() - before) * 1e9 / elapsedNs);
            }
        }
        counts = taken;
        rates = computed;
        takenNs = nowNs;
    }

    /** Messages a second of a topic; negative when that is not known yet. */
    synchronized double rate(final Topic topic) {
        return rates.getOrDefault(id(topic), -1.0);
    }

    private static long id(final Topic topic) {
        return ((long) topic.shard() << 32) | topic.id();
    }
}
