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
 * @param liveLengthMax    of all records of a shard as {@link LiveLength} counts them, in bytes; new ones are refused when a
 *                         sixteenth of it is left. It decides what is in the log, so that replicas of a shard have the same.
 */
public record StateSettings(
        long memoryLengthMax,
        int chunkLength,
        long versionLengthMax,
        int messageLengthMax,
        int queryAgentCount,
        long historyLengthMax,
        long columnLengthMax,
        long liveLengthMax) {
    private static final int RESERVE_SHIFT = 4;

    /** The same without a bound of what the records count. */
    public StateSettings(
            final long memoryLengthMax,
            final int chunkLength,
            final long versionLengthMax,
            final int messageLengthMax,
            final int queryAgentCount,
            final long historyLengthMax,
            final long columnLengthMax) {
        this(
                memoryLengthMax,
                chunkLength,
                versionLengthMax,
                messageLengthMax,
                queryAgentCount,
                historyLengthMax,
                columnLengthMax,
                Long.MAX_VALUE);
    }

    /** How much the records may count before one more is refused that is new, or is not; in bytes. */
    public long liveLengthMax(final boolean isNew) {
        return isNew ? liveLengthMax - (liveLengthMax >> RESERVE_SHIFT) : liveLengthMax;
    }
}
