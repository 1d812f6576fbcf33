package io.penstock.broker.shard.command;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_TOPIC;

import io.penstock.broker.shard.order.BadCommandException;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandReader;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import org.jspecify.annotations.Nullable;

/** Creates a topic unless it is there. */
public final class OpenTopic extends OrderedCommand {
    private static final int FLAG_CREATE = 1;

    /** A bound for names and rules that come from another node. */
    private static final int TEXT_LENGTH_MAX = 16 * 1024;

    /** In place of an identity: who creates it is counted by another node. No client has this name. */
    private static final String ELSEWHERE = "\0";

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
    public boolean encode(final CommandWriter to, final CommandOrigin origin, final long number) {
        to.begin(TEMPLATE_TOPIC, origin, number);
        // Who has been counted for it may create it; others only ask for it.
        to.putShort(identity.isEmpty() ? 0 : FLAG_CREATE)
                .putText(name)
                .putText(format)
                .putText(state == null ? "" : state.keyText())
                .putLong(state == null ? 0 : state.expirationNs());
        return true;
    }

    static OpenTopic decode(final CommandReader from, final CreatedTopics createdTopics) {
        final int flags = from.readShort();
        final String name = from.readText(TEXT_LENGTH_MAX);
        final String format = from.readText(TEXT_LENGTH_MAX);
        final String key = from.readText(TEXT_LENGTH_MAX);
        final long expirationNs = from.readLong();
        if ((flags & ~FLAG_CREATE) != 0 || Topic.checkName(name) != null || expirationNs < 0) {
            throw new BadCommandException("a topic that cannot be: " + name);
        }
        final StateRule rule = key.isEmpty() ? null : StateRule.parse(key, expirationNs);
        return new OpenTopic(0, 0, flags == 0 ? "" : ELSEWHERE, name, format, rule, createdTopics);
    }

    @Override
    public boolean onApplied(final OrderedCommand part) {
        final OpenTopic applied = (OpenTopic) part;
        topic = applied.topic;
        isGone = applied.isGone;
        isCreated = applied.isCreated;
        final Topic created = topic;
        if (isCreated && created != null) {
            createdTopics.onCreated(created, identity);
        }
        return true;
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
        if (!identity.equals(ELSEWHERE)) {
            createdTopics.onCreated(created, identity);
        }
        return true;
    }
}
