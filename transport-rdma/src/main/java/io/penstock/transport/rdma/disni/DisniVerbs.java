package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.impl.NatObject;
import io.penstock.nativeaccess.DisniSupplement;
import io.penstock.nativeaccess.NativeAccess;
import io.penstock.transport.rdma.shim.Descriptors;
import io.penstock.transport.rdma.verbs.Verbs;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import io.penstock.transport.rdma.verbs.VerbsHandler;
import io.penstock.transport.rdma.verbs.VerbsHandler.Failure;
import io.penstock.transport.rdma.verbs.VerbsListener;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A channel of events, and the ids on it. {@link Channels} has the part for the agent. */
final class DisniVerbs implements Verbs {
    private final IdentityHashMap<RdmaCmId, DisniEndpoint> endpoints = new IdentityHashMap<>();
    private final IdentityHashMap<RdmaCmId, DisniListener> listeners = new IdentityHashMap<>();
    private final UnsafeBuffer data =
            new UnsafeBuffer(ByteBuffer.allocateDirect(DisniSupplement.EVENT_DATA_LENGTH_MAX));
    private final UnsafeBuffer scratch = new UnsafeBuffer(ByteBuffer.allocateDirect(PRIVATE_LENGTH_MAX));
    private final NativeAccess access;
    private final RdmaEventChannel channel;
    private final Descriptors events;
    private final Channels channels;

    private DisniVerbs(final NativeAccess access, final RdmaEventChannel channel) throws IOException {
        this.access = access;
        this.channel = channel;
        events = new Descriptors(access);
        events.add(access.rdmaChannelDescriptor(((NatObject) channel).getObjId()));
        channels = new Channels(access);
    }

    /** The first call loads DiSNI. */
    static DisniVerbs open(final NativeAccess access) throws IOException {
        SpareBuffers.install();
        return new DisniVerbs(access, RdmaEventChannel.createEventChannel());
    }

    @Override
    public String name() {
        return DisniVerbsProvider.NAME;
    }

    @Override
    public VerbsListener listen(final InetSocketAddress address, final int backlog) throws IOException {
        checkFamily(address);
        final RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
        try {
            id.bindAddr(address);
            id.listen(backlog);
            final DisniListener listener = new DisniListener(this, id, (InetSocketAddress) id.getSource());
            listeners.put(id, listener);
            return listener;
        } catch (final IOException e) {
            id.destroyId();
            throw new IOException(e.getMessage() + Errnos.addressRemedy(e), e);
        }
    }

    private static void checkFamily(final InetSocketAddress address) throws IOException {
        if (!(address.getAddress() instanceof Inet4Address)) {
            throw new IOException("rdma: not an IPv4 address, and DiSNI knows no others: " + address
                    + " (use one, or -Dpenstock.rdma.verbs=shim)");
        }
    }

    @Override
    public VerbsEndpoint resolve(final InetSocketAddress peer, final int timeoutMs) throws IOException {
        checkFamily(peer);
        final RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
        try {
            id.resolveAddr(null, peer, timeoutMs);
        } catch (final IOException e) {
            id.destroyId();
            throw new IOException(e.getMessage() + Errnos.addressRemedy(e), e);
        }
        final DisniEndpoint endpoint = new DisniEndpoint(access, this, id, timeoutMs);
        endpoints.put(id, endpoint);
        return endpoint;
    }

    @Override
    public int pollEvents(final VerbsHandler handler, final int limit) {
        int count = 0;
        try {
            while (count < limit) {
                final @Nullable RdmaCmEvent event = channel.getCmEvent(0);
                if (event == null) {
                    return count;
                }
                count++;
                onEvent(handler, event);
            }
        } catch (final IOException ignored) {
            // The next call meets the same error, if it lasts; connections then end by their time limits.
        }
        return count;
    }

    private void onEvent(final VerbsHandler handler, final RdmaCmEvent event) {
        final int length = Math.max(0, DisniSupplement.eventData(data.addressOffset(), data.capacity()));
        final RdmaCmId id = event.getConnIdPriv();
        if (event.getEvent() == NativeAccess.RDMA_REQUEST) {
            onRequest(handler, listeners.get(event.getListenIdPriv()), id, length);
            return;
        }
        final DisniEndpoint endpoint = endpoints.get(id);
        if (endpoint != null) {
            onEvent(handler, endpoint, event.getEvent(), length);
        } else if (event.getEvent() == NativeAccess.RDMA_DEVICE_REMOVED) {
            onListenerLost(handler, listeners.get(id));
        }
    }

    private static void onListenerLost(final VerbsHandler handler, final @Nullable DisniListener listener) {
        if (listener != null) {
            handler.onListenerLost(listener);
        }
    }

    private void onRequest(
            final VerbsHandler handler, final @Nullable DisniListener listener, final RdmaCmId id, final int length) {
        final DisniEndpoint endpoint = new DisniEndpoint(access, this, id, 0);
        endpoints.put(id, endpoint);
        try {
            endpoint.find();
        } catch (final IOException ignored) {
            endpoint.close();
            return;
        }
        if (listener == null) {
            endpoint.close();
        } else {
            handler.onRequest(listener, endpoint, data, 0, length);
        }
    }

    private void onEvent(final VerbsHandler handler, final DisniEndpoint endpoint, final int event, final int length) {
        final int status = DisniSupplement.eventStatus();
        switch (event) {
            case NativeAccess.RDMA_ADDRESS_RESOLVED -> onAddressResolved(handler, endpoint);
            case NativeAccess.RDMA_ROUTE_RESOLVED -> onResolved(handler, endpoint);
            case NativeAccess.RDMA_ADDRESS_ERROR, NativeAccess.RDMA_ROUTE_ERROR ->
                handler.onFailed(endpoint, Failure.NO_ROUTE, status, data, 0, 0);
            case NativeAccess.RDMA_CONNECT_ERROR, NativeAccess.RDMA_UNREACHABLE ->
                handler.onFailed(endpoint, Failure.NO_ANSWER, status, data, 0, 0);
            case NativeAccess.RDMA_REJECTED ->
                handler.onFailed(endpoint, failure(status, length), status, data, 0, length);
            case NativeAccess.RDMA_ESTABLISHED -> handler.onEstablished(endpoint, data, 0, length);
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

    private void onAddressResolved(final VerbsHandler handler, final DisniEndpoint endpoint) {
        try {
            endpoint.resolveRoute();
        } catch (final IOException e) {
            handler.onFailed(endpoint, Failure.NO_ROUTE, -Errnos.of(e), data, 0, 0);
        }
    }

    private void onResolved(final VerbsHandler handler, final DisniEndpoint endpoint) {
        try {
            endpoint.find();
        } catch (final IOException e) {
            handler.onFailed(endpoint, Failure.NO_ROUTE, -Errnos.of(e), data, 0, 0);
            return;
        }
        handler.onResolved(endpoint);
    }

    private static Failure failure(final int status, final int length) {
        return switch (status) {
            case NativeAccess.RDMA_STATUS_REFUSED -> Failure.REJECTED;
            case NativeAccess.RDMA_STATUS_NOBODY -> Failure.NOBODY_LISTENS;
            default -> length > 0 ? Failure.REJECTED : Failure.NO_ANSWER;
        };
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
        channels.await(timeoutNs);
    }

    @Override
    public void wakeupCompletions() {
        channels.wakeup();
    }

    /** Where private data is until the call that takes it returns. Control. */
    UnsafeBuffer scratch() {
        return scratch;
    }

    IbvCompChannel channelOf(final DisniDevice device) throws IOException {
        return channels.of(device);
    }

    int round() {
        return channels.round();
    }

    void close(final RdmaCmId id) {
        endpoints.remove(id);
        listeners.remove(id);
        try {
            id.destroyId();
        } catch (final IOException e) {
            throw new IllegalStateException("rdma: closed twice", e);
        }
    }

    @Override
    public void close() {
        try {
            channels.close();
            events.close();
            channel.destroyEventChannel();
        } catch (final IOException e) {
            throw new IllegalStateException("rdma: closed twice", e);
        }
    }
}
