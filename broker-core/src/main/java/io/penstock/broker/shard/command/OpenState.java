package io.penstock.broker.shard.command;

import io.penstock.broker.query.QuerySource;
import io.penstock.broker.topic.TopicPattern;
import java.util.ArrayList;
import java.util.List;

/** Opens snapshots of a subscription's topics, so that its client is sent their state again. */
public final class OpenState extends LocalCommand {
    private final long number;
    private final int shard;
    private final TopicPattern topics;
    private final List<QuerySource> sources = new ArrayList<>();
    private long sequence;

    /**
     * Makes a command.
     *
     * @param ioAgent   of the client.
     * @param sessionId of the client.
     * @param number    of the state that is opened, for the I/O agent.
     * @param shard     that it is for.
     * @param topics    of the subscription.
     */
    public OpenState(
            final int ioAgent, final long sessionId, final long number, final int shard, final TopicPattern topics) {
        super(ioAgent, sessionId);
        this.number = number;
        this.shard = shard;
        this.topics = topics;
    }

    /** Of the state that is opened. */
    public long number() {
        return number;
    }

    /** That it was for. */
    public int shard() {
        return shard;
    }

    /** The snapshots; closed by who gets the reply. */
    public List<QuerySource> sources() {
        return sources;
    }

    /** The last record that is in the state. */
    public long sequence() {
        return sequence;
    }

    @Override
    void run(final LocalOperations operations) {
        operations.openSources(topics, null, sources);
        sequence = operations.newestSequence();
    }
}
