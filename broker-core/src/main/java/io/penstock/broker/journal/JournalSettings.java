package io.penstock.broker.journal;

/**
 * How a shard's log is written to files.
 *
 * @param fileLength      of each file, in bytes, a multiple of 4096.
 * @param direct          whether files are written past the system's cache, if they can be.
 * @param policy          when it is synced.
 * @param intervalNs      longest time between syncs with something to sync, for all policies but {@code ALWAYS}.
 * @param intervalLength  most bytes between syncs, for all policies but {@code ALWAYS}.
 * @param retentionLength bytes of full files up to which they are kept; 0 for no bound.
 * @param retentionNs     time for which full files are kept; 0 for ever.
 * @param replayPageCount pages of {@link LogPage#LENGTH} bytes that files are read into for subscribers.
 * @param snapshotLength  bytes of records after which the state is written to a file; 0 for no bound.
 * @param snapshotNs      time after which it is, if something has changed; 0 for never.
 * @param quarantines     whether a start puts damaged files aside and goes on without them, or refuses.
 * @param snapshotsNeeded whether a start refuses a damaged snapshot, even if there is an older one.
 */
public record JournalSettings(
        long fileLength,
        boolean direct,
        SyncPolicy policy,
        long intervalNs,
        long intervalLength,
        long retentionLength,
        long retentionNs,
        int replayPageCount,
        long snapshotLength,
        long snapshotNs,
        boolean quarantines,
        boolean snapshotsNeeded) {}
