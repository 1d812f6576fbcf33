package io.penstock.broker.shard.command;

import io.penstock.broker.query.QuerySource;
import java.util.List;

/** Closes the snapshots of a query. */
public final class CloseQuery extends LocalCommand {
    private final List<QuerySource> sources;

    public CloseQuery(final int ioAgent, final long sessionId, final List<QuerySource> sources) {
        super(ioAgent, sessionId);
        this.sources = List.copyOf(sources);
    }

    @Override
    public boolean isReplied() {
        return false;
    }

    @Override
    void run(final LocalOperations shard) {
        shard.closeSources(sources);
    }
}
