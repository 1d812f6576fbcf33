package io.penstock.bridge.rmi;

import io.penstock.bridge.callback.KeptListener;
import io.penstock.bridge.service.Deliveries;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.ListenerWithHeaders;
import io.penstock.orb.MessageListener;

/** Calls a client where its listener is. Safe on any thread. */
final class RemoteListener extends KeptListener<CallbackConnection> {
    private static final long ON_MESSAGES = method(MessageListener.class, "onMessages", long.class, Delivery[].class);
    private static final long ON_MESSAGES_WITH_HEADERS =
            method(ListenerWithHeaders.class, "onMessagesWithHeaders", long.class, DeliveryWithHeaders[].class);
    private static final long ON_END =
            method(MessageListener.class, "onEnd", long.class, int.class, String.class, String.class);

    private final CallbackStub stub;
    private final boolean isWithHeaders;

    /**
     * Calls nobody yet.
     *
     * @param stub          where the listener is.
     * @param isWithHeaders whether it takes headers.
     */
    RemoteListener(final CallbackStub stub, final boolean isWithHeaders) {
        super(stub.host() + ":" + stub.port());
        this.stub = stub;
        this.isWithHeaders = isWithHeaders;
    }

    private static long method(final Class<?> type, final String name, final Class<?>... types) {
        try {
            return MethodHash.of(type.getMethod(name, types));
        } catch (final NoSuchMethodException e) {
            throw new IllegalStateException("the contract has no such method: " + name, e);
        }
    }

    @Override
    public void onMessages(final long subscription, final DeliveryWithHeaders[] deliveries) throws Exception {
        call(connection -> connection.call(isWithHeaders ? ON_MESSAGES_WITH_HEADERS : ON_MESSAGES, out -> {
            out.writeLong(subscription);
            out.writeObject(isWithHeaders ? deliveries : Deliveries.withoutHeaders(deliveries));
        }));
    }

    @Override
    public void onEnd(final long subscription, final BrokerException reason) throws Exception {
        call(connection -> connection.call(ON_END, out -> {
            out.writeLong(subscription);
            out.writeInt(reason.code());
            out.writeObject(reason.name());
            out.writeObject(reason.text());
        }));
    }

    @Override
    protected CallbackConnection newConnection() {
        return new CallbackConnection(stub);
    }

    @Override
    protected void close(final CallbackConnection unused) {
        unused.close();
    }
}
