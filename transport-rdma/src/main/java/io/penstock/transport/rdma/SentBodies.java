package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.SendRequests;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/**
 * Bodies that are sent from where they are: at most one for each slot of a {@link SendRing}, after the slot's own bytes.
 * Owned by the agent.
 */
final class SentBodies {
    /** Longest wait for bodies at the end of a connection; it takes the network much less. */
    static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final BodyKeys keys;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] localKeys;

    /** Positions of the connection before the record of each body. */
    private final long[] positions;

    /** No slot before it has a body that is not known to be sent. */
    private long first;

    SentBodies(final BodyKeys keys, final int slotCount) {
        this.keys = keys;
        addresses = new long[slotCount];
        lengths = new int[slotCount];
        localKeys = new int[slotCount];
        positions = new long[slotCount];
    }

    /** Notes the body of a slot. Returns false when its memory is not registered. */
    boolean put(final long number, final DirectBuffer body, final int offset, final int length, final long position) {
        final int found = keys.find(body, offset, length);
        if (found < 0) {
            return false;
        }
        final int index = index(number);
        addresses[index] = body.addressOffset() + offset;
        lengths[index] = length;
        localKeys[index] = keys.key(found);
        positions[index] = position;
        return true;
    }

    private int index(final long number) {
        return (int) (number % lengths.length);
    }

    /** How long the body of a slot is that was not completed; 0 when it has none. */
    int length(final long number) {
        return lengths[index(number)];
    }

    /** Adds the body of a slot to the request that sends the slot. */
    void fill(final SendRequests requests, final int request, final long number) {
        final int index = index(number);
        requests.putSecond(request, addresses[index], lengths[index], localKeys[index]);
    }

    /** Slots before a number are sent, and are used again without a body. */
    void onCompleted(final long completed) {
        while (first < completed) {
            lengths[index(first)] = 0;
            first++;
        }
    }

    /** Where the first body begins that is not known to be sent, in slots before a number; else a position after them. */
    long completedPosition(final long sealed, final long position) {
        while (first < sealed && lengths[index(first)] == 0) {
            first++;
        }
        return first < sealed ? positions[index(first)] : position;
    }
}
