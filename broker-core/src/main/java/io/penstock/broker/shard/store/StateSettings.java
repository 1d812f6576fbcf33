package io.penstock.broker.shard.store;

/**
 * Bounds of the state of one shard, and of the queries that read it.
 *
 * @param memoryLengthMax  of all records and indexes of a shard, in bytes.
 * @param chunkLength      taken from the system at a time, in bytes.
 * @param versionLengthMax of one topic's versions that only readers need, in bytes.
 * @param messageLengthMax of a record after a delta was merged, in bytes.
 * @param queryAgentCount  agents that run queries.
 * @param historyLengthMax of the state that is made for a query of it as it was, in bytes.
 * @param columnLengthMax  of the columns that queries make of a shard's records, in bytes; 0 for none.
 */
public record StateSettings(
        long memoryLengthMax,
        int chunkLength,
        long versionLengthMax,
        int messageLengthMax,
        int queryAgentCount,
        long historyLengthMax,
        long columnLengthMax) {}
