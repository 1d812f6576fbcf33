package io.penstock.transport.ipc;

import io.penstock.transport.SelectorLoop;
import java.io.IOException;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** The sockets of a transport whose bytes go by memory: looked at now and then. Owned by the agent of the transport. */
final class Sockets implements AutoCloseable {
    /** How often, in polls, an agent that never waits looks for peers that connect or disconnect. */
    private static final int LOOK_INTERVAL = 128;

    private final SelectorLoop loop;
    private final boolean areOwned;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private int pollsToLook;
    private long lookedNs;

    /** @param shared by all transports of the thread; null when this one has a loop of its own. */
    Sockets(final @Nullable SelectorLoop shared, final NanoClock clock, final ErrorHandler errorHandler)
            throws IOException {
        areOwned = shared == null;
        loop = shared == null ? new SelectorLoop() : shared;
        this.clock = clock;
        this.errorHandler = errorHandler;
    }

    /** The loop with which sockets are registered, and which is woken. */
    SelectorLoop loop() {
        return loop;
    }

    /** Whether no other transport waits for the same loop. */
    boolean areOwned() {
        return areOwned;
    }

    /** Whether a poll, which this counts, is to look. */
    boolean isLookDue() {
        if (--pollsToLook < 0) {
            pollsToLook = LOOK_INTERVAL;
            return true;
        }
        return false;
    }

    /** The next poll is to look. */
    void lookNextTime() {
        pollsToLook = 0;
    }

    /** Sees which sockets are ready. */
    void look() {
        lookedNs = clock.nanoTime();
        try {
            loop.poll();
        } catch (final IOException ex) {
            errorHandler.onError(ex);
        }
    }

    /** Time since the last look. */
    long sinceLookNs() {
        return clock.nanoTime() - lookedNs;
    }

    /** Waits for a socket that is ready, or to be woken. */
    void await(final long timeoutNs) {
        try {
            loop.await(timeoutNs);
        } catch (final IOException ex) {
            errorHandler.onError(ex);
        }
    }

    @Override
    public void close() {
        if (areOwned) {
            loop.close();
        } else {
            // Which lets go of the descriptors of channels that are closed.
            look();
        }
    }
}
