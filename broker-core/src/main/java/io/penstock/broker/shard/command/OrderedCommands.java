package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.order.BadCommandException;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandReader;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/** Makes commands of their bytes, for nodes whose clients have not given them. Owned by one sequencer. */
public final class OrderedCommands {
    private final CommandReader reader = new CommandReader();
    private final CreatedTopics createdTopics;
    private final Function<String, Filter> filters;

    /**
     * For one shard.
     *
     * @param createdTopics is told of topics that are deleted, whoever asked for it.
     * @param filters       makes a filter of its text, or throws a {@link BadCommandException}.
     */
    public OrderedCommands(final CreatedTopics createdTopics, final Function<String, Filter> filters) {
        this.createdTopics = createdTopics;
        this.filters = filters;
    }

    /**
     * Makes a command.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     * @param length in bytes; its header was checked.
     * @return the command, which has no reply.
     * @throws BadCommandException when its bytes are those of none.
     */
    public OrderedCommand decode(final DirectBuffer buffer, final int offset, final int length) {
        reader.wrap(buffer, offset, length);
        final int template = CommandHeader.template(buffer, offset);
        final OrderedCommand command = switch (template) {
            case CommandHeader.TEMPLATE_TOPIC -> OpenTopic.decode(reader, createdTopics);
            case CommandHeader.TEMPLATE_DELETE_TOPIC -> DeleteTopic.decode(reader, createdTopics);
            case CommandHeader.TEMPLATE_OPEN_PUBLISHER -> OpenPublisher.decode(reader);
            case CommandHeader.TEMPLATE_RESET_PUBLISHER -> ResetPublisher.decode(reader);
            case CommandHeader.TEMPLATE_DELETE -> Delete.decode(reader, CommandHeader.count(buffer, offset), filters);
            default -> throw new BadCommandException("of an unknown kind: " + template);
        };
        reader.end();
        return command;
    }
}
