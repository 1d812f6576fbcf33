package io.penstock.broker.journal;

import org.jspecify.annotations.Nullable;

/**
 * Notified of what a broker finds in its files when it starts. Called by the threads that start it, one call at a time.
 */
public interface RecoveryListener {
    /** Is interested in nothing. */
    RecoveryListener NONE = new RecoveryListener() {
        @Override
        public void onProgress(final int shard, final long recordCount, final int percent, final long elapsedNs) {}

        @Override
        public void onRecovered(final Recovery found) {}

        @Override
        public void onDamage(final int shard, final String text) {}
    };

    /**
     * Some more records were applied.
     *
     * @param shard       whose they are.
     * @param recordCount of the snapshot and of the log, so far.
     * @param percent     of the files read, about.
     * @param elapsedNs   since this shard was begun.
     */
    void onProgress(int shard, long recordCount, int percent, long elapsedNs);

    /**
     * A shard is what it was.
     *
     * @param found what was there.
     */
    void onRecovered(Recovery found);

    /**
     * Something was damaged, and the start goes on without it.
     *
     * @param shard that it belongs to.
     * @param text  what it is, what is lost, and where it is now.
     */
    void onDamage(int shard, String text);

    /**
     * The result of a shard's start.
     *
     * @param shard               of the broker.
     * @param snapshotSequence    of the snapshot that the state was read from; 0 when there was none.
     * @param snapshotRecordCount records of it.
     * @param recordCount         records of the log that were applied.
     * @param sequence            of the last one.
     * @param elapsedNs           that it took.
     * @param torn                what was dropped at the end of the log; null for nothing.
     */
    record Recovery(
            int shard,
            long snapshotSequence,
            long snapshotRecordCount,
            long recordCount,
            long sequence,
            long elapsedNs,
            @Nullable TornTail torn) {}

    /**
     * The bytes that an interrupted run has left after the last record.
     *
     * @param path     of the file.
     * @param position in it, where the records end.
     * @param length   bytes that followed, were no record and were dropped.
     */
    record TornTail(String path, long position, long length) {}
}
