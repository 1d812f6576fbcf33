package io.penstock.client;

/**
 * Told of the acknowledgements of publishes. Called on the client's thread; must not block. One handler may serve any
 * number of publishes.
 */
public interface AckHandler {
    /**
     * The broker acknowledged a publish. Called once for each type that was asked for.
     *
     * @param correlationId     as given with the publish.
     * @param type              how far the publish has come.
     * @param publisherSequence as given with the publish.
     */
    void onAck(long correlationId, AckType type, long publisherSequence);

    /**
     * The publish failed, or its fate is unknown because the connection was lost. Nothing more is called for it.
     *
     * @param correlationId as given with the publish.
     * @param reason        a {@link ConnectionException} when the connection was lost.
     */
    void onFailure(long correlationId, PenstockException reason);
}
