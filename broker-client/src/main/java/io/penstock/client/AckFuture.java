package io.penstock.client;

import java.util.concurrent.CompletableFuture;

/** Completed by the acknowledgement of one publish. */
final class AckFuture extends CompletableFuture<Ack> implements AckHandler {
    @Override
    public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
        complete(new Ack(type, publisherSequence, false));
    }

    @Override
    public void onDuplicate(final long correlationId, final AckType type, final long publisherSequence) {
        complete(new Ack(type, publisherSequence, true));
    }

    @Override
    public void onFailure(final long correlationId, final PenstockException reason) {
        completeExceptionally(reason);
    }
}
