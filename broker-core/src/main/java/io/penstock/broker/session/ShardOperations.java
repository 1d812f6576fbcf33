package io.penstock.broker.session;

import io.penstock.broker.match.DescriptorRing;
import io.penstock.broker.match.Interest;
import io.penstock.broker.topic.Topic;
import org.jspecify.annotations.Nullable;

/** What commands do to a shard. Implemented by its sequencer, called on its thread. */
public interface ShardOperations {
    @Nullable
    Topic findTopic(String name);

    boolean isTopicLimitReached();

    /**
     * Creates a topic, as a record of the log.
     *
     * @param name   not in use.
     * @param format by name.
     * @return the topic, or null when the log has no room now.
     */
    @Nullable
    Topic createTopic(String name, String format);

    /**
     * Finds a named publisher.
     *
     * @param name of the client.
     * @return its number, 0 when it is not known.
     */
    int findPublisher(String name);

    boolean isPublisherLimitReached();

    /**
     * Finds or creates a named publisher, as a record of the log.
     *
     * @param name of the client.
     * @return its number, or 0 when the log has no room now.
     */
    int openPublisher(String name);

    /**
     * The highest sequence applied for a publisher.
     *
     * @param publisherId number of the publisher, 0 for none.
     * @return the sequence, 0 for none.
     */
    long lastSequence(int publisherId);

    void subscribe(Interest interest, DescriptorRing ring);

    void unsubscribe(long part);

    void removeSession(long sessionId);
}
