package io.penstock.orbs;

import io.penstock.bridge.service.Batch;
import io.penstock.bridge.service.BridgeService;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Deliveries;
import io.penstock.orbs.idl.BrokerException;
import io.penstock.orbs.idl.Credentials;
import io.penstock.orbs.idl.Delivery;
import io.penstock.orbs.idl.DeliveryWithHeaders;
import io.penstock.orbs.idl.Header;
import io.penstock.orbs.idl.ListenerWithHeaders;
import io.penstock.orbs.idl.MessageListener;
import io.penstock.orbs.idl.PageWithHeaders;
import io.penstock.orbs.idl.PenstockBroker;
import io.penstock.orbs.idl.PenstockBrokerHelper;
import io.penstock.orbs.idl.PenstockBrokerPOA;
import io.penstock.orbs.idl.Publication;
import io.penstock.orbs.idl.PublicationWithHeaders;
import io.penstock.orbs.idl.QueryPage;
import io.penstock.orbs.idl.QueryRequest;
import io.penstock.orbs.idl.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import org.omg.CORBA.UserException;
import org.omg.PortableServer.POA;

/** Hands the calls of CORBA clients to a session. Called by the ORB's threads. */
final class PeerServant extends PenstockBrokerPOA {
    private final BridgeService service;
    private final BridgeSession session;
    private final POA poa;

    PeerServant(final BridgeService service, final BridgeSession session, final POA poa) {
        this.service = service;
        this.session = session;
        this.poa = poa;
    }

    /** Makes an object of it. */
    PenstockBroker activated() {
        try {
            return PenstockBrokerHelper.narrow(poa.servant_to_reference(this));
        } catch (final UserException e) {
            throw new IllegalStateException("the ORB takes no servant", e);
        }
    }

    @Override
    public PenstockBroker logon(final Credentials who) throws BrokerException {
        return new PeerServant(service, opened(who), poa).activated();
    }

    private BridgeSession opened(final Credentials who) throws BrokerException {
        return asked(() -> service.logon(Values.of(who)));
    }

    @Override
    public void logoff() throws BrokerException {
        if (session.isGuest()) {
            throw new BrokerException(
                    ErrorCode.NOT_SUPPORTED.code(), ErrorCode.NOT_SUPPORTED.name(), "logoff: the guests' session");
        }
        try {
            poa.deactivate_object(poa.servant_to_id(this));
        } catch (final UserException e) {
            throw new IllegalStateException("the ORB keeps a servant", e);
        }
        session.close();
    }

    @Override
    public byte[] echo(final byte[] data) throws BrokerException {
        return asked(() -> session.echo(data));
    }

    @Override
    public void publish(final Publication message, final boolean isPersisted) throws BrokerException {
        run(() -> session.publish(Values.of(message), isPersisted));
    }

    @Override
    public void publishBatch(final Publication[] messages, final boolean isPersisted) throws BrokerException {
        run(() -> session.publish(Batch.of(Values.of(messages), isPersisted)));
    }

    @Override
    public void publishWithHeaders(final Publication message, final Header[] headers, final boolean isPersisted)
            throws BrokerException {
        run(() -> session.publish(Values.of(message), Values.of(headers), isPersisted));
    }

    @Override
    public void publishBatchWithHeaders(final PublicationWithHeaders[] messages, final boolean isPersisted)
            throws BrokerException {
        run(() -> session.publish(Batch.withHeaders(Values.of(messages), isPersisted)));
    }

    @Override
    public long subscribe(final SubscribeRequest request) throws BrokerException {
        return asked(() -> session.subscribe(Values.of(request), null));
    }

    @Override
    public long subscribeWithCallback(final SubscribeRequest request, final MessageListener callback)
            throws BrokerException {
        return asked(() -> session.subscribe(Values.of(request), new PeerListener(callback, false)));
    }

    @Override
    public long subscribeWithHeaders(final SubscribeRequest request, final ListenerWithHeaders callback)
            throws BrokerException {
        return asked(() -> session.subscribe(Values.of(request), new PeerListener(callback, true)));
    }

    @Override
    public Delivery[] next(final long subscription, final int max, final int timeoutMs) throws BrokerException {
        return asked(() -> Values.of(Deliveries.withoutHeaders(session.next(subscription, max, timeoutMs))));
    }

    @Override
    public DeliveryWithHeaders[] nextWithHeaders(final long subscription, final int max, final int timeoutMs)
            throws BrokerException {
        return asked(() -> Values.withHeaders(session.next(subscription, max, timeoutMs)));
    }

    @Override
    public void acknowledge(final long subscription, final String bookmark) throws BrokerException {
        run(() -> session.acknowledge(subscription, bookmark));
    }

    @Override
    public void forget(final String name) throws BrokerException {
        run(() -> session.forget(name));
    }

    @Override
    public void unsubscribe(final long subscription) throws BrokerException {
        run(() -> session.unsubscribe(subscription));
    }

    @Override
    public long query(final QueryRequest request) throws BrokerException {
        return asked(() -> session.queries().begin(Values.of(request)));
    }

    @Override
    public QueryPage fetch(final long query, final int max, final int timeoutMs) throws BrokerException {
        return asked(() -> {
            final io.penstock.orb.QueryPage page =
                    Deliveries.withoutHeaders(session.queries().fetch(query, max, timeoutMs));
            return new QueryPage(Values.of(page.records()), page.isComplete());
        });
    }

    @Override
    public PageWithHeaders fetchWithHeaders(final long query, final int max, final int timeoutMs)
            throws BrokerException {
        return asked(() -> {
            final io.penstock.orb.PageWithHeaders page = session.queries().fetch(query, max, timeoutMs);
            return new PageWithHeaders(Values.withHeaders(page.records()), page.isComplete());
        });
    }

    @Override
    public void closeQuery(final long query) {
        session.queries().close(query);
    }

    private static <T> T asked(final Question<T> question) throws BrokerException {
        try {
            return question.ask();
        } catch (final io.penstock.orb.BrokerException e) {
            throw Values.of(e);
        }
    }

    private static void run(final Command command) throws BrokerException {
        try {
            command.run();
        } catch (final io.penstock.orb.BrokerException e) {
            throw Values.of(e);
        }
    }

    /** A call with an answer. */
    private interface Question<T> {
        T ask() throws io.penstock.orb.BrokerException;
    }

    /** A call without one. */
    private interface Command {
        void run() throws io.penstock.orb.BrokerException;
    }
}
