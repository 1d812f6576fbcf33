package io.penstock.broker.shard.command;

import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import org.jspecify.annotations.Nullable;

/** Creates a topic unless it is there. */
public final class OpenTopic extends OrderedCommand {
    final String identity;

    final String name;
    final String format;
    private final @Nullable StateRule state;
    private final CreatedTopics createdTopics;
    private boolean isCreated;
    private boolean isGone;

    @Nullable
    Topic topic;

    public OpenTopic(
            final int ioAgent,
            final long sessionId,
            final String identity,
            final String name,
            final String format,
            final @Nullable StateRule state,
            final CreatedTopics createdTopics) {
        super(ioAgent, sessionId);
        this.identity = identity;
        this.name = name;
        this.format = format;
        this.state = state;
        this.createdTopics = createdTopics;
    }

    /** Whether it existed before and was deleted: it has to be asked for again, as a creation of a client. */
    public boolean isGone() {
        return isGone;
    }

    /** Whose topic is counted; empty when it was there before. */
    public String identity() {
        return identity;
    }

    /** Whether it was not there before. */
    public boolean isCreated() {
        return isCreated;
    }

    public String name() {
        return name;
    }

    public @Nullable Topic topic() {
        return topic;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        topic = shard.findTopic(name);
        isGone = topic == null && identity.isEmpty();
        if (topic != null || isGone || shard.isTopicLimitReached()) {
            return true;
        }
        final Topic created = shard.createTopic(name, format, state);
        if (created == null) {
            return false;
        }
        topic = created;
        isCreated = true;
        createdTopics.onCreated(created, identity);
        return true;
    }
}
