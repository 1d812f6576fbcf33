package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.SystemException;
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
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.Objects;

/** The contract over a {@link GiopPeer}, as a stub that a compiler of IDL makes. */
final class IiopBroker implements PenstockBroker {
    private final GiopPeer peer;
    private final String key;

    IiopBroker(final GiopPeer peer, final String key) {
        this.peer = peer;
        this.key = key;
    }

    private <T> T call(final String operation, final Call.Results arguments, final GiopPeer.Reading<T> results)
            throws RemoteException, BrokerException {
        try {
            return peer.call(key, operation, arguments, results);
        } catch (final SystemException | IOException e) {
            throw new RemoteException(operation, e);
        }
    }

    private void call(final String operation, final Call.Results arguments) throws RemoteException, BrokerException {
        call(operation, arguments, in -> true);
    }

    @Override
    public PenstockBroker logon(final Credentials credentials) throws RemoteException, BrokerException {
        final Ior session = call(
                "logon",
                out -> {
                    out.string(credentials.name());
                    out.string(credentials.user());
                    out.string(credentials.password());
                },
                in -> Objects.requireNonNull(Ior.read(in)));
        return new IiopBroker(peer, session.key());
    }

    @Override
    public void logoff() throws RemoteException, BrokerException {
        call("logoff", out -> {});
    }

    @Override
    public byte[] echo(final byte[] data) throws RemoteException, BrokerException {
        return call("echo", out -> out.octets(data), CdrReader::octets);
    }

    @Override
    public void publish(final Publication publication, final boolean isPersisted)
            throws RemoteException, BrokerException {
        call("publish", out -> {
            write(out, publication);
            out.writeBoolean(isPersisted);
        });
    }

    static void write(final io.penstock.bridge.giop.CdrWriter out, final Publication publication)
            throws SystemException {
        out.string(publication.topic());
        out.octets(publication.data());
        out.string(publication.key());
        out.writeBoolean(publication.isDelta());
        out.writeLong(publication.expirationMs());
    }

    @Override
    public void publishBatch(final Publication[] publications, final boolean isPersisted)
            throws RemoteException, BrokerException {
        call("publishBatch", out -> {
            out.writeInt(publications.length);
            for (final Publication each : publications) {
                write(out, each);
            }
            out.writeBoolean(isPersisted);
        });
    }

    private static void write(final io.penstock.bridge.giop.CdrWriter out, final SubscribeRequest request)
            throws SystemException {
        out.string(request.topic());
        out.writeBoolean(request.isPattern());
        out.string(request.filter());
        out.string(request.start());
        out.string(request.name());
        out.writeBoolean(request.isSow());
        out.writeBoolean(request.isOof());
        out.writeBoolean(request.isDelta());
        out.writeInt(request.leaseMs());
    }

    @Override
    public void publishWithHeaders(final Publication message, final Header[] headers, final boolean isPersisted)
            throws RemoteException, BrokerException {
        call("publishWithHeaders", out -> {
            write(out, message);
            write(out, headers);
            out.writeBoolean(isPersisted);
        });
    }

    private static void write(final io.penstock.bridge.giop.CdrWriter out, final Header[] headers)
            throws SystemException {
        out.writeInt(headers.length);
        for (final Header each : headers) {
            out.string(each.name());
            out.writeInt(each.type());
            out.string(each.text());
            out.writeLong(each.number());
            out.octets(each.data());
        }
    }

    @Override
    public void publishBatchWithHeaders(final PublicationWithHeaders[] messages, final boolean isPersisted)
            throws RemoteException, BrokerException {
        call("publishBatchWithHeaders", out -> {
            out.writeInt(messages.length);
            for (final PublicationWithHeaders each : messages) {
                write(out, each.message());
                write(out, each.headers());
            }
            out.writeBoolean(isPersisted);
        });
    }

    @Override
    public long subscribe(final SubscribeRequest request) throws RemoteException, BrokerException {
        return call("subscribe", out -> write(out, request), CdrReader::readLong);
    }

    @Override
    public long subscribeWithCallback(final SubscribeRequest request, final Callback callback)
            throws RemoteException, BrokerException {
        final ListenerServer listener = (ListenerServer) callback.listener();
        return subscribeWithCallback(request, listener.reference());
    }

    long subscribeWithCallback(final SubscribeRequest request, final Ior listener)
            throws RemoteException, BrokerException {
        return subscribe("subscribeWithCallback", request, listener);
    }

    private long subscribe(final String operation, final SubscribeRequest request, final Ior listener)
            throws RemoteException, BrokerException {
        return call(
                operation,
                out -> {
                    write(out, request);
                    listener.write(out);
                },
                CdrReader::readLong);
    }

    @Override
    public long subscribeWithHeaders(final SubscribeRequest request, final Callback callback)
            throws RemoteException, BrokerException {
        final ListenerServer listener = (ListenerServer) callback.listener();
        return subscribe("subscribeWithHeaders", request, listener.reference());
    }

    @Override
    public Delivery[] next(final long subscription, final int max, final int timeoutMs)
            throws RemoteException, BrokerException {
        return take("next", subscription, max, timeoutMs, IiopBroker::deliveries);
    }

    @Override
    public DeliveryWithHeaders[] nextWithHeaders(final long subscription, final int max, final int timeoutMs)
            throws RemoteException, BrokerException {
        return take("nextWithHeaders", subscription, max, timeoutMs, IiopBroker::deliveriesWithHeaders);
    }

    private <T> T take(
            final String operation,
            final long id,
            final int max,
            final int timeoutMs,
            final GiopPeer.Reading<T> results)
            throws RemoteException, BrokerException {
        return call(
                operation,
                out -> {
                    out.writeLong(id);
                    out.writeInt(max);
                    out.writeInt(timeoutMs);
                },
                results);
    }

    static Delivery[] deliveries(final CdrReader in) throws SystemException {
        final Delivery[] deliveries = new Delivery[in.count(32)];
        for (int i = 0; i < deliveries.length; i++) {
            deliveries[i] = delivery(in);
        }
        return deliveries;
    }

    private static Delivery delivery(final CdrReader in) throws SystemException {
        return new Delivery(
                in.readInt(), in.string(), in.readInt(), in.readLong(), in.readLong(), in.string(), in.octets());
    }

    static DeliveryWithHeaders[] deliveriesWithHeaders(final CdrReader in) throws SystemException {
        final DeliveryWithHeaders[] deliveries = new DeliveryWithHeaders[in.count(32)];
        for (int i = 0; i < deliveries.length; i++) {
            final Delivery delivery = delivery(in);
            final Header[] headers = new Header[in.count(24)];
            for (int j = 0; j < headers.length; j++) {
                headers[j] = header(in);
            }
            deliveries[i] = new DeliveryWithHeaders(delivery, headers);
        }
        return deliveries;
    }

    private static Header header(final CdrReader in) throws SystemException {
        final String name = in.string();
        final int type = in.readInt();
        final String text = in.string();
        final long number = in.readLong();
        final byte[] data = in.octets();
        return switch (type) {
            case Header.TEXT_VALUE -> Header.of(name, text);
            case Header.NUMBER_VALUE -> Header.of(name, number);
            default -> Header.of(name, data);
        };
    }

    @Override
    public void acknowledge(final long subscription, final String bookmark) throws RemoteException, BrokerException {
        call("acknowledge", out -> {
            out.writeLong(subscription);
            out.string(bookmark);
        });
    }

    @Override
    public void forget(final String name) throws RemoteException, BrokerException {
        call("forget", out -> out.string(name));
    }

    @Override
    public void unsubscribe(final long subscription) throws RemoteException, BrokerException {
        call("unsubscribe", out -> out.writeLong(subscription));
    }

    @Override
    public long query(final QueryRequest request) throws RemoteException, BrokerException {
        return call(
                "query",
                out -> {
                    out.string(request.topic());
                    out.writeBoolean(request.isPattern());
                    out.string(request.filter());
                    out.string(request.select());
                    out.string(request.groupBy());
                    out.string(request.having());
                    out.string(request.orderBy());
                    out.writeInt(request.top());
                    out.writeInt(request.skip());
                },
                CdrReader::readLong);
    }

    @Override
    public QueryPage fetch(final long query, final int max, final int timeoutMs)
            throws RemoteException, BrokerException {
        return take("fetch", query, max, timeoutMs, in -> new QueryPage(deliveries(in), in.readBoolean()));
    }

    @Override
    public PageWithHeaders fetchWithHeaders(final long query, final int max, final int timeoutMs)
            throws RemoteException, BrokerException {
        return take(
                "fetchWithHeaders",
                query,
                max,
                timeoutMs,
                in -> new PageWithHeaders(deliveriesWithHeaders(in), in.readBoolean()));
    }

    @Override
    public void closeQuery(final long query) throws RemoteException {
        try {
            call("closeQuery", out -> out.writeLong(query));
        } catch (final BrokerException e) {
            throw new RemoteException("closeQuery", e);
        }
    }
}
