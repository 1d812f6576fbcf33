package io.penstock.client;

import java.util.Map;

/**
 * Counts of the records that a query of state has looked at and found.
 *
 * @param topicMatches    records looked at.
 * @param matches         records that matched.
 * @param returned        records or rows that came.
 * @param sequenceByShard for each shard that was looked at, the sequence whose changes, and all before, are in the
 *                        answer.
 * @param explanation     how the broker has answered, for people: lines of text; empty unless {@link SowRequest#explain} asked for
 *                        it.
 */
public record SowStats(
        long topicMatches, long matches, long returned, Map<Integer, Long> sequenceByShard, String explanation) {
    public SowStats {
        sequenceByShard = Map.copyOf(sequenceByShard);
    }

    /**
     * Counts without an explanation.
     *
     * @param topicMatches    records looked at.
     * @param matches         records that matched.
     * @param returned        records or rows that came.
     * @param sequenceByShard as {@link #sequenceByShard}.
     */
    public SowStats(
            final long topicMatches,
            final long matches,
            final long returned,
            final Map<Integer, Long> sequenceByShard) {
        this(topicMatches, matches, returned, sequenceByShard, "");
    }
}
