package io.penstock.broker.journal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How a shard's log is written to files.
 *
 * @param fileLength      of each file, in bytes, a multiple of 4096.
 * @param firstLength     of the first file of a new log, not more than that of the others: a start waits until it is written.
 * @param direct          whether files are written past the system's cache, if they can be.
 * @param sync            when records are on stable storage.
 * @param retention       how long full files are kept.
 * @param snapshots       when the state is written to a file.
 * @param replayPageCount pages of {@link LogPage#LENGTH} bytes that files are read into for subscribers.
 * @param quarantines     whether a start puts damaged files aside and goes on without them, or refuses.
 */
public record JournalSettings(
        long fileLength,
        long firstLength,
        boolean direct,
        Sync sync,
        Retention retention,
        Snapshots snapshots,
        int replayPageCount,
        boolean quarantines) {
    /**
     * When files are synced.
     *
     * @param policy         what has to have happened.
     * @param intervalNs     longest time between syncs with something to sync, for all policies but {@code ALWAYS}.
     * @param intervalLength most bytes between syncs, for all policies but {@code ALWAYS}.
     */
    public record Sync(SyncPolicy policy, long intervalNs, long intervalLength) {}

    /** How long full files are kept. Any thread may change it while a broker runs. */
    public static final class Retention {
        private final AtomicLong length;
        private final AtomicLong timeNs;

        /**
         * Makes it.
         *
         * @param length bytes of full files up to which they are kept; 0 for no bound.
         * @param timeNs for which they are, in nanoseconds; 0 for ever.
         */
        public Retention(final long length, final long timeNs) {
            this.length = new AtomicLong(length);
            this.timeNs = new AtomicLong(timeNs);
        }

        /** Takes the bounds of another one. */
        public void boundsOf(final Retention other) {
            length.set(other.length());
            timeNs.set(other.timeNs());
        }

        /** Bytes of full files up to which they are kept; 0 for no bound. */
        public long length() {
            return length.get();
        }

        /** For how long full files are kept, in nanoseconds; 0 for ever. */
        public long timeNs() {
            return timeNs.get();
        }
    }

    /**
     * When the state is written to a file, and what a start makes of such files.
     *
     * @param intervalLength bytes of records after which it is; 0 for no bound.
     * @param intervalNs     time after which it is, if something has changed; 0 for never.
     * @param areNeeded      whether a start refuses a damaged one, even if there is an older one.
     */
    public record Snapshots(long intervalLength, long intervalNs, boolean areNeeded) {}
}
