package io.penstock.broker.session;

import io.penstock.broker.match.DescriptorRing;
import io.penstock.broker.match.Interest;

/** An I/O agent's way to the replayer, which serves subscriptions that are not live. */
public interface CursorPort {
    /**
     * Starts a cursor.
     *
     * @param interest what the subscription wants.
     * @param ring     to the client's I/O agent.
     * @param position from which on it is served.
     * @return false when there is no room for the command now.
     */
    boolean start(Interest interest, DescriptorRing ring, long position);

    /**
     * Ends the cursor of one part of a subscription, if there is one.
     *
     * @param part number of it.
     * @return false when there is no room for the command now.
     */
    boolean stop(long part);
}
