package io.penstock.broker.agent;

import io.penstock.broker.shard.ReplyListener;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.topic.Topic;
import java.util.List;

/** Carries replies of sequencers to the agents that wait for them. */
final class ShardReplies implements ReplyListener {
    private final List<IoAgent> ioAgents;
    private final AttachListener attached;

    /**
     * @param ioAgents of the broker, some of which may come later.
     * @param attached is notified of each subscription that is live again.
     */
    ShardReplies(final List<IoAgent> ioAgents, final AttachListener attached) {
        this.ioAgents = ioAgents;
        this.attached = attached;
    }

    @Override
    public boolean onReply(final ShardCommand command) {
        final IoAgent ioAgent = ioAgents.get(command.ioAgent());
        if (!ioAgent.offer(command)) {
            return false;
        }
        ioAgent.wakeup();
        return true;
    }

    @Override
    public boolean onRefused(
            final Topic topic,
            final Publication publication,
            final StateRefusal reason,
            final long used,
            final long limit) {
        // The index of a session's I/O agent is in the high bits of its number.
        final IoAgent ioAgent = ioAgents.get((int) (publication.sessionId() >>> 48));
        if (!ioAgent.refusals()
                .offer(
                        publication.sessionId(),
                        publication.commandId(),
                        publication.publisherSequence(),
                        topic.shard(),
                        topic.id(),
                        reason,
                        used,
                        limit)) {
            return false;
        }
        ioAgent.wakeup();
        return true;
    }

    @Override
    public void onAttached(final long feed, final long position) {
        attached.onAttached(feed, position);
    }

    /** Is notified by a sequencer that a feed of a subscription is live from a position on. */
    @FunctionalInterface
    interface AttachListener {
        void onAttached(long feed, long position);
    }
}
