package io.penstock.bench.orb;

import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import io.penstock.client.PublishOptions;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server of the contract without the bridge: it calls the native client itself. It serves only the measured
 * operations. Safe on any thread.
 */
final class PlainServant implements PenstockBroker {
    /** Longest wait for the broker in a call; the bridge has the same here. */
    static final int TIMEOUT_S = 60;

    private final PenstockClient client;

    /**
     * Serves.
     *
     * @param client publishes.
     */
    PlainServant(final PenstockClient client) {
        this.client = client;
    }

    @Override
    public byte[] echo(final byte[] data) {
        return data;
    }

    @Override
    public void publish(final Publication publication, final boolean isPersisted) throws BrokerException {
        final CompletableFuture<Ack> answer = client.publish(
                io.penstock.client.Publication.to(publication.topic())
                        .bytes(publication.data())
                        .options(new PublishOptions(
                                publication.key(), publication.isDelta(), publication.expirationMs())),
                isPersisted ? AckType.PERSISTED : AckType.PROCESSED);
        try {
            final Ack unused = answer.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (final ExecutionException | TimeoutException e) {
            throw new BrokerException(ErrorCode.INTERNAL_ERROR.code(), "FAILED", "publish: " + e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException(ErrorCode.SHUTTING_DOWN.code(), "INTERRUPTED", "publish: interrupted");
        }
    }

    private static BrokerException refused() {
        return new BrokerException(
                ErrorCode.NOT_SUPPORTED.code(), ErrorCode.NOT_SUPPORTED.name(), "bench: is not measured (use echo)");
    }

    @Override
    public PenstockBroker logon(final Credentials credentials) throws BrokerException {
        throw refused();
    }

    @Override
    public void logoff() throws BrokerException {
        throw refused();
    }

    @Override
    public void publishBatch(final Publication[] publications, final boolean isPersisted) throws BrokerException {
        throw refused();
    }

    @Override
    public void publishWithHeaders(final Publication message, final Header[] headers, final boolean isPersisted)
            throws BrokerException {
        throw refused();
    }

    @Override
    public void publishBatchWithHeaders(final PublicationWithHeaders[] messages, final boolean isPersisted)
            throws BrokerException {
        throw refused();
    }

    @Override
    public long subscribe(final SubscribeRequest request) throws BrokerException {
        throw refused();
    }

    @Override
    public long subscribeWithCallback(final SubscribeRequest request, final Callback callback) throws BrokerException {
        throw refused();
    }

    @Override
    public long subscribeWithHeaders(final SubscribeRequest request, final Callback callback) throws BrokerException {
        throw refused();
    }

    @Override
    public Delivery[] next(final long subscription, final int max, final int timeoutMs) throws BrokerException {
        throw refused();
    }

    @Override
    public DeliveryWithHeaders[] nextWithHeaders(final long subscription, final int max, final int timeoutMs)
            throws BrokerException {
        throw refused();
    }

    @Override
    public void acknowledge(final long subscription, final String bookmark) throws BrokerException {
        throw refused();
    }

    @Override
    public void forget(final String name) throws BrokerException {
        throw refused();
    }

    @Override
    public void unsubscribe(final long subscription) throws BrokerException {
        throw refused();
    }

    @Override
    public long query(final QueryRequest request) throws BrokerException {
        throw refused();
    }

    @Override
    public QueryPage fetch(final long query, final int max, final int timeoutMs) throws BrokerException {
        throw refused();
    }

    @Override
    public PageWithHeaders fetchWithHeaders(final long query, final int max, final int timeoutMs)
            throws BrokerException {
        throw refused();
    }

    @Override
    public void closeQuery(final long query) {
        // There is none.
    }
}
