package io.penstock.bridge.rmi;

import io.penstock.bridge.service.Batch;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Deliveries;
import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.rmi.RemoteException;
import java.rmi.server.Unreferenced;

/** What RMI clients call: hands each call to the session. Called by the threads of connections. */
final class SessionServant implements PenstockBroker, Unreferenced {
    private final BridgeSession session;
    private final ServedSessions sessions;

    SessionServant(final BridgeSession session, final ServedSessions sessions) {
        this.session = session;
        this.sessions = sessions;
    }

    BridgeSession session() {
        return session;
    }

    @Override
    public PenstockBroker logon(final Credentials credentials) throws RemoteException, BrokerException {
        CallerSocket.beginWait(false);
        try {
            return sessions.open(credentials);
        } finally {
            CallerSocket.endWait();
        }
    }

    @Override
    public void logoff() throws BrokerException {
        if (session.isGuest()) {
            throw new BrokerException(
                    ErrorCode.NOT_SUPPORTED.code(),
                    ErrorCode.NOT_SUPPORTED.name(),
                    "logoff: the guests' session does not end (log off a session of your own)");
        }
        CallerSocket.beginWait(false);
        sessions.close(this);
        CallerSocket.endWait();
    }

    /** No client has a reference to it any more. */
    @Override
    public void unreferenced() {
        if (!session.isGuest()) {
            sessions.close(this);
        }
    }

    @Override
    public byte[] echo(final byte[] data) throws BrokerException {
        return session.echo(data);
    }

    @Override
    public void publish(final Publication publication, final boolean isPersisted) throws BrokerException {
        waiting(() -> session.publish(publication, isPersisted));
    }

    @Override
    public void publishBatch(final Publication[] publications, final boolean isPersisted) throws BrokerException {
        waiting(() -> session.publish(Batch.of(publications, isPersisted)));
    }

    @Override
    public void publishWithHeaders(final Publication publication, final Header[] headers, final boolean isPersisted)
            throws BrokerException {
        waiting(() -> session.publish(publication, headers, isPersisted));
    }

    @Override
    public void publishBatchWithHeaders(final PublicationWithHeaders[] publications, final boolean isPersisted)
            throws BrokerException {
        waiting(() -> session.publish(Batch.withHeaders(publications, isPersisted)));
    }

    @Override
    public long subscribe(final SubscribeRequest request) throws BrokerException {
        return answering(false, () -> session.subscribe(request, null));
    }

    @Override
    public long subscribeWithCallback(final SubscribeRequest request, final Callback callback)
            throws RemoteException, BrokerException {
        return subscribe(request, sessions.listener(callback, false));
    }

    @Override
    public long subscribeWithHeaders(final SubscribeRequest request, final Callback callback)
            throws RemoteException, BrokerException {
        return subscribe(request, sessions.listener(callback, true));
    }

    private long subscribe(final SubscribeRequest request, final Listener listener) throws BrokerException {
        return answering(false, () -> session.subscribe(request, listener));
    }

    @Override
    public Delivery[] next(final long subscription, final int max, final int timeoutMs) throws BrokerException {
        return Deliveries.withoutHeaders(nextWithHeaders(subscription, max, timeoutMs));
    }

    @Override
    public DeliveryWithHeaders[] nextWithHeaders(final long subscription, final int max, final int timeoutMs)
            throws BrokerException {
        final DeliveryWithHeaders[] taken = answering(timeoutMs > 0, () -> session.next(subscription, max, timeoutMs));
        if (taken.length > 0) {
            CallerSocket.handOver();
        }
        return taken;
    }

    @Override
    public void acknowledge(final long subscription, final String bookmark) throws BrokerException {
        waiting(() -> session.acknowledge(subscription, bookmark));
    }

    @Override
    public void forget(final String name) throws BrokerException {
        waiting(() -> session.forget(name));
    }

    @Override
    public void unsubscribe(final long subscription) throws BrokerException {
        waiting(() -> session.unsubscribe(subscription));
    }

    @Override
    public long query(final QueryRequest request) throws BrokerException {
        return answering(false, () -> session.queries().begin(request));
    }

    @Override
    public QueryPage fetch(final long query, final int max, final int timeoutMs) throws BrokerException {
        return Deliveries.withoutHeaders(fetchWithHeaders(query, max, timeoutMs));
    }

    @Override
    public PageWithHeaders fetchWithHeaders(final long query, final int max, final int timeoutMs)
            throws BrokerException {
        final PageWithHeaders page =
                answering(timeoutMs > 0, () -> session.queries().fetch(query, max, timeoutMs));
        if (page.records().length > 0) {
            CallerSocket.handOver();
        }
        return page;
    }

    @Override
    public void closeQuery(final long query) {
        CallerSocket.beginWait(false);
        session.queries().close(query);
        CallerSocket.endWait();
    }

    private static void waiting(final Call call) throws BrokerException {
        final boolean unused = answering(false, () -> {
            call.run();
            return true;
        });
    }

    /** Calls what may wait, so that the caller's connection can serve others meanwhile. */
    private static <T> T answering(final boolean isLong, final Answer<T> call) throws BrokerException {
        CallerSocket.beginWait(isLong);
        try {
            return call.run();
        } finally {
            CallerSocket.endWait();
        }
    }

    /** Does something that may wait. */
    private interface Call {
        void run() throws BrokerException;
    }

    /** Finds out something, and may wait for it. */
    private interface Answer<T> {
        T run() throws BrokerException;
    }
}
