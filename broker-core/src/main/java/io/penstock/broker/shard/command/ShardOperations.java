package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** All operations of commands on a shard. Implemented by its sequencer, called on its thread. */
public interface ShardOperations extends LocalOperations {
    boolean isTopicLimitReached();

    /**
     * Creates a topic, as a record of the log.
     *
     * @param name   not in use.
     * @param format by name.
     * @param state  how it keeps the last value of each key, or null.
     * @return the topic, or null when the log has no room now.
     */
    @Nullable
    Topic createTopic(String name, String format, @Nullable StateRule state);

    /**
     * Why a topic cannot be deleted.
     *
     * @param topic of the shard.
     * @return what needs it, for people, or null when nothing does.
     */
    @Nullable
    String useOf(Topic topic);

    /**
     * Deletes a topic with its state, as a record of the log.
     *
     * @param topic that nothing needs.
     * @return false when the log has no room now.
     */
    boolean deleteTopic(Topic topic);

    boolean isPublisherLimitReached();

    /**
     * Finds or creates a named publisher, as a record of the log.
     *
     * @param name of the client.
     * @return its number, or 0 when the log has no room now.
     */
    int openPublisher(String name);

    /**
     * Takes back that sequences of a publisher were applied, as a record of the log.
     *
     * @param publisherId       number of the publisher.
     * @param publisherSequence the highest that still counts as applied.
     * @return false when the log has no room now.
     */
    boolean resetPublisher(int publisherId, long publisherSequence);

    /**
     * Deletes the record of a key.
     *
     * @param topic with state.
     * @param key   in canonical form.
     * @return 1 when it was there, 0 when not, negative when the log has no room now.
     */
    int delete(String topic, byte[] key);

    /**
     * Deletes the record of a key.
     *
     * @param topicId of a topic.
     * @param key     in canonical form, from the buffer's start on.
     * @param length  of the key in bytes.
     * @return 1 when it was there, 0 when not, negative when the log has no room now.
     */
    int delete(int topicId, DirectBuffer key, int length);

    /**
     * Deletes a record that a query has found.
     *
     * @param topicId   of a topic with state, which may be deleted by now.
     * @param key       buffer that holds its key in canonical form.
     * @param offset    of the key.
     * @param length    of the key in bytes.
     * @param sequence  of the version that the query has found.
     * @param filter    which a newer version has to match, too; null for any.
     * @return 1 when it was deleted, 0 when not, negative when the log has no room now.
     */
    int delete(int topicId, DirectBuffer key, int offset, int length, long sequence, @Nullable Filter filter);
}
