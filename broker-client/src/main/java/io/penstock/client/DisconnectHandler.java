package io.penstock.client;

/** Decides what a client does when its connection is lost. Called on the client's thread; must not block. */
@FunctionalInterface
public interface DisconnectHandler {
    /** Closes the client. */
    DisconnectHandler CLOSE = disconnect -> false;

    /** Connects again for as long as that is of any use. */
    DisconnectHandler RECONNECT = Disconnect::isTransient;

    /**
     * The connection is lost, or another attempt to reconnect has failed.
     *
     * @param disconnect what happened.
     * @return true to (go on to) reconnect, after a delay that doubles with each attempt; the client logs on and
     *     subscribes again to all it had subscribed to. What was published meanwhile is missed. False to close.
     */
    boolean onDisconnect(Disconnect disconnect);

    /**
     * The client is connected again and its subscriptions are on their way.
     *
     * @param attempt number of the attempt that succeeded, from 1.
     */
    default void onReconnect(final int attempt) {}
}
