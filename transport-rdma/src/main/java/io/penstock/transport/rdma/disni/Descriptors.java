package io.penstock.transport.rdma.disni;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Descriptors that one thread waits on, the first of which wakes it. Owned by that thread, but for {@link #wakeup()}. */
final class Descriptors {
    static final int COUNT_MAX = 17;

    private static final int LENGTH = 8;
    private static final int EVENTS_OFFSET = 4;
    private static final int FOUND_OFFSET = 6;
    private static final short POLLIN = 1;

    private final UnsafeBuffer polled =
            new UnsafeBuffer(ByteBuffer.allocateDirect(COUNT_MAX * LENGTH).order(ByteOrder.nativeOrder()));
    private final NativeAccess access;
    private final int signal;
    private int count;

    Descriptors(final NativeAccess access) throws IOException {
        this.access = access;
        signal = access.signalOpen();
        if (signal < 0) {
            throw new IOException("rdma: nothing to be woken by: " + NativeErrors.text(access, signal));
        }
        add(signal);
    }

    void add(final int descriptor) {
        final int offset = count++ * LENGTH;
        polled.putInt(offset, descriptor);
        polled.putShort(offset + EVENTS_OFFSET, POLLIN);
        polled.putShort(offset + FOUND_OFFSET, (short) 0);
    }

    int count() {
        return count;
    }

    void await(final long timeoutNs) {
        final int found = access.descriptorsWait(polled.addressOffset(), count, timeoutNs);
        if (found > 0 && polled.getShort(FOUND_OFFSET) != 0) {
            access.signalClear(signal);
        }
    }

    void wakeup() {
        access.signalSet(signal);
    }

    void close() {
        access.descriptorClose(signal);
    }
}
