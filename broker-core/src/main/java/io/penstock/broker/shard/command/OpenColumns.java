package io.penstock.broker.shard.command;

import io.penstock.broker.query.QuerySource;
import io.penstock.broker.topic.TopicPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Opens a snapshot of a topic for a query agent that makes its columns. The agent asks whether it is there. */
public final class OpenColumns extends LocalCommand {
    private final TopicPattern topic;
    private final Runnable wakeup;
    private final List<QuerySource> sources = new ArrayList<>();
    private final AtomicBoolean isDone = new AtomicBoolean();

    /**
     * Makes a command.
     *
     * @param topic  name of it.
     * @param wakeup of the agent.
     */
    public OpenColumns(final String topic, final Runnable wakeup) {
        super(0, 0);
        this.topic = TopicPattern.literal(topic);
        this.wakeup = wakeup;
    }

    /** Whether the command was run. From then on it belongs to the agent. */
    public boolean isDone() {
        return isDone.getAcquire();
    }

    /**
     * The snapshot, which the agent has closed.
     *
     * @return none when there is no such topic with state.
     */
    public List<QuerySource> sources() {
        return sources;
    }

    @Override
    public boolean isReplied() {
        return false;
    }

    @Override
    void run(final LocalOperations shard) {
        try {
            shard.openSources(topic, null, sources);
        } finally {
            // After a failure, too: the agent waits.
            isDone.setRelease(true);
            wakeup.run();
        }
    }
}
