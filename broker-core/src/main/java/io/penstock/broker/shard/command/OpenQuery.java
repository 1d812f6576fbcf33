package io.penstock.broker.shard.command;

import io.penstock.broker.query.QuerySource;
import io.penstock.broker.topic.TopicPattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens snapshots of the topics that a query looks at. */
public final class OpenQuery extends LocalCommand {
    final TopicPattern topics;
    final List<QuerySource> sources = new ArrayList<>();
    private final @Nullable List<byte[]> keys;

    public OpenQuery(
            final int ioAgent, final long sessionId, final TopicPattern topics, final @Nullable List<byte[]> keys) {
        super(ioAgent, sessionId);
        this.topics = topics;
        this.keys = keys;
    }

    public List<QuerySource> sources() {
        return sources;
    }

    @Override
    void run(final LocalOperations shard) {
        shard.openSources(topics, keys, sources);
    }
}
