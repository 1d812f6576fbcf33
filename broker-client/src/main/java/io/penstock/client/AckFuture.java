package io.penstock.client;

import java.util.concurrent.CompletableFuture;

/** Completed by the acknowledgement of one publish. */
final class AckFuture extends CompletableFuture<Ack> implements AckHandler {
    private Bookmark bookmark = Bookmark.NONE;

    @Override
    public void onApplied(final long correlationId, final int shard, final long sequence) {
        bookmark = Bookmark.of(shard, sequence);
    }

    @Override
    public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
        complete(new Ack(type, publisherSequence, false, bookmark));
    }

    @Override
    public void onDuplicate(final long correlationId, final AckType type, final long publisherSequence) {
        complete(new Ack(type, publisherSequence, true, bookmark));
    }

    @Override
    public void onFailure(final long correlationId, final PenstockException reason) {
        completeExceptionally(reason);
    }
}
