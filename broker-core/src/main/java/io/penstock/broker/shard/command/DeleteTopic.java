package io.penstock.broker.shard.command;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_DELETE_TOPIC;

import io.penstock.broker.security.audit.AdministrationReport;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandReader;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.broker.topic.Topic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Deletes a topic, unless something needs it. */
public final class DeleteTopic extends OrderedCommand {
    final String name;

    private final @Nullable AdministrationReport report;

    private final CreatedTopics createdTopics;
    private boolean isKnown;
    private @Nullable String use;

    /** @param createdTopics gets back what the topic counts for. */
    public DeleteTopic(
            final int ioAgent,
            final long sessionId,
            final String name,
            final CreatedTopics createdTopics,
            final @Nullable AdministrationReport report) {
        super(ioAgent, sessionId);
        this.name = name;
        this.report = report;
        this.createdTopics = createdTopics;
    }

    /** The views that need it; null when none does. */
    public @Nullable String use() {
        return use;
    }

    public String name() {
        return name;
    }

    /** Whether the topic was there. */
    public boolean isKnown() {
        return isKnown;
    }

    /** The I/O agent's alone. */
    public AdministrationReport report() {
        return Objects.requireNonNull(report);
    }

    @Override
    public boolean encode(final CommandWriter to, final CommandOrigin origin, final long number) {
        to.begin(TEMPLATE_DELETE_TOPIC, origin, number);
        to.putText(name);
        return true;
    }

    static DeleteTopic decode(final CommandReader from, final CreatedTopics createdTopics) {
        return new DeleteTopic(0, 0, from.readText(Topic.NAME_LENGTH_MAX), createdTopics, null);
    }

    @Override
    public boolean onApplied(final OrderedCommand part) {
        final DeleteTopic applied = (DeleteTopic) part;
        isKnown = applied.isKnown;
        use = applied.use;
        return true;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        final Topic topic = shard.findTopic(name);
        isKnown = topic != null;
        if (topic == null) {
            return true;
        }
        use = shard.useOf(topic);
        if (use == null) {
            if (!shard.deleteTopic(topic)) {
                return false;
            }
            createdTopics.onDeleted(topic);
        }
        return true;
    }

    /** Whether it was deleted. */
    public boolean isDeleted() {
        return isKnown && use == null;
    }
}
