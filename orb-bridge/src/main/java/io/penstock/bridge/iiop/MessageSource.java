package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Wait;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;

/**
 * Messages of a subscription.
 *
 * @param session       of the client.
 * @param subscription  of the session.
 * @param max           most messages.
 * @param isWithHeaders whether the client is sent headers.
 */
record MessageSource(BridgeSession session, long subscription, int max, boolean isWithHeaders)
        implements TakingCall.Source<DeliveryWithHeaders[]> {
    @Override
    public DeliveryWithHeaders[] take() throws BrokerException {
        return session.next(subscription, max, 0);
    }

    @Override
    public boolean isSomething(final DeliveryWithHeaders[] taken) {
        return taken.length > 0;
    }

    @Override
    public Wait await(final Runnable ready) throws BrokerException {
        return session.awaitMessages(subscription, ready);
    }

    @Override
    public void write(final CdrWriter out, final DeliveryWithHeaders[] taken) throws SystemException {
        Values.write(out, taken, isWithHeaders);
    }

    @Override
    public BrokerException end(final DeliveryWithHeaders[] taken, final SystemException reason) {
        try {
            session.unsubscribe(subscription);
        } catch (final BrokerException e) {
            // It has ended already.
            return Failures.unwritable("next", "the subscription", taken[0].message(), reason);
        }
        return Failures.unwritable("next", "the subscription", taken[0].message(), reason);
    }
}
