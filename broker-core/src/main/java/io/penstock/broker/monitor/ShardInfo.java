package io.penstock.broker.monitor;

import java.util.List;

/**
 * What is known of a shard's log. Immutable.
 *
 * @param shard             number of the shard.
 * @param isJournaled       whether it is written to files.
 * @param windowLength      of the window, in bytes.
 * @param lastSequence      of the last record.
 * @param publishedPosition end of the log, in bytes.
 * @param writtenSequence   last record in files.
 * @param durableSequence   last record on stable storage.
 * @param durablePosition   end of what is on stable storage, in bytes.
 * @param journalStatus     0 = takes records, 1 = the disk is full, 2 = the disk has failed.
 * @param syncs             groups of records that were synced.
 * @param bytesWritten      to files.
 * @param snapshotSequence  last record in the newest snapshot.
 * @param snapshotLength    of its file, in bytes.
 * @param files             of the log, the oldest first.
 */
public record ShardInfo(
        int shard,
        boolean isJournaled,
        long windowLength,
        long lastSequence,
        long publishedPosition,
        long writtenSequence,
        long durableSequence,
        long durablePosition,
        long journalStatus,
        long syncs,
        long bytesWritten,
        long snapshotSequence,
        long snapshotLength,
        List<File> files) {
    public ShardInfo {
        files = List.copyOf(files);
    }

    /**
     * A file of a log.
     *
     * @param name          of the file.
     * @param firstSequence of the first record in it.
     */
    public record File(String name, long firstSequence) {}
}
