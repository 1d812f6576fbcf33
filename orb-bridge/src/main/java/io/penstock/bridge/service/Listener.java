package io.penstock.bridge.service;

import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;

/** A client that is called for messages, as its front end reaches it. Called by the bridge's pool, one call at a time. */
public interface Listener {
    /**
     * Hands messages over, and waits until the client has returned, or {@link #abort()}.
     *
     * @param subscription they are of.
     * @param deliveries   in order; none to see whether the client is there.
     * @throws Exception when the client could not be called, or has failed.
     */
    void onMessages(long subscription, DeliveryWithHeaders[] deliveries) throws Exception;

    /**
     * Reports that the subscription has ended, and waits likewise.
     *
     * @param subscription that has ended.
     * @param reason       why.
     * @throws Exception when the client could not be called.
     */
    void onEnd(long subscription, BrokerException reason) throws Exception;

    /**
     * Called in turn: gives up a connection that was not used for a while.
     *
     * @param nowNs the time of {@link System#nanoTime()}.
     */
    void closeIdle(long nowNs);

    /** Ends the call that is under way, if there is one, by an exception; and each later one. Waits for nobody. */
    void abort();

    /** Gives up the connection, after the call that is under way, if there is one. Idempotent; waits for nobody. */
    void close();
}
