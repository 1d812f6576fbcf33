package io.penstock.broker.agent;

/**
 * Bounds of the state of one shard, and of the queries that read it.
 *
 * @param memoryLengthMax  of all records and indexes of a shard, in bytes.
 * @param chunkLength      taken from the system at a time, in bytes.
 * @param versionLengthMax of one topic's versions that only readers need, in bytes.
 * @param messageLengthMax of a record after a delta was merged, in bytes.
 * @param queryAgentCount  agents that run queries.
 */
public record StateSettings(
        long memoryLengthMax, int chunkLength, long versionLengthMax, int messageLengthMax, int queryAgentCount) {}
