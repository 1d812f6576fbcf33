package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.SendRequests;
import io.penstock.transport.rdma.verbs.VerbsEndpoint;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts chunks of one connection's memory into requests, and posts these. Some are signalled, so that their completion says
 * that those before are complete as well. Owned by the agent.
 */
final class SendPost {
    private final SendRequests requests;
    private final VerbsEndpoint endpoint;
    private final UnsafeBuffer memory;
    private final int localKey;
    private final int inlineLength;
    private final int signalInterval;
    private int unsignalledCount;
    private boolean isRefused;

    SendPost(final Scratch scratch, final Link link, final UnsafeBuffer memory) {
        requests = scratch.sends;
        endpoint = link.endpoint();
        this.memory = memory;
        localKey = link.block().localKey();
        inlineLength = endpoint.inlineLength();
        signalInterval = link.slotCount() / 4;
    }

    /** Most requests between two calls of {@link #post}. */
    int capacity() {
        return requests.capacity();
    }

    /** Those that are put together. */
    SendRequests requests() {
        return requests;
    }

    /** Puts a chunk, signalled when it is its turn. */
    void put(final int index, final long id, final int offset, final int length) {
        put(index, id, offset, length, isSignalled());
    }

    private boolean isSignalled() {
        unsignalledCount++;
        if (unsignalledCount < signalInterval) {
            return false;
        }
        unsignalledCount = 0;
        return true;
    }

    /** Puts a chunk with which memory goes that is needed until it is known to be sent. */
    void putSignalled(final int index, final long id, final int offset, final int length) {
        unsignalledCount = 0;
        requests.put(
                index,
                id,
                SendRequests.SEND,
                SendRequests.SIGNALLED,
                memory.addressOffset() + offset,
                length,
                localKey);
    }

    /** Puts a chunk alone, signalled. */
    void putAlone(final long id, final int offset, final int length) {
        unsignalledCount = 0;
        put(0, id, offset, length, true);
    }

    /** Puts a request of its own that sends nothing, and completes after all others. */
    void putNothing(final long id) {
        requests.put(0, id, SendRequests.WRITE, SendRequests.SIGNALLED, 0, 0, 0);
    }

    private void put(final int index, final long id, final int offset, final int length, final boolean isSignalled) {
        final int flags =
                (isSignalled ? SendRequests.SIGNALLED : 0) | (length <= inlineLength ? SendRequests.INLINE : 0);
        requests.put(index, id, SendRequests.SEND, flags, memory.addressOffset() + offset, length, localKey);
    }

    /** Posts so many requests. */
    void post(final int count) {
        isRefused |= endpoint.postSends(requests, count) != count;
    }

    /** Whether the device has refused a request that it had to have room for; it is broken then. */
    boolean isRefused() {
        return isRefused;
    }
}
