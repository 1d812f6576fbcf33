package io.penstock.broker;

import io.penstock.nativeaccess.ThreadNice;

/**
 * Bounds of the state that topics keep, and of the queries that read it. Immutable.
 *
 * @param memoryLengthMax  of all records and indexes of a shard, in bytes; at the bound new keys are refused.
 * @param chunkLength      taken from the system at a time, in bytes.
 * @param versionLengthMax of one topic's former versions that queries and slow subscriptions still need, in bytes; beyond
 *                         it the oldest of these are ended.
 * @param queryThreadCount threads that run queries; 0 for half of the processors, and at least one.
 * @param queryTimeoutMs   longest time that a query may take.
 * @param historyLengthMax of the state that is made for a query of it as it was, in bytes; beyond it the query fails. One
 *                         such query is answered at a time.
 * @param columnLengthMax  of the columns that queries make of the records of a shard, in bytes, beside
 *                         {@code memoryLengthMax}; at the bound no more are made, and queries read the records. 0 for none.
 * @param queryNice        nice value of the threads that run queries: the greater, the less of a CPU they get while others want it;
 *                         0 for that of the process. On Linux, with the native library.
 * @param liveLengthMax    of the records of a shard, in bytes: of their keys, messages and headers, and 64 for each; at the
 *                         bound messages are refused that would make them longer. 0 for none: the memory that is left
 *                         decides.
 */
public record StateConfig(
        long memoryLengthMax,
        int chunkLength,
        long versionLengthMax,
        int queryThreadCount,
        int queryTimeoutMs,
        long historyLengthMax,
        long columnLengthMax,
        int queryNice,
        long liveLengthMax) {
    public static final long MEMORY_LENGTH_MAX_DEFAULT = 4L << 30;
    public static final int CHUNK_LENGTH_DEFAULT = 4 << 20;
    public static final long VERSION_LENGTH_MAX_DEFAULT = 1L << 30;
    public static final int QUERY_TIMEOUT_MS_DEFAULT = 60_000;
    public static final long HISTORY_LENGTH_MAX_DEFAULT = 1L << 30;
    public static final long COLUMN_LENGTH_MAX_DEFAULT = 256L << 20;

    public static final int QUERY_NICE_DEFAULT = 0;

    private static final int QUERY_THREAD_COUNT_MAX = 256;

    public StateConfig {
        Limits.check("state.memoryLengthMax", memoryLengthMax, 1 << 20, 1L << 44);
        Limits.check("state.chunkLength", chunkLength, 128 << 10, 64 << 20);
        Limits.check("state.versionLengthMax", versionLengthMax, 64 << 10, 1L << 44);
        Limits.check("state.queryThreadCount", queryThreadCount, 0, QUERY_THREAD_COUNT_MAX);
        Limits.check("state.queryTimeoutMs", queryTimeoutMs, 1, 24 * 3600 * 1000);
        Limits.check("state.historyLengthMax", historyLengthMax, 1 << 20, 1L << 44);
        Limits.check("state.columnLengthMax", columnLengthMax, 0, 1L << 44);
        Limits.check("state.queryNice", queryNice, 0, ThreadNice.MAX);
        Limits.check("state.liveLengthMax", liveLengthMax, 0, memoryLengthMax);
    }

    /**
     * The same with threads of queries that have the nice value of the process, and the default bound of the records' length.
     *
     * @param memoryLengthMax  see above.
     * @param chunkLength      see above.
     * @param versionLengthMax see above.
     * @param queryThreadCount see above.
     * @param queryTimeoutMs   see above.
     * @param historyLengthMax see above.
     * @param columnLengthMax  see above.
     */
    public StateConfig(
            final long memoryLengthMax,
            final int chunkLength,
            final long versionLengthMax,
            final int queryThreadCount,
            final int queryTimeoutMs,
            final long historyLengthMax,
            final long columnLengthMax) {
        this(
                memoryLengthMax,
                chunkLength,
                versionLengthMax,
                queryThreadCount,
                queryTimeoutMs,
                historyLengthMax,
                columnLengthMax,
                QUERY_NICE_DEFAULT,
                0);
    }

    /**
     * The same with the default bounds of columns and of the records' length.
     *
     * @param memoryLengthMax  see above.
     * @param chunkLength      see above.
     * @param versionLengthMax see above.
     * @param queryThreadCount see above.
     * @param queryTimeoutMs   see above.
     * @param historyLengthMax see above.
     */
    public StateConfig(
            final long memoryLengthMax,
            final int chunkLength,
            final long versionLengthMax,
            final int queryThreadCount,
            final int queryTimeoutMs,
            final long historyLengthMax) {
        this(
                memoryLengthMax,
                chunkLength,
                versionLengthMax,
                queryThreadCount,
                queryTimeoutMs,
                historyLengthMax,
                COLUMN_LENGTH_MAX_DEFAULT);
    }

    public static StateConfig defaults() {
        return new StateConfig(
                MEMORY_LENGTH_MAX_DEFAULT,
                CHUNK_LENGTH_DEFAULT,
                VERSION_LENGTH_MAX_DEFAULT,
                0,
                QUERY_TIMEOUT_MS_DEFAULT,
                HISTORY_LENGTH_MAX_DEFAULT,
                COLUMN_LENGTH_MAX_DEFAULT);
    }

    /** The same with another bound of the records' length. */
    public StateConfig withLiveLengthMax(final long value) {
        return new StateConfig(
                memoryLengthMax,
                chunkLength,
                versionLengthMax,
                queryThreadCount,
                queryTimeoutMs,
                historyLengthMax,
                columnLengthMax,
                queryNice,
                value);
    }

    long effectiveLiveLengthMax() {
        return liveLengthMax > 0 ? liveLengthMax : Long.MAX_VALUE;
    }

    int queryAgentCount() {
        return queryThreadCount > 0
                ? queryThreadCount
                : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
