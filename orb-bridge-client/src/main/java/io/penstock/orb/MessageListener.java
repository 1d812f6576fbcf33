package io.penstock.orb;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * Called for the messages of a subscription, by one call at a time. A class that implements it is exported by {@code
 * UnicastRemoteObject.exportObject} and implements no other remote interface.
 */
public interface MessageListener extends Remote {
    /**
     * Messages have come. They count as processed when this returns.
     *
     * @param subscription they are of.
     * @param messages     in order; none when the bridge only asks whether the client is there.
     */
    void onMessages(long subscription, Delivery[] messages) throws RemoteException;

    /**
     * The subscription has ended, not by its client.
     *
     * @param subscription that has ended.
     * @param code         of the reason, as of {@link BrokerException#code()}.
     * @param name         of the code.
     * @param text         input, reason and remedy.
     */
    void onEnd(long subscription, int code, String name, String text) throws RemoteException;
}
