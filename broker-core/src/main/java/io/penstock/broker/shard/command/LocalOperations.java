package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of commands that concern clients of this broker, and change nothing of what the log has. Implemented by the
 * shard's sequencer, called on its thread.
 */
public interface LocalOperations {
    @Nullable
    Topic findTopic(String name);

    /**
     * Finds a named publisher.
     *
     * @param name of the client.
     * @return its number, 0 when it is not known.
     */
    int findPublisher(String name);

    /**
     * The highest sequence applied for a publisher.
     *
     * @param publisherId number of the publisher, 0 for none.
     * @return the sequence, 0 for none.
     */
    long lastSequence(int publisherId);

    /**
     * Adds a subscription from the next record on.
     *
     * @param interest what it wants.
     * @param filter   of the interest, compiled by its I/O agent, and the shard's from now on; null for everything.
     * @param fields   of the topic that it follows, made by its I/O agent, and the shard's from now on; null when it
     *                 follows none.
     * @param ring     to its I/O agent.
     * @param held     whether nothing is enqueued before {@link #resume} or, when it does not follow state, a cursor
     *                 has caught up.
     * @return where the cursor of one that is held has to start.
     */
    long subscribe(
            Interest interest,
            @Nullable Filter filter,
            @Nullable FollowFields fields,
            DescriptorRing ring,
            boolean held);

    /**
     * Gives a feed that follows state another filter, and holds it until {@link #resume}.
     *
     * @param changedFeed number of it so far.
     * @param interest    of it from now on.
     * @param filter      of the interest, compiled by its I/O agent, and the shard's from now on; null for everything.
     * @param isWaiting   whether it is held already, and was sent nothing.
     * @return text of the filter by which its client's state is; null when it cannot be changed now.
     */
    @Nullable
    String changeFilter(long changedFeed, Interest interest, @Nullable Filter filter, boolean isWaiting);

    /**
     * Has a held feed look at rows whose records have not changed, since only one of its filters matches them.
     *
     * @param feed number of the feed.
     * @param rows of its topic.
     */
    void addRows(long feed, int[] rows);

    /**
     * The client of a held subscription that follows state has been sent the state.
     *
     * @param feed number of the subscription.
     */
    void resume(long feed);

    /**
     * Whether some of these topics keep state.
     *
     * @param wanted names.
     * @return true when at least one is there.
     */
    boolean hasState(TopicPattern wanted);

    /**
     * Opens snapshots of all topics with state that are asked for, as of the newest sequence.
     *
     * @param wanted  names.
     * @param keys    in canonical form: only these records; or null for all.
     * @param sources to add to.
     */
    void openSources(TopicPattern wanted, @Nullable List<byte[]> keys, List<QuerySource> sources);

    void closeSources(List<QuerySource> sources);

    /**
     * The newest record.
     *
     * @return its sequence, 0 for none.
     */
    long newestSequence();

    /**
     * The oldest record that the window is sure to have.
     *
     * @return its sequence.
     */
    long oldestSequence();

    /**
     * The time for records.
     *
     * @return nanoseconds since 1970.
     */
    long timeNs();

    void unsubscribe(long feed);

    /**
     * A subscription is superseded by another one, from the next record on.
     *
     * @param feed number of the one that ends.
     * @return true when everything due to it was enqueued, so that later records come after it; false when it gets the
     *         rest otherwise: from a cursor, or, if it follows state, until its I/O agent is notified that it has
     *         ended.
     */
    boolean supersede(long feed);

    void removeSession(long sessionId);
}
