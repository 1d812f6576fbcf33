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
 */
public record SowStats(long topicMatches, long matches, long returned, Map<Integer, Long> sequenceByShard) {
    public SowStats {
        sequenceByShard = Map.copyOf(sequenceByShard);
    }
}
