package io.penstock.bridge.rmi;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.orb.chunk.ChunkConnection;
import io.penstock.orb.chunk.ChunkStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The threads that serve the calls of one shared connection. A thread without a call reads the connection, takes the
 * first call that comes and serves it itself: no thread is woken for a single call. Another thread is woken, or made,
 * when calls wait and a processor may be free, or when the serving one has to wait. Safe on any thread. The
 * connection's lock is taken before that of the lanes, never while it is held.
 */
final class Lanes {
    /** An answer waits for that of a longer call no longer. */
    private static final int SHORT_LENGTH = 8 * 1024;

    private static final int DEFERRED_COUNT_MAX = 8;
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TOGETHER_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final int countMax;
    private final int runningCountMax;
    private final Predicate<Place> opener;
    private final Runnable onUnread;
    private final BridgeCounters counters;
    private @Nullable ChunkConnection connection;

    // Guarded by this.
    private final Deque<ChunkStream> calls = new ArrayDeque<>();
    private final Deque<Place> idle = new ArrayDeque<>();
    private final Set<Place> places = new HashSet<>();
    private int runningCount;
    private int longCount;
    private boolean isOver;
    private volatile boolean hasCalls;
    private final AtomicInteger deferredCount = new AtomicInteger();
    private volatile long togetherNs = System.nanoTime() - TOGETHER_NS;

    /**
     * None yet.
     *
     * @param countMax        most, besides those that wait for long.
     * @param runningCountMax as many as are worth waking for calls that do not wait.
     * @param opener          makes another; false when there may be none.
     * @param onUnread        has the connection read, because no lane can.
     * @param counters        count.
     */
    Lanes(
            final int countMax,
            final int runningCountMax,
            final Predicate<Place> opener,
            final Runnable onUnread,
            final BridgeCounters counters) {
        this.countMax = countMax;
        this.runningCountMax = runningCountMax;
        this.opener = opener;
        this.onUnread = onUnread;
        this.counters = counters;
    }

    /** Sets the connection whose calls they serve; called before any call comes. */
    void connection(final ChunkConnection newConnection) {
        connection = newConnection;
    }

    /**
     * A call begins, or a call goes on that no thread serves at present. Called by the reading thread, to have it
     * served.
     */
    void onCall(final ChunkStream stream, final int streamCount) {
        synchronized (this) {
            calls.add(stream);
            hasCalls = true;
        }
        if (streamCount > 1) {
            togetherNs = System.nanoTime();
        }
    }

    /** Whether an answer may wait for that of the next call, which is there already. */
    boolean mayDefer() {
        if (hasCalls && deferredCount.incrementAndGet() <= DEFERRED_COUNT_MAX) {
            return true;
        }
        deferredCount.set(0);
        return false;
    }

    /** Answers wait for others no longer. */
    void flush() {
        deferredCount.set(0);
        final ChunkConnection known = connection;
        if (known != null) {
            try {
                known.flush();
            } catch (final IOException e) {
                // It has ended, and says so.
                return;
            }
        }
    }

    /** Whether a lane is about to read. */
    synchronized boolean isRunning() {
        return runningCount > 0;
    }

    /** Whether calls are served, or wait. */
    synchronized boolean isBusy() {
        return runningCount > 0 || !calls.isEmpty() || places.stream().anyMatch(each -> each.isWaiting);
    }

    /** The next call; null when the lane is not needed any more. */
    @Nullable
    ChunkStream next(final Place place) {
        leave(place);
        long idleSinceNs = System.nanoTime();
        while (true) {
            final ChunkStream taken = take(place);
            if (taken == null || taken.available() > SHORT_LENGTH) {
                flush();
            }
            if (taken != null) {
                return taken;
            }
            try {
                if (isOver() || (!receive() && !idle(place, idleSinceNs))) {
                    return null;
                }
            } catch (final SocketTimeoutException e) {
                // It reads on, as long as nobody else does.
                idleSinceNs = System.nanoTime();
            } catch (final IOException e) {
                return null;
            }
        }
    }

    private synchronized void leave(final Place place) {
        place.thread = Thread.currentThread();
        if (place.isServing) {
            place.isServing = false;
            runningCount--;
            if (place.isLong) {
                place.isLong = false;
                longCount--;
            }
        }
    }

    private synchronized @Nullable ChunkStream take(final Place place) {
        ChunkStream taken = place.given;
        place.given = null;
        if (taken == null && !isOver) {
            taken = pollCall(place);
            if (taken != null && runningCount < runningCountMax) {
                wakeOne();
            }
        }
        return taken;
    }

    private @Nullable ChunkStream pollCall(final Place place) {
        final ChunkStream taken = calls.poll();
        hasCalls = !calls.isEmpty();
        if (taken != null) {
            taken.hold();
            place.isServing = true;
            place.sinceNs = System.nanoTime();
            runningCount++;
            counters.add(BridgeCounter.SHARED_CALLS, 1);
        }
        return taken;
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    private boolean receive() throws IOException {
        final ChunkConnection known = connection;
        return known != null && known.receive();
    }

    private boolean isUnread() {
        final ChunkConnection known = connection;
        return known != null && known.isUnread();
    }

    /** Waits, since another reads; false when it was idle for long. */
    private boolean idle(final Place place, final long sinceNs) {
        synchronized (this) {
            if (!calls.isEmpty() || isOver) {
                return true;
            }
            idle.push(place);
        }
        if (!isUnread()) {
            LockSupport.parkNanos(this, KEPT_NS);
        }
        return isWoken(place) || System.nanoTime() - sinceNs < KEPT_NS || isUnread();
    }

    private synchronized boolean isWoken(final Place place) {
        return !idle.remove(place);
    }

    /** Has another serve what waits, if it is worth it. */
    void serveOthers() {
        if (hasCalls) {
            synchronized (this) {
                if (runningCount < runningCountMax) {
                    wakeOne();
                }
            }
        }
    }

    /** Has another serve what waits: the calling one is in the middle of a call whose rest has not come. */
    void serveAnyway() {
        if (hasCalls) {
            synchronized (this) {
                wakeOne();
            }
        }
    }

    /** An idle lane takes the first call; or another lane is made. */
    private void wakeOne() {
        if (calls.isEmpty() || isOver) {
            return;
        }
        final Place woken = idle.poll();
        if (woken != null) {
            woken.given = pollCall(woken);
            LockSupport.unpark(woken.thread);
        } else {
            open();
        }
    }

    private boolean open() {
        if (isOver || places.size() - longCount >= countMax) {
            return false;
        }
        final Place place = new Place();
        places.add(place);
        counters.add(BridgeCounter.LANES_OPEN, 1);
        if (!opener.test(place)) {
            remove(place);
            return false;
        }
        return true;
    }

    private void remove(final Place place) {
        if (places.remove(place)) {
            counters.add(BridgeCounter.LANES_OPEN, -1);
        }
    }

    /** The lane's call waits: others need another lane, and somebody has to read. */
    void beginWait(final Place place, final boolean isLong) {
        synchronized (this) {
            if (!place.isServing || place.isWaiting) {
                return;
            }
            place.isWaiting = true;
            runningCount--;
            if (isLong && !place.isLong) {
                place.isLong = true;
                longCount++;
            }
            if (!calls.isEmpty()) {
                wakeOne();
            }
        }
        flush();
        if ((isLong || System.nanoTime() - togetherNs < TOGETHER_NS) && isUnread()) {
            read();
        }
    }

    private void read() {
        final Place woken;
        synchronized (this) {
            woken = idle.poll();
        }
        if (woken != null) {
            LockSupport.unpark(woken.thread);
        } else {
            onUnread.run();
        }
    }

    synchronized void endWait(final Place place) {
        if (place.isWaiting) {
            place.isWaiting = false;
            runningCount++;
        }
    }

    /** Those that serve for long do not count towards the bound any more; what waits is served by others. */
    void lookAfter(final long nowNs) {
        if (!isUnread()) {
            // While a thread reads: the writing thread may have to wait until the other side reads.
            flush();
        }
        synchronized (this) {
            for (final Place each : places) {
                if (each.isServing && !each.isLong && nowNs - each.sinceNs > LONG_NS) {
                    each.isLong = true;
                    longCount++;
                }
            }
            if (!calls.isEmpty() && (runningCount == 0 || longCount > 0)) {
                wakeOne();
            }
        }
    }

    /** A lane has ended. */
    void end(final Place place) {
        synchronized (this) {
            if (place.isWaiting) {
                endWait(place);
            }
            leave(place);
            idle.remove(place);
            remove(place);
            final ChunkStream given = place.given;
            if (given != null) {
                place.given = null;
                calls.addFirst(given);
                hasCalls = true;
            }
            wakeOne();
        }
        flush();
        onUnread.run();
    }

    /** All lanes end when they have served. */
    synchronized void close() {
        isOver = true;
        calls.clear();
        hasCalls = false;
        idle.forEach(each -> LockSupport.unpark(each.thread));
        idle.clear();
    }

    /** The state of a lane; guarded by the lanes. */
    static final class Place {
        private @Nullable Thread thread;
        private @Nullable ChunkStream given;
        private boolean isServing;
        private boolean isWaiting;
        private boolean isLong;
        private long sinceNs;
    }
}
