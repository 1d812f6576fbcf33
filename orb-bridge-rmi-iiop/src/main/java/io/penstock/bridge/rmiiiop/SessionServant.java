package io.penstock.bridge.rmiiiop;

import io.penstock.bridge.service.Batch;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Deliveries;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What RMI-IIOP clients call: hands each call to the session. Called by the ORB's threads. */
final class SessionServant implements PenstockBroker {
    private static final System.Logger LOG = System.getLogger(SessionServant.class.getName());
    private static final byte[] NONE = {};

    private final BridgeSession session;
    private final Sessions sessions;
    private final Taking taking;
    private final Callbacks callbacks;
    private final AtomicInteger callCount = new AtomicInteger();
    private volatile long calledNs = System.nanoTime();

    SessionServant(
            final BridgeSession session, final Sessions sessions, final Taking taking, final Callbacks callbacks) {
        this.callbacks = callbacks;
        this.session = session;
        this.sessions = sessions;
        this.taking = taking;
    }

    BridgeSession session() {
        return session;
    }

    /** Whether no call is under way, and none was for so long. */
    boolean isIdle(final long nowNs, final long idleNs) {
        return callCount.get() == 0 && nowNs - calledNs > idleNs;
    }

    @Override
    public PenstockBroker logon(final Credentials who) throws BrokerException {
        return called(() -> sessions.open(given("logon", who)));
    }

    @Override
    public void logoff() throws BrokerException {
        if (session.isGuest()) {
            throw Refusal.of(
                    ErrorCode.NOT_SUPPORTED,
                    "logoff: the guests' session does not end (log off a session of your own)");
        }
        called(() -> {
            sessions.close(this);
            return NONE;
        });
    }

    @Override
    public byte[] echo(final byte[] data) throws BrokerException {
        return called(() -> session.echo(data));
    }

    @Override
    public void publish(final Publication message, final boolean isPersisted) throws BrokerException {
        called(() -> {
            session.publish(message, isPersisted);
            return NONE;
        });
    }

    @Override
    public void publishBatch(final Publication[] messages, final boolean isPersisted) throws BrokerException {
        called(() -> {
            session.publish(Batch.of(messages, isPersisted));
            return NONE;
        });
    }

    @Override
    public void publishWithHeaders(final Publication message, final Header[] headers, final boolean isPersisted)
            throws BrokerException {
        called(() -> {
            session.publish(message, headers, isPersisted);
            return NONE;
        });
    }

    @Override
    public void publishBatchWithHeaders(final PublicationWithHeaders[] messages, final boolean isPersisted)
            throws BrokerException {
        called(() -> {
            session.publish(Batch.withHeaders(messages, isPersisted));
            return NONE;
        });
    }

    @Override
    public long subscribe(final SubscribeRequest request) throws BrokerException {
        return called(() -> session.subscribe(given("subscribe", request), null));
    }

    @Override
    public long subscribeWithCallback(final SubscribeRequest request, final Callback callback) throws BrokerException {
        return subscribe("subscribeWithCallback", request, callback, false);
    }

    @Override
    public long subscribeWithHeaders(final SubscribeRequest request, final Callback callback) throws BrokerException {
        return subscribe("subscribeWithHeaders", request, callback, true);
    }

    private long subscribe(
            final String what, final SubscribeRequest request, final Callback callback, final boolean isWithHeaders)
            throws BrokerException {
        return called(() ->
                session.subscribe(given(what, request), callbacks.listener(given(what, callback), isWithHeaders)));
    }

    @Override
    public Delivery[] next(final long subscription, final int max, final int timeoutMs) throws BrokerException {
        return Deliveries.withoutHeaders(nextWithHeaders(subscription, max, timeoutMs));
    }

    @Override
    public DeliveryWithHeaders[] nextWithHeaders(final long subscription, final int max, final int timeoutMs)
            throws BrokerException {
        return called(() -> taking.next(session, subscription, max, timeoutMs));
    }

    @Override
    public void acknowledge(final long subscription, final String bookmark) throws BrokerException {
        called(() -> {
            session.acknowledge(subscription, bookmark);
            return NONE;
        });
    }

    @Override
    public void forget(final String name) throws BrokerException {
        called(() -> {
            session.forget(name);
            return NONE;
        });
    }

    @Override
    public void unsubscribe(final long subscription) throws BrokerException {
        called(() -> {
            session.unsubscribe(subscription);
            return NONE;
        });
    }

    @Override
    public long query(final QueryRequest request) throws BrokerException {
        return called(() -> session.queries().begin(given("query", request)));
    }

    @Override
    public QueryPage fetch(final long query, final int max, final int timeoutMs) throws BrokerException {
        return Deliveries.withoutHeaders(fetchWithHeaders(query, max, timeoutMs));
    }

    @Override
    public PageWithHeaders fetchWithHeaders(final long query, final int max, final int timeoutMs)
            throws BrokerException {
        return called(() -> taking.fetch(session, query, max, timeoutMs));
    }

    @Override
    public void closeQuery(final long query) {
        try {
            called(() -> {
                session.queries().close(query);
                return NONE;
            });
        } catch (final BrokerException e) {
            // The contract has no answer to this call; the reason is in the log.
            return;
        }
    }

    private <T> T called(final Call<T> call) throws BrokerException {
        callCount.incrementAndGet();
        try {
            return call.run();
        } catch (final RuntimeException e) {
            // The ORB would send it with its stack.
            LOG.log(System.Logger.Level.WARNING, "rmi-iiop: a call has failed", e);
            throw Refusal.of(ErrorCode.INTERNAL_ERROR, "bridge: the call has failed (see the bridge's log)");
        } finally {
            calledNs = System.nanoTime();
            callCount.decrementAndGet();
        }
    }

    /** Only a program sends less that does not make values by their methods. */
    private static <T> T given(final String what, final @Nullable T value) throws BrokerException {
        if (value == null) {
            throw Refusal.of(
                    ErrorCode.BAD_TEXT, what + ": an argument is missing (make it by the methods of its class)");
        }
        return value;
    }

    /** A call of the session. */
    private interface Call<T> {
        T run() throws BrokerException;
    }
}
