package io.penstock.bridge.rmi;

import io.penstock.bridge.callback.KeptListener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;

/** Calls a client where its listener is. Safe on any thread. */
final class RemoteListener extends KeptListener<CallbackConnection> {
    private static final long ON_MESSAGES = method("onMessages", long.class, Delivery[].class);
    private static final long ON_END = method("onEnd", long.class, int.class, String.class, String.class);

    private final CallbackStub stub;

    /**
     * Calls nobody yet.
     *
     * @param stub where the listener is.
     */
    RemoteListener(final CallbackStub stub) {
        super(stub.host() + ":" + stub.port());
        this.stub = stub;
    }

    private static long method(final String name, final Class<?>... types) {
        try {
            return MethodHash.of(MessageListener.class.getMethod(name, types));
        } catch (final NoSuchMethodException e) {
            throw new IllegalStateException("the contract has no such method: " + name, e);
        }
    }

    @Override
    public void onMessages(final long subscription, final Delivery[] deliveries) throws Exception {
        call(connection -> connection.call(ON_MESSAGES, out -> {
            out.writeLong(subscription);
            out.writeObject(deliveries);
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
