package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.format.header.Headers;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's session with the broker, by a native client of its own. Safe on any thread; each call ends within the
 * configured time.
 */
public final class BridgeSession {
    private static final System.Logger LOG = System.getLogger(BridgeSession.class.getName());

    private final BridgeService service;
    private final BridgeConfig config;
    private final BridgeCounters counters;
    private final Publisher publisher;
    private final Credentials credentials;
    private final boolean isGuest;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final Map<Long, Subscriber> subscriberById = new ConcurrentHashMap<>();
    private final BrokerConnection broker;
    private final SessionQueries queries;

    /**
     * A session that is not connected yet.
     *
     * @param service     that has it.
     * @param credentials by which it logs on; of a proved one its user and the name that the broker expects.
     * @param isGuest     whether it is that of all who have not logged on.
     * @param isProved    whether the broker knows who it is without a password.
     */
    BridgeSession(
            final BridgeService service,
            final Credentials credentials,
            final boolean isGuest,
            final boolean isProved) {
        this.service = service;
        this.credentials = credentials;
        this.isGuest = isGuest;
        config = service.config();
        counters = service.counters();
        publisher = new Publisher(config, counters);
        broker = new BrokerConnection(service, credentials, isGuest, isProved);
        queries = new SessionQueries(service, broker);
    }

    public boolean isGuest() {
        return isGuest;
    }

    void connect() throws BrokerException {
        broker.client();
    }

    /**
     * Sends bytes back.
     *
     * @param data at most as long as a message.
     * @return the same.
     * @throws BrokerException when it is too long.
     */
    public byte[] echo(final byte @Nullable [] data) throws BrokerException {
        if (data == null) {
            throw Refusals.notWhole("echo");
        }
        publisher.checkLength(data.length);
        return data;
    }

    /**
     * Refuses what no message may be as long as.
     *
     * @param length of a payload in bytes.
     * @throws BrokerException when it is too long.
     */
    public void checkLength(final int length) throws BrokerException {
        publisher.checkLength(length);
    }

    /**
     * Publishes, and waits for the acknowledgement.
     *
     * @param publication what to publish.
     * @param isPersisted whether to wait for stable storage.
     * @throws BrokerException when it is refused.
     */
    public void publish(final @Nullable Publication publication, final boolean isPersisted) throws BrokerException {
        publisher.publish(broker.client(), PublishCommand.of(publication, Headers.NONE, isPersisted));
    }

    /**
     * Publishes with headers, and waits for the acknowledgement.
     *
     * @param publication what to publish.
     * @param headers     of the message.
     * @param isPersisted whether to wait for stable storage.
     * @throws BrokerException when it is refused.
     */
    public void publish(
            final @Nullable Publication publication,
            final @Nullable Header @Nullable [] headers,
            final boolean isPersisted)
            throws BrokerException {
        final PublishCommand command = PublishCommand.of(publication, HeaderValues.read(headers), isPersisted);
        publisher.publish(broker.client(), command);
    }

    /**
     * Publishes, and reports the acknowledgement; waits only to be connected, and while the broker takes no more. The
     * caller decides how long to wait for the acknowledgement; {@link #noAnswer()} is the error for a timeout.
     *
     * @param command    what to publish, copied before this returns.
     * @param deadlineNs when it is too late to begin, by {@link System#nanoTime()}; for room it waits as long as any
     *                   call, so that it may still be sent after that.
     * @param done       notified once, by any thread: null, or why it was refused; does not block.
     * @throws BrokerException when it could not be sent; done is not notified then.
     */
    public void publish(
            final PublishCommand command, final long deadlineNs, final Consumer<@Nullable BrokerException> done)
            throws BrokerException {
        final PenstockClient connection = broker.client(deadlineNs);
        if (System.nanoTime() - deadlineNs >= 0) {
            // Nobody waits for it any more.
            throw noAnswer();
        }
        publisher.publish(connection, command, done);
    }

    /**
     * The same, if it can be done without any wait.
     *
     * @param command what to publish, copied before this returns.
     * @param done    notified once, by any thread: null, or why it was refused; does not block.
     * @return false when there is no connection to the broker, or it takes no more for the moment; done is not notified
     *         then.
     * @throws BrokerException when it is refused at once; done is not notified then.
     */
    public boolean tryPublish(final PublishCommand command, final Consumer<@Nullable BrokerException> done)
            throws BrokerException {
        final PenstockClient known = broker.clientOrNull();
        return known != null && publisher.tryPublish(known, command, done);
    }

    /**
     * Publishes in order, and waits for all acknowledgements. One that is refused does not keep the others back.
     *
     * @param batch what to publish.
     * @throws BrokerException when one is refused, naming the first; it says so when the broker took no more, and from which
     *                         message on none was sent. When it is beyond a bound, none is sent.
     */
    public void publish(final Batch batch) throws BrokerException {
        publisher.check(batch);
        publisher.publish(broker.client(), batch);
    }

    /**
     * The error for a client when the broker has not answered in time.
     *
     * @return a new exception.
     */
    public static BrokerException noAnswer() {
        return Refusals.noAnswer();
    }

    /**
     * Subscribes.
     *
     * @param request  what to.
     * @param listener called for messages; null for a client that takes them.
     * @return the subscription.
     * @throws BrokerException when it is refused.
     */
    public long subscribe(final SubscribeRequest request, final @Nullable Listener listener) throws BrokerException {
        Requests.check(request);
        final PenstockClient connection = broker.client();
        final int leaseMs = leaseMs(request.leaseMs());
        service.acquireSubscription();
        final String name;
        try {
            name = service.names().take(credentials.user(), request.name());
        } catch (final BrokerException e) {
            service.rooms().releaseSubscription();
            counters.add(BridgeCounter.LIMITS_REACHED, e.code() == ErrorCode.LIMIT_REACHED.code() ? 1 : 0);
            throw e;
        }
        final Subscriber subscriber = new Subscriber(service.newId(), name, leaseMs, listener, service);
        subscriberById.put(subscriber.id(), subscriber);
        try {
            final Subscription accepted = Requests.subscribe(
                    connection, request, subscriber, service.names().last(name));
            subscriber.accepted(accepted, Requests.isOnCredit(request));
        } catch (final RuntimeException e) {
            removeQuietly(subscriber);
            throw Refusals.of(e);
        }
        if (isClosed.get()) {
            removeQuietly(subscriber);
            throw BrokerConnection.hasEnded();
        }
        return subscriber.id();
    }

    private int leaseMs(final int asked) throws BrokerException {
        if (asked != 0 && (asked < BridgeConfig.LEASE_MS_MIN || asked > BridgeConfig.LEASE_MS_MAX)) {
            throw Refusals.of(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: no such lease: " + asked + " ms (use " + BridgeConfig.LEASE_MS_MIN + " to "
                            + BridgeConfig.LEASE_MS_MAX + ", or 0 for " + config.leaseMs() + ")");
        }
        return asked == 0 ? config.leaseMs() : asked;
    }

    /**
     * Takes messages.
     *
     * @param subscription of this session, without a listener.
     * @param max          most messages.
     * @param timeoutMs    longest wait.
     * @return messages in order, maybe none.
     * @throws BrokerException when there is no such subscription, or it has ended.
     */
    public DeliveryWithHeaders[] next(final long subscription, final int max, final int timeoutMs)
            throws BrokerException {
        Refusals.checkMax("next", max);
        return subscriber(subscription).next(max, timeoutMs);
    }

    /**
     * Waits for messages without a thread: the notified one takes them then, if no other call was faster.
     *
     * @param subscription of this session.
     * @param ready        notified once, by any thread, when there is something to take or it has ended; does not block.
     * @return the wait, which holds the lease.
     * @throws BrokerException when there is no such subscription.
     */
    public Wait awaitMessages(final long subscription, final Runnable ready) throws BrokerException {
        return subscriber(subscription).await(ready);
    }

    /**
     * Notes how far a subscription has come.
     *
     * @param subscription with a name.
     * @param bookmark     of the last message that was processed.
     * @throws BrokerException when it has no name, or the bookmark is none.
     */
    public void acknowledge(final long subscription, final @Nullable String bookmark) throws BrokerException {
        if (bookmark == null) {
            throw Refusals.notWhole("acknowledge");
        }
        subscriber(subscription).acknowledge(bookmark);
    }

    /**
     * Forgets how far a name has come, so that it may be another's or begin anew. One that is not known is left alone.
     *
     * @param name of subscriptions of this user.
     * @throws BrokerException when a subscription has it.
     */
    public void forget(final @Nullable String name) throws BrokerException {
        if (name == null) {
            throw Refusals.notWhole("forget");
        }
        try {
            service.names().forget(credentials.user(), name);
        } catch (final PenstockException e) {
            throw Refusals.of(e);
        }
    }

    /**
     * Ends a subscription.
     *
     * @param subscription of this session.
     * @throws BrokerException when there is none; {@code TIMED_OUT} when the broker did not say that it has ended it: here it
     *                         has ended all the same.
     */
    public void unsubscribe(final long subscription) throws BrokerException {
        try {
            remove(subscriber(subscription));
        } catch (final PenstockException e) {
            throw Refusals.of(e);
        }
    }

    private Subscriber subscriber(final long id) throws BrokerException {
        final Subscriber subscriber = subscriberById.get(id);
        if (subscriber == null) {
            throw Refusals.unknown("subscription", id);
        }
        return subscriber;
    }

    private boolean remove(final Subscriber subscriber) {
        final boolean isThere = subscriberById.remove(subscriber.id(), subscriber);
        if (isThere) {
            service.rooms().releaseSubscription();
            try {
                subscriber.close();
            } finally {
                service.names().give(subscriber.name());
            }
        }
        return isThere;
    }

    /**
     * Its queries of state.
     *
     * @return the same each time.
     */
    public SessionQueries queries() {
        return queries;
    }

    /**
     * Whether a client of this session is called for messages.
     *
     * @return true while there is such a subscription.
     */
    public boolean isCalled() {
        return subscriberById.values().stream().anyMatch(Subscriber::isCalled);
    }

    void endWhatIsOver(final long nowNs) {
        for (final Subscriber each : subscriberById.values()) {
            if (each.isOver(nowNs) && each.isFirstToEnd()) {
                end(each);
            }
        }
        queries.endWhatIsOver(nowNs);
    }

    /** Done by another thread: the end may wait for the broker, and other leases must not. */
    private void end(final Subscriber subscriber) {
        try {
            service.enders().execute(() -> {
                if (removeQuietly(subscriber) && !subscriber.isCalled()) {
                    counters.add(BridgeCounter.LEASES_EXPIRED, 1);
                }
            });
        } catch (final RejectedExecutionException e) {
            // The bridge is closing, and all subscriptions with it.
            return;
        }
    }

    /** Ends the session, its subscriptions and its queries. Idempotent. */
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            // The broker ends them when the connection is closed: it is not asked for each.
            subscriberById.values().forEach(Subscriber::drop);
            try {
                broker.close();
            } finally {
                subscriberById.values().forEach(this::removeQuietly);
                queries.close();
                service.onClosed(this);
            }
        }
    }

    private boolean removeQuietly(final Subscriber subscriber) {
        try {
            return remove(subscriber);
        } catch (final PenstockException e) {
            LOG.log(System.Logger.Level.DEBUG, "the broker was not notified of a subscription's end", e);
            return true;
        }
    }
}
