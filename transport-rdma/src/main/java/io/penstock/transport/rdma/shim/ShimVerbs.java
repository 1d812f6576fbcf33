package io.penstock.transport.rdma.shim;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import io.penstock.transport.rdma.verbs.VerbsHandler.Failure;
import io.penstock.transport.rdma.verbs.VerbsListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A channel of events, and the ids on it. {@link Bells} has the part for the agent. */
final class ShimVerbs implements Verbs {
    static final int NO_SLOT = -1;

    private static final int EVENT_OFFSET = 0;
    private static final int STATUS_OFFSET = 4;
    private static final int ID_OFFSET = 8;
    private static final int LISTENER_OFFSET = 16;
    private static final int PRIVATE_LENGTH_OFFSET = 24;
    private static final int PRIVATE_OFFSET = 32;

    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;
    private static final int ENODEV = 19;

    private final Long2ObjectHashMap<ShimEndpoint> endpointById = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<ShimListener> listenerById = new Long2ObjectHashMap<>();
    private final UnsafeBuffer event = new UnsafeBuffer(
            ByteBuffer.allocateDirect(NativeAccess.RDMA_EVENT_LENGTH).order(ByteOrder.nativeOrder()));
    private final UnsafeBuffer name = new UnsafeBuffer(ByteBuffer.allocateDirect(SocketAddresses.LENGTH_MAX));
    private final NativeAccess access;
    private final long channel;
    private final Descriptors events;
    private final Bells bells;

    ShimVerbs(final NativeAccess access, final long channel) throws IOException {
        this.access = access;
        this.channel = channel;
        events = new Descriptors(access);
        events.add(access.rdmaChannelDescriptor(channel));
        bells = new Bells(access);
    }

    @Override
    public String name() {
        return ShimVerbsProvider.NAME;
    }

    @Override
    public VerbsListener listen(final InetSocketAddress address, final int backlog) throws IOException {
        final long id = open();
        final int length = SocketAddresses.put(name, address);
        int result = access.rdmaListen(id, name.addressOffset(), length, backlog);
        if (result >= 0) {
            result = access.rdmaName(id, 0, name.addressOffset(), name.capacity());
        }
        if (result < 0) {
            access.rdmaIdClose(id);
            throw new IOException(NativeErrors.text(access, result) + remedy(result));
        }
        final ShimListener listener = new ShimListener(this, id, SocketAddresses.get(name, result));
        listenerById.put(id, listener);
        return listener;
    }

    private static String remedy(final int result) {
        return switch (-result) {
            case EADDRINUSE -> " (use another port, or 0 for any)";
            case EADDRNOTAVAIL, ENODEV ->
                " (use an address of an interface that has an RDMA device: 'rdma link' lists" + " them)";
            default -> "";
        };
    }

    private long open() throws IOException {
        final long id = access.rdmaIdOpen(channel);
        if (id < 0) {
            throw new IOException("rdma: no id: " + NativeErrors.text(access, id));
        }
        return id;
    }

    @Override
    public VerbsEndpoint resolve(final InetSocketAddress peer, final int timeoutMs) throws IOException {
        final long id = open();
        final int length = SocketAddresses.put(name, peer);
        final int result = access.rdmaResolveAddress(id, name.addressOffset(), length, timeoutMs);
        if (result < 0) {
            access.rdmaIdClose(id);
            throw new IOException(NativeErrors.text(access, result) + remedy(result));
        }
        final ShimEndpoint endpoint = new ShimEndpoint(access, this, id, timeoutMs);
        endpointById.put(id, endpoint);
        return endpoint;
    }

    @Override
    public int pollEvents(final VerbsHandler handler, final int limit) {
        int count = 0;
        while (count < limit && access.rdmaEvent(channel, event.addressOffset()) > 0) {
            count++;
            final long id = event.getLong(ID_OFFSET);
            if (event.getInt(EVENT_OFFSET) == NativeAccess.RDMA_REQUEST) {
                onRequest(handler, id);
            } else {
                final ShimEndpoint endpoint = endpointById.get(id);
                if (endpoint != null) {
                    onEvent(handler, endpoint);
                } else if (event.getInt(EVENT_OFFSET) == NativeAccess.RDMA_DEVICE_REMOVED) {
                    onListenerLost(handler, listenerById.get(id));
                }
            }
        }
        return count;
    }

    private void onRequest(final VerbsHandler handler, final long id) {
        final ShimListener listener = listenerById.get(event.getLong(LISTENER_OFFSET));
        final ShimEndpoint endpoint = new ShimEndpoint(access, this, id, 0);
        endpointById.put(id, endpoint);
        try {
            endpoint.find();
        } catch (final IOException ignored) {
            endpoint.close();
            return;
        }
        if (listener == null) {
            endpoint.close();
        } else {
            handler.onRequest(listener, endpoint, event, PRIVATE_OFFSET, event.getInt(PRIVATE_LENGTH_OFFSET));
        }
    }

    private static void onListenerLost(final VerbsHandler handler, final @Nullable ShimListener listener) {
        if (listener != null) {
            handler.onListenerLost(listener);
        }
    }

    private void onEvent(final VerbsHandler handler, final ShimEndpoint endpoint) {
        switch (event.getInt(EVENT_OFFSET)) {
            case NativeAccess.RDMA_ADDRESS_RESOLVED -> {
                final int result = endpoint.resolveRoute();
                if (result < 0) {
                    fail(handler, endpoint, Failure.NO_ROUTE, result);
                }
            }
            case NativeAccess.RDMA_ROUTE_RESOLVED -> onResolved(handler, endpoint);
            case NativeAccess.RDMA_ADDRESS_ERROR, NativeAccess.RDMA_ROUTE_ERROR ->
                fail(handler, endpoint, Failure.NO_ROUTE, event.getInt(STATUS_OFFSET));
            case NativeAccess.RDMA_CONNECT_ERROR, NativeAccess.RDMA_UNREACHABLE ->
                fail(handler, endpoint, Failure.NO_ANSWER, event.getInt(STATUS_OFFSET));
            case NativeAccess.RDMA_REJECTED -> onRejected(handler, endpoint, event.getInt(STATUS_OFFSET));
            case NativeAccess.RDMA_ESTABLISHED ->
                handler.onEstablished(endpoint, event, PRIVATE_OFFSET, event.getInt(PRIVATE_LENGTH_OFFSET));
            case NativeAccess.RDMA_DISCONNECTED,
                    NativeAccess.RDMA_DEVICE_REMOVED,
                    NativeAccess.RDMA_ADDRESS_CHANGED -> {
                if (endpoint.onDisconnected()) {
                    handler.onDisconnected(endpoint);
                }
            }
            default -> {
                // Other events are of no interest, for example that an id may be used anew.
            }
        }
    }

    private void onResolved(final VerbsHandler handler, final ShimEndpoint endpoint) {
        try {
            endpoint.find();
        } catch (final IOException ignored) {
            fail(handler, endpoint, Failure.NO_ROUTE, -ENODEV);
            return;
        }
        handler.onResolved(endpoint);
    }

    private void onRejected(final VerbsHandler handler, final ShimEndpoint endpoint, final int status) {
        final Failure failure = switch (status) {
            case NativeAccess.RDMA_STATUS_REFUSED -> Failure.REJECTED;
            case NativeAccess.RDMA_STATUS_NOBODY -> Failure.NOBODY_LISTENS;
            default -> event.getInt(PRIVATE_LENGTH_OFFSET) > 0 ? Failure.REJECTED : Failure.NO_ANSWER;
        };
        fail(handler, endpoint, failure, status);
    }

    private void fail(
            final VerbsHandler handler, final ShimEndpoint endpoint, final Failure failure, final int status) {
        handler.onFailed(endpoint, failure, status, event, PRIVATE_OFFSET, event.getInt(PRIVATE_LENGTH_OFFSET));
    }

    @Override
    public void awaitEvents(final long timeoutNs) {
        events.await(timeoutNs);
    }

    @Override
    public void wakeupEvents() {
        events.wakeup();
    }

    @Override
    public void awaitCompletions(final long timeoutNs) {
        bells.await(timeoutNs);
    }

    @Override
    public void wakeupCompletions() {
        bells.wakeup();
    }

    long bellOf(final ShimDevice device) throws IOException {
        return bells.of(device);
    }

    int take(final ShimEndpoint endpoint) {
        return bells.take(endpoint);
    }

    void giveBack(final int slot) {
        bells.giveBack(slot);
    }

    void close(final long id) {
        endpointById.remove(id);
        listenerById.remove(id);
        access.rdmaIdClose(id);
    }

    @Override
    public void close() {
        bells.close();
        events.close();
        access.rdmaChannelClose(channel);
    }
}
