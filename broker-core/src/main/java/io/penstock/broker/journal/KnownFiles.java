package io.penstock.broker.journal;

import java.io.IOException;

/** The files that a shard's log has to have, as noted outside of them. */
public interface KnownFiles {
    /** Nothing is known: whatever is there is all there is. */
    KnownFiles NONE = new KnownFiles() {
        @Override
        public long logId() {
            return 0;
        }

        @Override
        public long first() {
            return 0;
        }

        @Override
        public long newest() {
            return 0;
        }

        @Override
        public void note(final long first, final long newest) {}
    };

    /** The id in the heads of its files, which distinguishes them from another broker's; 0 when it is not known. */
    long logId();

    /** The first sequence of the oldest file; 0 when the log has not begun. */
    long first();

    /** The first sequence of the newest file that was noted; 0 when the log has not begun. */
    long newest();

    /**
     * Notes which files there are. A file is noted when it is there, and one that is to go is left out before it goes.
     *
     * @param first  sequence of the oldest file.
     * @param newest first sequence of the newest file.
     * @throws IOException when the disk fails.
     */
    void note(long first, long newest) throws IOException;
}
