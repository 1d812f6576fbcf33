package io.penstock.client;

/**
 * Notified of the acknowledgements of publishes. Called on the client's thread; must not block. One handler may serve
 * any number of publishes.
 */
public interface AckHandler {
    /**
     * Says where the newest message is that the acknowledgement covers, which is handed over by the next call. Not called
     * when that is not known. Does nothing unless overridden.
     *
     * @param correlationId as given with the publish.
     * @param shard         of the message.
     * @param sequence      of the newest message in this shard; the publish's own message is there, or before it.
     */
    default void onApplied(final long correlationId, final int shard, final long sequence) {}

    /**
     * The broker acknowledged a publish. Called once for each type that was asked for.
     *
     * @param correlationId     as given with the publish.
     * @param type              how far the publish has come.
     * @param publisherSequence as given with the publish.
     */
    void onAck(long correlationId, AckType type, long publisherSequence);

    /**
     * The broker acknowledged a publish that it has dropped, since it had applied its sequence, or a higher one, before:
     * the message was sent again, or somebody has used this client's name and its sequences. Called in the place of
     * {@link #onAck}, which it calls unless it is overridden.
     *
     * @param correlationId     as given with the publish.
     * @param type              how far the publish has come.
     * @param publisherSequence as given with the publish.
     */
    default void onDuplicate(final long correlationId, final AckType type, final long publisherSequence) {
        onAck(correlationId, type, publisherSequence);
    }

    /**
     * The publish failed, or its fate is unknown because the connection was lost. Nothing more is called for it.
     *
     * @param correlationId as given with the publish.
     * @param reason        a {@link ConnectionException} when the connection was lost.
     */
    void onFailure(long correlationId, PenstockException reason);
}
