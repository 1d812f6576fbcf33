package io.penstock.simulator;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A question for a topic's records as they were, after a message or at a time, and what the log says to that.
 *
 * @param topic    that is asked for.
 * @param shard    in whose log it is.
 * @param sequence of the last record that counts.
 * @param timeNs   that is asked for; 0 when the record is.
 * @param log      that has the record.
 * @param views    of the run.
 */
record Past(String topic, int shard, long sequence, long timeNs, ModelLog log, ModelViews views) {
    /** Thinks of a question that logs can answer; null when there is none. */
    static @Nullable Past choose(final SplittableRandom random, final ModelState state, final List<ModelLog> logs) {
        final List<String> topics = state.topics();
        final String topic = topics.get(random.nextInt(topics.size()));
        final int shard = state.shardOf(topic);
        if (shard < 0 || logs.get(shard).entries.isEmpty()) {
            return null;
        }
        final ModelLog log = logs.get(shard);
        final int last = log.entries.size() - 1;
        int index = random.nextInt(last + 1);
        final long timeNs = log.entries.get(index).timestampNs();
        if (random.nextBoolean()) {
            return new Past(topic, shard, log.entries.get(index).sequence(), 0, log, state.views);
        }
        while (index < last && log.entries.get(index + 1).timestampNs() <= timeNs) {
            index++;
        }
        // What is after the last one may be taken at the same time.
        return index == last
                ? null
                : new Past(topic, shard, log.entries.get(index).sequence(), timeNs, log, state.views);
    }

    /** The bookmark that is asked for; empty when a time is. */
    String bookmark() {
        return timeNs == 0 ? shard + ":" + sequence : "";
    }

    /** The records by their keys, as the log has them. */
    Map<String, Map<String, String>> expected() {
        final Map<String, Map<String, String>> records = new TreeMap<>();
        final Map<String, Long> expirations = new TreeMap<>();
        int topicId = -1;
        for (final ModelLog.Entry entry : log.entries) {
            if (entry.sequence() > sequence) {
                break;
            }
            if (entry.type() == ModelLog.TYPE_TOPIC
                    && ModelState.topicName(entry.message()).equals(topic)) {
                topicId = entry.topicId();
            } else if (entry.topicId() == topicId && isChange(entry)) {
                final Map<String, String> record = Json.parse(entry.message());
                final String key = Topics.key(topic, entry.key(), record);
                if (entry.type() == ModelLog.TYPE_DELETE) {
                    records.remove(key);
                } else {
                    records.put(key, record);
                    expirations.put(key, views.expiresNs(topic, entry));
                }
            }
        }
        if (timeNs > 0) {
            records.keySet().removeIf(key -> isOver(expirations.getOrDefault(key, 0L)));
        }
        return records;
    }

    private static boolean isChange(final ModelLog.Entry entry) {
        return entry.type() == ModelLog.TYPE_MESSAGE || entry.type() == ModelLog.TYPE_DELETE;
    }

    private boolean isOver(final long expiresNs) {
        return expiresNs > 0 && expiresNs <= timeNs;
    }

    @Override
    public String toString() {
        return topic + " as of " + shard + ":" + sequence + (timeNs == 0 ? "" : " at " + timeNs);
    }
}
