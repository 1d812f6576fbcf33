package io.penstock.broker.shard;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.broker.topic.TopicTable;
import org.jspecify.annotations.Nullable;

/**
 * An I/O agent's way to one shard: messages and commands in, a count of those processed back. Owned by the I/O agent;
 * implemented for a sequencer on the same thread and for one on its own.
 */
public interface ShardPort {
    int shard();

    LogWindow window();

    TopicTable topics();

    /**
     * Publishes a message that was validated and authorized.
     *
     * @param publication of a topic of this shard.
     * @return false when there is no room now.
     */
    boolean publish(Publication publication);

    /**
     * Publishes a message that lies in a staging slot, which stays in use until {@link #processed()} has reached what
     * {@link #submitted()} is after this.
     *
     * @param publication of a topic of this shard, whose payload is in the slot.
     * @param slot        that holds it.
     * @return false when there is no room now.
     */
    boolean publishStaged(Publication publication, StagingSlot slot);

    /**
     * How many messages were taken by the publish methods.
     *
     * @return count since start.
     */
    long submitted();

    /**
     * Reports which of them were dropped.
     *
     * @return filled before {@link #processed()} counts them.
     */
    Duplicates duplicates();

    /**
     * The sequence of a message in the shard.
     *
     * @param submission that was processed, as {@link #submitted()} counted it.
     * @return 0 when the message was dropped or refused, or when thousands were submitted since.
     */
    long appliedSequence(long submission);

    /** Looks how far the shard has come. */
    void sync();

    /**
     * How many of them were applied and enqueued for their subscribers' agents, or refused, as of {@link #sync()}.
     *
     * @return count since start, never above {@link #submitted()}.
     */
    long processed();

    /**
     * Whether several nodes make the shard's order, so that this one may not have applied all that is decided.
     *
     * @return false when the broker is alone.
     */
    default boolean isReplicated() {
        return false;
    }

    /**
     * Whether the shard is written to files.
     *
     * @return false when it is in memory only.
     */
    boolean isJournaled();

    /**
     * The files that the shard is written to.
     *
     * @return null when it is in memory only.
     */
    @Nullable
    JournalFiles files();

    /**
     * Where the shard's log ends now: what was processed before this call is before it.
     *
     * @return position.
     */
    long publishedPosition();

    /**
     * Where what is on stable storage ends.
     *
     * @return position.
     */
    long durablePosition();

    /**
     * Whether the shard's files take what is published.
     *
     * @return a value of {@link io.penstock.broker.journal.JournalStatus}.
     */
    long journalStatus();

    /**
     * Whether some subscriptions of the shard are not live. Seen to be false after all messages were processed, what
     * is left to be sent lies in the rings.
     *
     * @return true when the log is still to be read for some of them.
     */
    boolean isAnyLagging();

    /**
     * Hands a command to the sequencer.
     *
     * @param command which is the sequencer's from now on.
     * @return false when its queue is full.
     */
    boolean offer(ShardCommand command);

    /** Wakes the sequencer if something was handed to it since the last call: once for a whole batch. */
    void signal();
}
