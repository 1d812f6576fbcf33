package io.penstock.bridge.rmi;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeService;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Deliveries;
import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.ListenerWithHeaders;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/** The contract, called without a network. */
class ServantBridgeTest extends BridgeTck {
    private @Nullable BridgeService service;

    @Override
    protected BridgeConfig config() {
        return BridgeConfig.onRmiPort(0);
    }

    @Override
    protected PenstockBroker broker(final Harness harness) {
        final BridgeService made = harness.newService();
        service = made;
        return new SessionServant(made.guest(), new Local(made));
    }

    @Override
    protected MessageListener exported(final MessageListener listener) {
        return listener;
    }

    @AfterAll
    void close() {
        if (service != null) {
            service.close();
        }
    }

    private static final class Local implements ServedSessions {
        private final BridgeService service;

        Local(final BridgeService service) {
            this.service = service;
        }

        @Override
        public PenstockBroker open(final Credentials credentials) throws BrokerException {
            final BridgeSession session = service.logon(credentials);
            return new SessionServant(session, this);
        }

        @Override
        public Listener listener(final Callback callback, final boolean isWithHeaders) {
            return new LocalListener(callback.listener(), isWithHeaders);
        }

        @Override
        public void close(final SessionServant servant) {
            servant.session().close();
        }
    }

    /** Is called without a connection. */
    private record LocalListener(MessageListener listener, boolean isWithHeaders) implements Listener {
        @Override
        public void onMessages(final long subscription, final DeliveryWithHeaders[] deliveries) throws RemoteException {
            if (isWithHeaders) {
                ((ListenerWithHeaders) listener).onMessagesWithHeaders(subscription, deliveries);
            } else {
                listener.onMessages(subscription, Deliveries.withoutHeaders(deliveries));
            }
        }

        @Override
        public void onEnd(final long subscription, final BrokerException reason) throws RemoteException {
            listener.onEnd(subscription, reason.code(), reason.name(), reason.text());
        }

        @Override
        public void closeIdle(final long nowNs) {}

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }
}
