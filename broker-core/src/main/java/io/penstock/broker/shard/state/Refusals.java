package io.penstock.broker.shard.state;

import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.topic.Topic;

/** Refuses messages that the state cannot take, and knows whether the last one was. Owned by the sequencer. */
final class Refusals {
    private final ShardState.RefusalListener listener;
    private boolean isRefused;

    Refusals(final ShardState.RefusalListener listener) {
        this.listener = listener;
    }

    /** Another message is to be applied. */
    void begin() {
        isRefused = false;
    }

    /** Whether the last message was refused, and its publisher notified. */
    boolean isRefused() {
        return isRefused;
    }

    /** Refuses a message. Returns false when the publisher cannot be notified now. */
    boolean refuse(
            final StateTopic to,
            final Publication publication,
            final StateRefusal reason,
            final long used,
            final long limit) {
        isRefused = true;
        return listener.onRefused(to.topic, publication, reason, used, limit);
    }

    /** Refuses a request to a topic without subscriptions. Returns false when the publisher cannot be notified now. */
    boolean refuseRequest(final Topic topic, final Publication publication) {
        return listener.onRefused(topic, publication, StateRefusal.NO_RESPONDER, 0, 0);
    }
}
