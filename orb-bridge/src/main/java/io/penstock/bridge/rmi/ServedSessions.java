package io.penstock.bridge.rmi;

import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import java.rmi.RemoteException;

/** Opens and closes the sessions that servants serve, and finds the listeners of their clients. */
interface ServedSessions {
    PenstockBroker open(Credentials credentials) throws RemoteException, BrokerException;

    /** Whom to call for a callback that the calling thread has received. */
    Listener listener(Callback callback, boolean isWithHeaders) throws RemoteException;

    void close(SessionServant servant);
}
