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
    private final @Nullable TopicPattern joined;

    public OpenQuery(
            final int ioAgent, final long sessionId, final TopicPattern topics, final @Nullable List<byte[]> keys) {
        this(ioAgent, sessionId, topics, keys, null);
    }

    /**
     * Opens those of two topics of the shard as of the same sequence.
     *
     * @param ioAgent   that gets them.
     * @param sessionId of the client.
     * @param topics    the left one, whose snapshot comes first.
     * @param keys      of its only records; null for all.
     * @param joined    the right one; null for none.
     */
    public OpenQuery(
            final int ioAgent,
            final long sessionId,
            final TopicPattern topics,
            final @Nullable List<byte[]> keys,
            final @Nullable TopicPattern joined) {
        super(ioAgent, sessionId);
        this.topics = topics;
        this.keys = keys;
        this.joined = joined;
    }

    public List<QuerySource> sources() {
        return sources;
    }

    @Override
    void run(final LocalOperations shard) {
        shard.openSources(topics, keys, sources);
        if (joined != null) {
            shard.openSources(joined, null, sources);
        }
    }
}
