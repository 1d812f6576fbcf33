package io.penstock.client;

import io.penstock.client.warning.ClientLog;

/**
 * Notified when the broker refuses a publish for which no acknowledgement was asked. Called on the client's thread;
 * must not block.
 */
@FunctionalInterface
public interface PublishErrorHandler {
    /** Logs each refusal as a warning. */
    PublishErrorHandler LOG = reason -> ClientLog.warn("publish refused: " + reason.getMessage());

    /**
     * The broker refused a publish.
     *
     * @param reason with the broker's code and text.
     */
    void onPublishError(PenstockException reason);
}
