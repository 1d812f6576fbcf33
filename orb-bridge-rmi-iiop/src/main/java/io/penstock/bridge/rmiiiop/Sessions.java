package io.penstock.bridge.rmiiiop;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;

/** Begins and ends sessions of clients. Safe on any thread. */
interface Sessions {
    /**
     * Begins a session.
     *
     * @param who the client is.
     * @return the stub of the session.
     * @throws BrokerException when the broker refuses it, or there are too many.
     */
    PenstockBroker open(Credentials who) throws BrokerException;

    /**
     * Ends a session.
     *
     * @param servant of the session.
     */
    void close(SessionServant servant);
}
