package io.penstock.transport.rdma.shim;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bells that queues of completions ring, one for each device, and the queues that have rung. Bells and slots are added
 * and removed by the control thread, each time in a new array; the agent reads the arrays and waits.
 */
final class Bells implements Descriptors.Taker {
    private static final int RING_COUNT = 64;
    private static final int SLOT_COUNT_MIN = 16;

    private final UnsafeBuffer rings =
            new UnsafeBuffer(ByteBuffer.allocateDirect(RING_COUNT * Long.BYTES).order(ByteOrder.nativeOrder()));
    private final NativeAccess access;
    private final Descriptors descriptors;
    private volatile Bell[] bells = {};
    private volatile @Nullable ShimEndpoint[] slots = new ShimEndpoint[SLOT_COUNT_MIN];

    private record Bell(ShimDevice device, long address) {}

    Bells(final NativeAccess access) throws IOException {
        this.access = access;
        descriptors = new Descriptors(access);
    }

    /** The bell for queues of a device. Control. */
    long of(final ShimDevice device) throws IOException {
        for (final Bell bell : bells) {
            if (bell.device() == device) {
                return bell.address();
            }
        }
        if (bells.length + 1 == Descriptors.COUNT_MAX) {
            throw new IOException("rdma: too many devices: " + bells.length + " (listen on fewer addresses)");
        }
        final long address = access.rdmaBellOpen(device.address());
        if (address < 0) {
            throw new IOException("rdma: no completion channel: " + NativeErrors.text(access, address));
        }
        final Bell[] more = Arrays.copyOf(bells, bells.length + 1);
        more[bells.length] = new Bell(device, address);
        bells = more;
        wakeup();
        return address;
    }

    /** A number that stands for an endpoint in its queue. Control. */
    int take(final ShimEndpoint endpoint) {
        int slot = 0;
        while (slot < slots.length && slots[slot] != null) {
            slot++;
        }
        put(slot, endpoint);
        return slot;
    }

    /** The next owner of the number may get one ring too many, which does no harm. Control. */
    void giveBack(final int slot) {
        put(slot, null);
    }

    private void put(final int slot, final @Nullable ShimEndpoint endpoint) {
        final @Nullable ShimEndpoint[] copy =
                Arrays.copyOf(slots, Math.max(slots.length, Integer.highestOneBit(slot) * 2));
        copy[slot] = endpoint;
        slots = copy;
    }

    /** Agent. */
    void await(final long timeoutNs) {
        final Bell[] now = bells;
        while (descriptors.count() <= now.length) {
            descriptors.add(access.rdmaBellDescriptor(now[descriptors.count() - 1].address()));
        }
        if (descriptors.await(timeoutNs)) {
            descriptors.takeReady(this);
        }
    }

    /** When a bell is broken, its connections learn it by events of their own. Agent. */
    @Override
    public boolean take(final int index) {
        final long bell = bells[index - 1].address();
        int count;
        do {
            count = access.rdmaBellTake(bell, rings.addressOffset(), RING_COUNT);
            final @Nullable ShimEndpoint[] now = slots;
            for (int i = 0; i < count; i++) {
                final int slot = (int) rings.getLong(i * Long.BYTES);
                final ShimEndpoint endpoint = slot < now.length ? now[slot] : null;
                if (endpoint != null) {
                    endpoint.onRing();
                }
            }
        } while (count == RING_COUNT);
        return count >= 0;
    }

    void wakeup() {
        descriptors.wakeup();
    }

    void close() {
        for (final Bell bell : bells) {
            access.rdmaBellClose(bell.address());
        }
        descriptors.close();
    }
}
