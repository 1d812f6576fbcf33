package io.penstock.broker.shard.command;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_RESET_PUBLISHER;

import io.penstock.broker.security.audit.AdministrationReport;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandReader;
import io.penstock.broker.shard.order.CommandWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes back that sequences of a named publisher were applied. */
public final class ResetPublisher extends OrderedCommand {
    final String name;
    final long publisherSequence;

    private final @Nullable AdministrationReport report;

    private boolean isKnown;

    public ResetPublisher(
            final int ioAgent,
            final long sessionId,
            final String name,
            final long publisherSequence,
            final @Nullable AdministrationReport report) {
        super(ioAgent, sessionId);
        this.name = name;
        this.publisherSequence = publisherSequence;
        this.report = report;
    }

    /** The report of all shards; used by the I/O agent alone. */
    public AdministrationReport report() {
        return Objects.requireNonNull(report);
    }

    /** Whether the shard knows the publisher. */
    public boolean isKnown() {
        return isKnown;
    }

    @Override
    public boolean encode(final CommandWriter to, final CommandOrigin origin, final long number) {
        to.begin(TEMPLATE_RESET_PUBLISHER, origin, number);
        to.putText(name).putLong(publisherSequence);
        return true;
    }

    static ResetPublisher decode(final CommandReader from) {
        return new ResetPublisher(0, 0, from.readText(OpenPublisher.NAME_LENGTH_MAX), from.readLong(), null);
    }

    @Override
    public boolean onApplied(final OrderedCommand part) {
        isKnown = ((ResetPublisher) part).isKnown;
        return true;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        final int publisherId = shard.findPublisher(name);
        isKnown = publisherId > 0;
        return !isKnown || shard.resetPublisher(publisherId, publisherSequence);
    }
}
