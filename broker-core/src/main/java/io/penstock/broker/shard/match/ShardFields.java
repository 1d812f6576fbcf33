package io.penstock.broker.shard.match;

import io.penstock.broker.filter.program.Workspace;
import io.penstock.broker.topic.ByTopic;
import io.penstock.broker.topic.Topic;

/**
 * The fields that filters read of the topics of one shard: live subscriptions and followers of a topic share them, so that
 * a message is read once for both. Owned by the sequencer.
 */
public final class ShardFields {
    private final Workspace workspace = new Workspace();
    private final ByTopic<TopicFields> byTopic = new ByTopic<>();

    /** Starts without topics. */
    public ShardFields() {}

    /**
     * The fields of a topic.
     *
     * @param topic that is there.
     * @return the same ones until {@link #remove} was called.
     */
    public TopicFields of(final Topic topic) {
        TopicFields fields = byTopic.get(topic.id());
        if (fields == null) {
            fields = new TopicFields(topic.format(), workspace);
            byTopic.put(topic.id(), fields);
        }
        return fields;
    }

    /** A topic was deleted. Owners of its fields may go on using them. */
    void remove(final Topic topic) {
        byTopic.put(topic.id(), null);
    }
}
