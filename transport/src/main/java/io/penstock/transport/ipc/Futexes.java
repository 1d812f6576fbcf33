package io.penstock.transport.ipc;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.WakeupFlag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An agent's wait for words in memory that it shares with its peers, and for one of its own. A waker writes 1 to the
 * word first, so that a wait which has not begun yet does not begin.
 *
 * <p>Owned by the agent; {@link #wakeup()} is for any thread.
 */
final class Futexes {
    /** Peers at most that an agent can wait for: a word is its own. */
    static final int PEER_COUNT_MAX = NativeAccess.FUTEX_WORDS_MAX - 1;

    /** The longest time without a look at the sockets: they do not end such a wait. */
    static final long WAIT_NS_MAX = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int AGAIN = -11;

    private final WakeupFlag wakeupFlag = new WakeupFlag();
    private final UnsafeBuffer addresses =
            new UnsafeBuffer(ByteBuffer.allocateDirect(NativeAccess.FUTEX_WORDS_MAX * Long.BYTES));
    private final UnsafeBuffer own = new UnsafeBuffer(ByteBuffer.allocateDirect(Long.BYTES));
    private final NativeAccess access;
    private int count;

    private Futexes(final NativeAccess access) {
        this.access = access;
        begin();
    }

    /** Throws when this system has none; the message says why. */
    static Futexes open() throws IOException {
        final NativeLibrary library = NativeLibrary.get();
        if (!library.isAvailable()) {
            throw new IOException(library.report() + " (use wait=socket)");
        }
        final Futexes futexes = new Futexes(library.access());
        futexes.own.putIntVolatile(0, 1);
        final int result = futexes.waitFor(0);
        if (result != AGAIN) {
            throw new IOException("futex_waitv: " + NativeErrors.text(library.access(), result)
                    + " (needs Linux 5.16 and a sandbox that permits it; or use wait=socket)");
        }
        return futexes;
    }

    /** Wakes the agent that waits for a word, which is 1 by now. */
    void wake(final UnsafeBuffer buffer, final int offset) {
        access.futexWake(buffer.addressOffset() + offset, 1, NativeAccess.FUTEX_SHARED);
    }

    /** Forgets all words but its own. */
    void begin() {
        addresses.putLong(0, own.addressOffset());
        count = 1;
    }

    /** One more to wait for, of at most {@link #PEER_COUNT_MAX}. */
    void add(final UnsafeBuffer buffer, final int offset) {
        addresses.putLong(count++ * Long.BYTES, buffer.addressOffset() + offset);
    }

    /** Waits until a word is not 0, or the time is up, or for no reason. */
    void await(final long timeoutNs) {
        own.putIntVolatile(0, 0);
        if (wakeupFlag.beginWait()) {
            waitFor(Math.min(timeoutNs, WAIT_NS_MAX));
        }
        wakeupFlag.endWait();
    }

    private int waitFor(final long timeoutNs) {
        return access.futexWaitAny(addresses.addressOffset(), count, timeoutNs);
    }

    /** Ends a present or the next wait. Any thread. */
    void wakeup() {
        if (wakeupFlag.wake()) {
            own.putIntVolatile(0, 1);
            wake(own, 0);
        }
    }
}
