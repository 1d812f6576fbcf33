package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.ReceiveRequests;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** Gives a link its memory, queues and receives before it is connected. Owned by the control thread. */
final class LinkPreparation {
    private static final int INLINE_LENGTH = 256;

    private final RdmaConfig config;
    private final BodyMemory bodies;
    private final ReceiveRequests receives;

    LinkPreparation(final RdmaConfig config, final BodyMemory bodies) {
        this.config = config;
        this.bodies = bodies;
        receives = new ReceiveRequests(config.slotCount());
    }

    /** Makes it ready; when this fails it may have memory, to be given back. */
    void prepare(final Link link) throws IOException {
        final VerbsEndpoint endpoint = link.endpoint();
        final BlockPool pool = BlockPool.of(endpoint.device(), config);
        link.memory(pool, pool.take());
        link.bodies(bodies.on(endpoint.device(), pool.registrar()));
        final InetSocketAddress peer = endpoint.peerAddress();
        link.peer(peer, isOfThisMachine(peer));
        endpoint.open(Link.sendCapacity(link.slotCount()), link.slotCount(), INLINE_LENGTH);
        for (int i = 0; i < link.slotCount(); i++) {
            final long address = link.block().address() + (long) i * Chunks.SLOT_LENGTH;
            receives.put(i, i, address, Chunks.SLOT_LENGTH, link.block().localKey());
        }
        final int posted = endpoint.postReceives(receives, link.slotCount());
        if (posted != link.slotCount()) {
            throw new IOException("rdma: the device took " + posted + " of " + link.slotCount() + " receives");
        }
    }

    private static boolean isOfThisMachine(final InetSocketAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address.getAddress()) != null;
        } catch (final SocketException ignored) {
            return false;
        }
    }
}
