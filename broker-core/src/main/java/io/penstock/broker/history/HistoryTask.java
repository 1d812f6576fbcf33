package io.penstock.broker.history;

import io.penstock.broker.query.QuerySource;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The task to make state as it was for one query. An I/O agent creates it, gives it to the historian, and releases it
 * by {@link #release}, whether the state was made or not; until then the sources may be read.
 */
public final class HistoryTask {
    /** It is asked for as of a sequence of each shard, not of a time. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private final List<Topic> topics;
    private final @Nullable List<byte[]> keys;
    private final long timeNs;
    private final long[] sequences;
    private final Runnable wakeup;
    private final AtomicReference<@Nullable List<QuerySource>> sources = new AtomicReference<>();
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    private final AtomicBoolean isReleased = new AtomicBoolean();
    private final AtomicLong recordCount = new AtomicLong();
    private final AtomicLong recordsRead = new AtomicLong();

    /**
     * Why the state was not made.
     *
     * @param code sent to the client.
     * @param text for people.
     */
    public record Failure(ErrorCode code, String text) {}

    /**
     * Makes a task.
     *
     * @param topics    to make, of journaled shards.
     * @param keys      in canonical form: only these records of the one topic; or null for all.
     * @param timeNs    since 1970, as of which it is asked for; or {@link #NO_TIME}.
     * @param sequences by shard: the last record that counts; with a time the newest one that may.
     * @param wakeup    notifies the I/O agent of news; called from any thread.
     */
    public HistoryTask(
            final List<Topic> topics,
            final @Nullable List<byte[]> keys,
            final long timeNs,
            final long[] sequences,
            final Runnable wakeup) {
        this.topics = List.copyOf(topics);
        this.keys = keys;
        this.timeNs = timeNs;
        this.sequences = sequences.clone();
        this.wakeup = wakeup;
    }

    public List<Topic> topics() {
        return topics;
    }

    /**
     * The only records asked for.
     *
     * @return keys in canonical form, or null for all records.
     */
    public @Nullable List<byte[]> keys() {
        return keys;
    }

    /**
     * The time as of which it is asked for.
     *
     * @return nanoseconds since 1970, or {@link #NO_TIME}.
     */
    public long timeNs() {
        return timeNs;
    }

    /**
     * The last record of a shard that counts; with a time the newest one that may.
     *
     * @param shard of one of the topics.
     * @return sequence.
     */
    public long sequence(final int shard) {
        return sequences[shard];
    }

    /**
     * Nobody wants it any more, and nobody reads its sources. Called by the I/O agent.
     */
    public void release() {
        isReleased.set(true);
    }

    /**
     * Whether the I/O agent has given it back.
     *
     * @return true for good.
     */
    public boolean isReleased() {
        return isReleased.get();
    }

    /**
     * The state was made. Called by the historian.
     *
     * @param made a source for each topic.
     */
    public void complete(final List<QuerySource> made) {
        sources.set(List.copyOf(made));
        wakeup.run();
    }

    /**
     * The state cannot be made. Called by the historian.
     *
     * @param reason sent to the client.
     */
    public void fail(final Failure reason) {
        failure.set(reason);
        wakeup.run();
    }

    /**
     * The sources of the state.
     *
     * @return a source for each topic, or null when it is not made yet.
     */
    public @Nullable List<QuerySource> sources() {
        return sources.get();
    }

    /**
     * Why it was not made.
     *
     * @return null when it is made, or still may be.
     */
    public @Nullable Failure failure() {
        return failure.get();
    }

    /**
     * Says how far it is. Called by the historian.
     *
     * @param count of records that there are to read, as far as that is known.
     * @param read  count of those that were.
     */
    public void progress(final long count, final long read) {
        recordCount.setRelease(count);
        recordsRead.setRelease(read);
    }

    /**
     * Records of snapshots and logs that there are to read, as far as that is known.
     *
     * @return count.
     */
    public long recordCount() {
        return recordCount.getAcquire();
    }

    /**
     * Records of snapshots and logs read so far.
     *
     * @return count.
     */
    public long recordsRead() {
        return recordsRead.getAcquire();
    }
}
