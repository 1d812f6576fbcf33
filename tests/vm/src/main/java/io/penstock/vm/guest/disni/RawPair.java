package io.penstock.vm.guest.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Both ends of a connection in one thread, written to DiSNI's own classes. */
final class RawPair implements AutoCloseable {
    final RdmaEventChannel serverEvents;
    final RdmaEventChannel clientEvents;
    final RdmaCmId listener;
    final RawEnd server;
    final RawEnd client;

    RawPair(final InetSocketAddress address, final int slotCount, final int slotLength) throws IOException {
        this(address, slotCount, slotLength, RawEnd.parameters());
        client.receiveAll();
    }

    /** The client has posted no receives. */
    RawPair(
            final InetSocketAddress address,
            final int slotCount,
            final int slotLength,
            final RdmaConnParam parametersOfConnect)
            throws IOException {
        serverEvents = RdmaEventChannel.createEventChannel();
        clientEvents = RdmaEventChannel.createEventChannel();
        listener = listen(serverEvents, address);
        client = new RawEnd(resolve(clientEvents, (InetSocketAddress) listener.getSource()), slotCount, slotLength);
        client.id.connect(parametersOfConnect);
        server = new RawEnd(
                RawEnd.await(serverEvents, EventType.RDMA_CM_EVENT_CONNECT_REQUEST)
                        .getConnIdPriv(),
                slotCount,
                slotLength);
        server.receiveAll();
        server.id.accept(RawEnd.parameters());
        RawEnd.await(clientEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
        RawEnd.await(serverEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
    }

    static RdmaCmId listen(final RdmaEventChannel events, final InetSocketAddress address) throws IOException {
        final RdmaCmId listener = events.createId(RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(address);
        listener.listen(8);
        return listener;
    }

    static RdmaCmId resolve(final RdmaEventChannel events, final InetSocketAddress peer) throws IOException {
        final RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, peer, 2_000);
        RawEnd.await(events, EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        id.resolveRoute(2_000);
        RawEnd.await(events, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        return id;
    }

    @Override
    public void close() throws IOException {
        client.id.disconnect();
        client.close();
        server.close();
        listener.destroyId();
        clientEvents.destroyEventChannel();
        serverEvents.destroyEventChannel();
    }
}
