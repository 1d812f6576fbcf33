package io.penstock.broker.journal;

/**
 * How a shard's log is written to files.
 *
 * @param fileLength      of each file, in bytes, a multiple of 4096.
 * @param policy          when it is synced.
 * @param intervalNs      longest time between syncs with something to sync, for all policies but {@code ALWAYS}.
 * @param intervalLength  most bytes between syncs, for all policies but {@code ALWAYS}.
 * @param retentionLength bytes of files that are kept at least; older ones go. Of all shards together.
 * @param retentionNs     time for which files are kept at least.
 * @param replayPageCount pages of {@link LogPage#LENGTH} bytes that files are read into for subscribers.
 */
public record JournalSettings(
        long fileLength,
        SyncPolicy policy,
        long intervalNs,
        long intervalLength,
        long retentionLength,
        long retentionNs,
        int replayPageCount) {}
