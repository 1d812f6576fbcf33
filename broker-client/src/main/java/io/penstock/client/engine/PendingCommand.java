package io.penstock.client.engine;

import io.penstock.client.AckHandler;
import io.penstock.client.AckType;
import io.penstock.client.PenstockException;
import io.penstock.client.warning.ClientLog;
import org.jspecify.annotations.Nullable;

/**
 * A command whose answer somebody waits for: a publish with a handler, or a request. Written by the thread that posts
 * it, then passed to the agent through the ring by its index.
 */
final class PendingCommand {
    /** The index of one that is not of the pool. */
    static final int NO_INDEX = -1;

    private final int index;

    private @Nullable AckHandler handler;
    private @Nullable Request<?> request;
    private long correlationId;
    private long publisherSequence;
    private int ackTypes;

    PendingCommand(final int index) {
        this.index = index;
    }

    PendingCommand publish(
            final AckHandler newHandler, final long newCorrelationId, final long sequence, final int types) {
        handler = newHandler;
        correlationId = newCorrelationId;
        publisherSequence = sequence;
        ackTypes = types;
        return this;
    }

    void publisherSequence(final long sequence) {
        publisherSequence = sequence;
    }

    PendingCommand request(final Request<?> newRequest) {
        request = newRequest;
        return this;
    }

    int index() {
        return index;
    }

    int ackTypes() {
        return ackTypes;
    }

    /** Null for a publish. */
    @Nullable
    Request<?> request() {
        return request;
    }

    /** With the sequence of the newest message that is covered; 0 when it is not known. */
    void onAck(final AckType type, final boolean isDuplicate, final int shard, final long sequence) {
        if (handler != null) {
            try {
                if (sequence > 0) {
                    handler.onApplied(correlationId, shard, sequence);
                }
                if (isDuplicate) {
                    handler.onDuplicate(correlationId, type, publisherSequence);
                } else {
                    handler.onAck(correlationId, type, publisherSequence);
                }
            } catch (final RuntimeException e) {
                ClientLog.onHandlerFailure(handler, e);
            }
        }
    }

    void onFailure(final PenstockException reason) {
        if (request != null) {
            request.onFailure(reason);
        } else if (handler != null) {
            try {
                handler.onFailure(correlationId, reason);
            } catch (final RuntimeException e) {
                ClientLog.onHandlerFailure(handler, e);
            }
        }
    }

    void clear() {
        handler = null;
        request = null;
    }
}
