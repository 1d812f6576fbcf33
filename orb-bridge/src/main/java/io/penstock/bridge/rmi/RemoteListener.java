package io.penstock.bridge.rmi;

import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import java.rmi.RemoteException;

/** Calls a client by its stub. */
record RemoteListener(MessageListener stub) implements Listener {
    @Override
    public void onMessages(final long subscription, final Delivery[] deliveries) throws RemoteException {
        stub.onMessages(subscription, deliveries);
    }

    @Override
    public void onEnd(final long subscription, final BrokerException reason) throws RemoteException {
        stub.onEnd(subscription, reason.code(), reason.name(), reason.text());
    }
}
