package io.penstock.broker.shard;

/** Messages of I/O agents on other threads. */
interface InboxReader {
    /** Applies so many messages, or fewer if there are no more, or no room. Returns their number. */
    int read(Shard shard, int limit);

    /**
     * Notifies I/O agents that everything read so far is applied and enqueued. Returns false when one has no room now.
     */
    boolean onProcessed();
}
