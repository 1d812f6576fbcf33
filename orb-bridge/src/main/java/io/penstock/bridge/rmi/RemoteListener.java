package io.penstock.bridge.rmi;

import io.penstock.bridge.service.Listener;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls a client where its listener is. The connection is made for the first call, and kept for a second after the last one.
 * Safe on any thread.
 */
final class RemoteListener implements Listener {
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ON_MESSAGES = method("onMessages", long.class, Delivery[].class);
    private static final long ON_END = method("onEnd", long.class, int.class, String.class, String.class);

    private final CallbackStub stub;
    private @Nullable CallbackConnection connection;
    private long usedNs;
    private boolean isCalling;
    private boolean isClosed;
    private boolean isAborted;

    /**
     * Calls nobody yet.
     *
     * @param stub where the listener is.
     */
    RemoteListener(final CallbackStub stub) {
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
    public void onMessages(final long subscription, final Delivery[] deliveries) throws IOException {
        call(ON_MESSAGES, out -> {
            out.writeLong(subscription);
            out.writeObject(deliveries);
        });
    }

    @Override
    public void onEnd(final long subscription, final BrokerException reason) throws IOException {
        call(ON_END, out -> {
            out.writeLong(subscription);
            out.writeInt(reason.code());
            out.writeObject(reason.name());
            out.writeObject(reason.text());
        });
    }

    private void call(final long method, final CallbackConnection.Arguments arguments) throws IOException {
        final CallbackConnection taken = begin();
        boolean isAnswered = false;
        try {
            taken.call(method, arguments);
            isAnswered = true;
        } finally {
            end(isAnswered);
        }
    }

    private synchronized CallbackConnection begin() throws IOException {
        if (isAborted) {
            throw new IOException("callback: was given up: " + stub.host() + ":" + stub.port());
        }
        closeIdle(System.nanoTime());
        CallbackConnection taken = connection;
        if (taken == null) {
            taken = new CallbackConnection(stub);
            connection = taken;
        }
        isCalling = true;
        return taken;
    }

    private synchronized void end(final boolean isAnswered) {
        isCalling = false;
        usedNs = System.nanoTime();
        if (!isAnswered || isClosed) {
            disconnect();
        }
    }

    @Override
    public synchronized void closeIdle(final long nowNs) {
        if (!isCalling && nowNs - usedNs > KEPT_NS) {
            disconnect();
        }
    }

    @Override
    public synchronized void abort() {
        isAborted = true;
        disconnect();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (!isCalling) {
            disconnect();
        }
    }

    private void disconnect() {
        final CallbackConnection known = connection;
        connection = null;
        if (known != null) {
            known.close();
        }
    }
}
