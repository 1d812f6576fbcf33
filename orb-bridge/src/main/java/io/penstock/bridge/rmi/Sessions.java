package io.penstock.bridge.rmi;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import java.rmi.RemoteException;

/** Opens and closes the sessions that servants serve. */
interface Sessions {
    PenstockBroker open(Credentials credentials) throws RemoteException, BrokerException;

    void close(SessionServant servant);
}
