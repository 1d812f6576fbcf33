package io.penstock.broker.shard;

import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.SubscriptionIndex;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.topic.TopicTable;

/** Lets readers of a shard see what was appended, and enqueues it for its subscribers. Owned by the sequencer. */
final class Publishing {
    private final Batch batch;
    private final LogAppender log;
    private final ShardCounters counters;
    private final SubscriptionIndex subscriptions;
    private final TopicTable topics;
    private final ShardState state;
    private Runnable onPublished = () -> {};

    Publishing(
            final Batch batch,
            final LogAppender log,
            final ShardCounters counters,
            final SubscriptionIndex subscriptions,
            final TopicTable topics,
            final ShardState state) {
        this.batch = batch;
        this.log = log;
        this.counters = counters;
        this.subscriptions = subscriptions;
        this.topics = topics;
        this.state = state;
    }

    /** Whom to run whenever records were published. */
    void listener(final Runnable value) {
        onPublished = value;
    }

    /** Gives subscribers' agents what is due to them. */
    void enqueue() {
        subscriptions.flush();
        if (batch.isHeld()) {
            // What was before the command is kept until it ends, however much of it is published meanwhile: which rows
            // are
            // used again in a command does not depend on the room of this node.
            state.followed().flush();
        } else {
            state.flush();
        }
    }

    /** Ends the batch with all that it causes, unless a command is open. Returns false when there was nothing to publish. */
    boolean endBatch() {
        if (!batch.isOpen()) {
            return false;
        }
        if (batch.isHeld()) {
            return publishSoFar();
        }
        batch.end();
        state.applyViews(batch.timestampNs());
        batch.goesOn(state.views().isLagging());
        publish();
        return true;
    }

    /**
     * Publishes what there is of a command, so that readers can make room for the rest of it. Returns false when there was
     * nothing.
     */
    boolean publishSoFar() {
        if (log.position() == log.committedPosition()) {
            return false;
        }
        publish();
        return true;
    }

    /** Ends the open command with all that it causes. Returns false when that has to go on later. */
    boolean endCommand() {
        state.applyViews(batch.timestampNs());
        if (state.views().isLagging()) {
            publishSoFar();
            return false;
        }
        batch.release();
        batch.end();
        publish();
        return true;
    }

    private void publish() {
        log.commit();
        log.publish();
        onPublished.run();
        enqueue();
        topics.flushCounts();
        batch.count(counters);
        counters.lastSequence().setRelease(log.committedSequence());
    }
}
