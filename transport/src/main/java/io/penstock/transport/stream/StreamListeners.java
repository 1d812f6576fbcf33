package io.penstock.transport.stream;

import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/** The listeners of a transport, and the pauses of those that could not accept. Owned by the agent of the transport. */
final class StreamListeners implements AutoCloseable {
    /** For each poll and listener: who connects very often keeps those that are connected waiting no longer than that. */
    private static final int ACCEPT_LIMIT = 8;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ArrayList<StreamListener> listeners = new ArrayList<>();
    private final NanoClock clock;
    private boolean isAnyPaused;

    StreamListeners(final NanoClock clock) {
        this.clock = clock;
    }

    void add(final StreamListener listener) {
        listeners.add(listener);
    }

    /** Accepts connections of all that are ready, up to a limit each. Returns the work done. */
    int accept() {
        if (isAnyPaused) {
            resume();
        }
        int workCount = 0;
        for (int i = 0; i < listeners.size(); i++) {
            workCount += listeners.get(i).accept(ACCEPT_LIMIT);
        }
        return workCount;
    }

    private void resume() {
        final long nowNs = clock.nanoTime();
        boolean isAnyLeft = false;
        for (final StreamListener listener : listeners) {
            if (listener.isPaused()) {
                listener.resumeWhenDue(nowNs);
                isAnyLeft |= listener.isPaused();
            }
        }
        isAnyPaused = isAnyLeft;
    }

    /** Has one accept nothing for some time. */
    void pause(final StreamListener listener) {
        listener.pauseUntil(clock.nanoTime() + PAUSE_NS);
        isAnyPaused = true;
    }

    /** The longest wait, in nanoseconds, after which none is paused too long. */
    long waitNs(final long timeoutNs) {
        return isAnyPaused ? Math.min(timeoutNs, PAUSE_NS) : timeoutNs;
    }

    boolean isAnyReady() {
        for (int i = 0, size = listeners.size(); i < size; i++) {
            if (listeners.get(i).isReady()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        listeners.forEach(StreamListener::close);
        listeners.clear();
    }
}
