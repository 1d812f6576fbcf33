package io.penstock.orbs;

import io.penstock.bridge.service.Deliveries;
import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orbs.idl.ListenerWithHeadersHelper;
import io.penstock.orbs.idl.MessageListener;

/** Calls a client's listener by the ORB. The ORB keeps the connection, so there is nothing to give up here. */
record PeerListener(MessageListener listener, boolean isWithHeaders) implements Listener {
    @Override
    public void onMessages(final long subscription, final DeliveryWithHeaders[] deliveries) {
        if (isWithHeaders) {
            ListenerWithHeadersHelper.narrow(listener)
                    .onMessagesWithHeaders(subscription, Values.withHeaders(deliveries));
        } else {
            listener.onMessages(subscription, Values.of(Deliveries.withoutHeaders(deliveries)));
        }
    }

    @Override
    public void onEnd(final long subscription, final BrokerException reason) {
        listener.onEnd(subscription, reason.code(), reason.name(), reason.text());
    }

    @Override
    public void closeIdle(final long nowNs) {}

    @Override
    public void abort() {
        listener._release();
    }

    @Override
    public void close() {
        listener._release();
    }
}
