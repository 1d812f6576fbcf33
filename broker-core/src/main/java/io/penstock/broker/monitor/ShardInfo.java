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
 * @param journal           how far its files are.
 * @param files             of the log, the oldest first.
 */
public record ShardInfo(
        int shard,
        boolean isJournaled,
        long windowLength,
        long lastSequence,
        long publishedPosition,
        Journal journal,
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

    /** How far the files of a log are; see the methods of the same names. */
    public record Journal(
            long writtenSequence,
            long durableSequence,
            long durablePosition,
            long journalStatus,
            long syncs,
            long bytesWritten,
            long snapshotSequence,
            long snapshotLength) {}

    /** The last record in files. */
    public long writtenSequence() {
        return journal.writtenSequence();
    }

    /** The last record on stable storage. */
    public long durableSequence() {
        return journal.durableSequence();
    }

    /** End of what is on stable storage, in bytes. */
    public long durablePosition() {
        return journal.durablePosition();
    }

    /** 0 = the journal takes records, 1 = its disk is full, 2 = its disk has failed. */
    public long journalStatus() {
        return journal.journalStatus();
    }

    /** Groups of records that were synced. */
    public long syncs() {
        return journal.syncs();
    }

    /** Bytes written to files. */
    public long bytesWritten() {
        return journal.bytesWritten();
    }

    /** The last record in the newest snapshot. */
    public long snapshotSequence() {
        return journal.snapshotSequence();
    }

    /** Length of its file, in bytes. */
    public long snapshotLength() {
        return journal.snapshotLength();
    }
}
