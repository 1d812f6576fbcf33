package io.penstock.client;

import java.net.URI;

/**
 * Notified of what happens to a client's connection. Called on the client's thread; must not block. All methods do
 * nothing unless overridden.
 */
public interface ConnectionListener {
    /** Ignores all notices. */
    ConnectionListener NONE = new ConnectionListener() {};

    /**
     * The client is logged on.
     *
     * @param server  it is connected to.
     * @param attempt 0 for the first connection, else the number of attempts it took to connect again.
     */
    default void onConnected(final URI server, final int attempt) {}

    /**
     * The connection is lost, or an attempt to replace it has failed.
     *
     * @param disconnect why.
     */
    default void onDisconnected(final Disconnect disconnect) {}

    /**
     * The client will try again to connect.
     *
     * @param server  it will try.
     * @param attempt the number of the attempt, from 1.
     * @param delayNs until then.
     */
    default void onReconnecting(final URI server, final int attempt, final long delayNs) {}

    /**
     * The client does not try any more, and is closed.
     *
     * @param reason why.
     */
    default void onGaveUp(final ConnectionException reason) {}

    /**
     * The broker cannot take messages of the publish store now; they are kept, and sent again later.
     *
     * @param reason with the broker's code and text.
     */
    default void onPublishHeld(final PenstockException reason) {}
}
