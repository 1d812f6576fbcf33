package io.penstock.broker.session;

import io.penstock.broker.match.DescriptorRing;
import io.penstock.broker.match.Interest;
import io.penstock.broker.topic.Topic;
import org.jspecify.annotations.Nullable;

/**
 * A command from a client's I/O agent to a shard's sequencer. It belongs to the sequencer from the moment it is
 * offered, and to the I/O agent again when it comes back as the reply; it is never shared.
 */
public abstract sealed class ShardCommand {
    final long sessionId;
    private final int ioAgent;

    private ShardCommand(final int ioAgent, final long sessionId) {
        this.ioAgent = ioAgent;
        this.sessionId = sessionId;
    }

    /**
     * Who gets the reply.
     *
     * @return index of the I/O agent.
     */
    public int ioAgent() {
        return ioAgent;
    }

    /**
     * Whether the I/O agent waits for the reply.
     *
     * @return false when nobody does.
     */
    public boolean isReplied() {
        return true;
    }

    /**
     * Runs the command. Called by the sequencer.
     *
     * @param shard to run on.
     * @return false when the log has no room now and the command has to be run again later.
     */
    public abstract boolean execute(ShardOperations shard);

    /** Creates a topic unless it is there. */
    public static final class OpenTopic extends ShardCommand {
        final String name;
        final String format;

        @Nullable
        Topic topic;

        OpenTopic(final int ioAgent, final long sessionId, final String name, final String format) {
            super(ioAgent, sessionId);
            this.name = name;
            this.format = format;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            topic = shard.findTopic(name);
            if (topic != null || shard.isTopicLimitReached()) {
                return true;
            }
            topic = shard.createTopic(name, format);
            return topic != null;
        }
    }

    /** Gives a named publisher its number, a new one or the one it had. */
    public static final class OpenPublisher extends ShardCommand {
        static final int LIMIT_REACHED = -1;

        final String name;
        final int shardIndex;
        int publisherId = LIMIT_REACHED;

        OpenPublisher(final int ioAgent, final long sessionId, final int shardIndex, final String name) {
            super(ioAgent, sessionId);
            this.name = name;
            this.shardIndex = shardIndex;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            if (shard.findPublisher(name) == 0 && shard.isPublisherLimitReached()) {
                return true;
            }
            publisherId = shard.openPublisher(name);
            return publisherId != 0;
        }
    }

    /** Asks for the highest sequence that was applied for a named publisher. */
    public static final class FindPublisher extends ShardCommand {
        final String name;
        long lastSequence;

        FindPublisher(final int ioAgent, final long sessionId, final String name) {
            super(ioAgent, sessionId);
            this.name = name;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            lastSequence = shard.lastSequence(shard.findPublisher(name));
            return true;
        }
    }

    /** Adds one part of a subscription, live from the next record on. */
    public static final class Subscribe extends ShardCommand {
        final Interest interest;
        private final DescriptorRing ring;

        Subscribe(final int ioAgent, final Interest interest, final DescriptorRing ring) {
            super(ioAgent, interest.sessionId());
            this.interest = interest;
            this.ring = ring;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.subscribe(interest, ring);
            return true;
        }
    }

    /** Removes one part of a subscription. */
    public static final class Unsubscribe extends ShardCommand {
        final long part;
        private final boolean replied;

        Unsubscribe(final int ioAgent, final long sessionId, final long part, final boolean replied) {
            super(ioAgent, sessionId);
            this.part = part;
            this.replied = replied;
        }

        @Override
        public boolean isReplied() {
            return replied;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.unsubscribe(part);
            return true;
        }
    }

    /** Forgets a client that is gone. */
    public static final class CloseSession extends ShardCommand {
        CloseSession(final int ioAgent, final long sessionId) {
            super(ioAgent, sessionId);
        }

        @Override
        public boolean isReplied() {
            return false;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.removeSession(sessionId);
            return true;
        }
    }
}
