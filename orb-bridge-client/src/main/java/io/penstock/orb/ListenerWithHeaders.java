package io.penstock.orb;

import java.rmi.RemoteException;

/** A listener that is given headers with each message. Only {@link PenstockBroker#subscribeWithHeaders} calls it so. */
public interface ListenerWithHeaders extends MessageListener {
    /**
     * Messages have come. They count as processed when this returns.
     *
     * @param subscription they are of.
     * @param messages     in order; none when the bridge only asks whether the client is there.
     */
    void onMessagesWithHeaders(long subscription, DeliveryWithHeaders[] messages) throws RemoteException;
}
