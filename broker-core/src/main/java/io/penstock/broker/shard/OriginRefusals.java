package io.penstock.broker.shard;

import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.state.ShardState;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.topic.Topic;

/**
 * Refusals for clients of this node: those of others are told by theirs. Where several nodes apply the same, none may refuse what
 * others take for want of its own memory. Owned by the sequencer.
 */
final class OriginRefusals implements ShardState.RefusalListener {
    private final Batch batch;
    private final ShardState.RefusalListener listener;

    OriginRefusals(final Batch batch, final ShardState.RefusalListener listener) {
        this.batch = batch;
        this.listener = listener;
    }

    @Override
    public boolean onRefused(
            final Topic topic,
            final Publication publication,
            final StateRefusal reason,
            final long used,
            final long limit) {
        if (batch.isOrdered() && reason.isOfMemory()) {
            throw new IllegalStateException("state: no memory for a record of " + topic.name()
                    + " that other nodes have room for: " + used + " of " + limit
                    + " bytes are used (raise state.memoryLengthMax on this node)");
        }
        return batch.isForeign() || listener.onRefused(topic, publication, reason, used, limit);
    }
}
