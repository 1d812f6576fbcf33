package io.penstock.transport.rdma.shim;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Descriptors that one thread waits on, the first of which wakes it: an array of {@code struct pollfd}. Owned by that
 * thread, but for {@link #wakeup()}. Providers share it.
 */
public final class Descriptors {
    /** The most descriptors, with the one that wakes. */
    public static final int COUNT_MAX = 17;

    private static final int LENGTH = 8;
    private static final int EVENTS_OFFSET = 4;
    private static final int FOUND_OFFSET = 6;
    private static final short POLLIN = 1;

    /** The system passes over descriptors below 0. */
    private static final int IGNORED = -1;

    private final UnsafeBuffer polled =
            new UnsafeBuffer(ByteBuffer.allocateDirect(COUNT_MAX * LENGTH).order(ByteOrder.nativeOrder()));
    private final NativeAccess access;
    private final int signal;
    private int count;

    /**
     * Begins with the descriptor that wakes.
     *
     * @param access to wait with.
     * @throws IOException when the system has no descriptor left.
     */
    public Descriptors(final NativeAccess access) throws IOException {
        this.access = access;
        signal = access.signalOpen();
        if (signal < 0) {
            throw new IOException("rdma: nothing to be woken by: " + NativeErrors.text(access, signal));
        }
        add(signal);
    }

    /**
     * Adds one; at most {@link #COUNT_MAX}.
     *
     * @param descriptor whose owner closes it when nobody waits.
     */
    public void add(final int descriptor) {
        final int offset = count++ * LENGTH;
        polled.putInt(offset, descriptor);
        polled.putShort(offset + EVENTS_OFFSET, POLLIN);
        polled.putShort(offset + FOUND_OFFSET, (short) 0);
    }

    /**
     * How many there are.
     *
     * @return the number, with the one that wakes.
     */
    public int count() {
        return count;
    }

    /**
     * Waits until one can be read, until woken, or until the time is up.
     *
     * @param timeoutNs in nanoseconds; negative for no limit.
     * @return whether there is anything but a wake-up, which is done with.
     */
    public boolean await(final long timeoutNs) {
        int found = access.descriptorsWait(polled.addressOffset(), count, timeoutNs);
        if (found > 0 && isReady(0)) {
            access.signalClear(signal);
            found--;
        }
        return found > 0;
    }

    /**
     * Whether the last wait found one readable.
     *
     * @param index in the order in which they were added; 0 is the one that wakes.
     * @return whether it was.
     */
    public boolean isReady(final int index) {
        return polled.getShort(index * LENGTH + FOUND_OFFSET) != 0;
    }

    /** Takes what there is after a descriptor. */
    public interface Taker {
        /**
         * One could be read.
         *
         * @param index in the order in which they were added; never 0.
         * @return false when it is broken, and never to be waited on again.
         */
        boolean take(int index);
    }

    /**
     * Goes through those that the last wait found readable, but for the one that wakes. One that is broken, as when its
     * device was taken away, would end each wait at once; it is passed over from then on.
     *
     * @param taker called for each.
     */
    public void takeReady(final Taker taker) {
        for (int i = 1; i < count; i++) {
            if (isReady(i) && !taker.take(i)) {
                polled.putInt(i * LENGTH, IGNORED);
                polled.putShort(i * LENGTH + FOUND_OFFSET, (short) 0);
            }
        }
    }

    /** Ends the present or the next wait. Any thread. */
    public void wakeup() {
        access.signalSet(signal);
    }

    /** Closes the descriptor that wakes, and no other. */
    public void close() {
        access.descriptorClose(signal);
    }
}
