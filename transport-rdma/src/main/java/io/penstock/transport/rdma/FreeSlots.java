package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.ReceiveRequests;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The slots of a {@link ReceiveRing} that are done with, on their way back to the device, and the credits that they are to
 * the peer. Owned by the agent.
 */
final class FreeSlots {
    private final Scratch scratch;
    private final VerbsEndpoint endpoint;
    private final UnsafeBuffer memory;
    private final int slotCount;
    private final int localKey;
    private final int[] toPost;
    private int toPostCount;
    private int owed;
    private int peerCredits;

    FreeSlots(final Scratch scratch, final Link link, final UnsafeBuffer memory) {
        this.scratch = scratch;
        this.memory = memory;
        endpoint = link.endpoint();
        slotCount = link.slotCount();
        localKey = link.block().localKey();
        toPost = new int[slotCount];
        peerCredits = slotCount;
    }

    /** The peer has used a credit. */
    void onArrived() {
        peerCredits--;
    }

    /** A slot is done with. */
    void add(final int slot) {
        toPost[toPostCount++] = slot;
    }

    /** Whether there are slots to give to the device. */
    boolean isPostPending() {
        return toPostCount > 0;
    }

    /** Gives slots to the device. False when it refuses. */
    boolean post() {
        final ReceiveRequests requests = scratch.receives;
        boolean isTaken = true;
        while (toPostCount > 0) {
            final int count = Math.min(toPostCount, requests.capacity());
            for (int i = 0; i < count; i++) {
                final int slot = toPost[--toPostCount];
                final long address = memory.addressOffset() + (long) slot * Chunks.SLOT_LENGTH;
                requests.put(i, slot, address, Chunks.SLOT_LENGTH, localKey);
            }
            isTaken &= endpoint.postReceives(requests, count) == count;
            owed += count;
        }
        return isTaken;
    }

    /** Credits that the peer has not been notified of. */
    int owed() {
        return owed;
    }

    /** The peer is notified of all of them. */
    void onReturned() {
        peerCredits += owed;
        owed = 0;
    }

    /**
     * Whether the slots should be returned without waiting for something to send: they are many, or the peer has none.
     */
    boolean shouldReturn() {
        return owed >= slotCount / 2 || (peerCredits == 0 && owed > 0);
    }
}
