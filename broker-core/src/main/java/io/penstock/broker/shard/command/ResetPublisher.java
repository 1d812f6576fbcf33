package io.penstock.broker.shard.command;

import io.penstock.broker.security.audit.AdministrationReport;

/** Takes back that sequences of a named publisher were applied. */
public final class ResetPublisher extends OrderedCommand {
    final String name;
    final long publisherSequence;

    final AdministrationReport report;

    private boolean isKnown;

    public ResetPublisher(
            final int ioAgent,
            final long sessionId,
            final String name,
            final long publisherSequence,
            final AdministrationReport report) {
        super(ioAgent, sessionId);
        this.name = name;
        this.publisherSequence = publisherSequence;
        this.report = report;
    }

    /** The report of all shards; used by the I/O agent alone. */
    public AdministrationReport report() {
        return report;
    }

    /** Whether the shard knows the publisher. */
    public boolean isKnown() {
        return isKnown;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        final int publisherId = shard.findPublisher(name);
        isKnown = publisherId > 0;
        return !isKnown || shard.resetPublisher(publisherId, publisherSequence);
    }
}
