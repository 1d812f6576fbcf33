package io.penstock.orb.pool;

import io.penstock.orb.chunk.ChunkListener;
import io.penstock.orb.chunk.ChunkStream;
import io.penstock.orb.chunk.SegmentPool;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The connections to one bridge. It begins with one. While calls find it in use another is made beside them, up to one for so
 * many callers at once and the configured bound; what nobody needs is closed. Each call goes to the connection with the
 * fewest. Safe on any thread.
 */
final class ConnectionPool {
    /** Most memory that is kept for frames and received bytes, in bytes. */
    private static final int KEPT_LENGTH_MAX = 16 * 1024 * 1024;

    private static final PooledConnection[] NONE = {};
    private static final long WARM_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PLAIN_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long HOLD_OFF_NS = TimeUnit.SECONDS.toNanos(5);

    private final String host;
    private final int port;
    private final PoolConfig config;
    private final PoolCounters counters;
    private final Runnable onConnecting;
    private final Waits waits = new Waits();
    private final SegmentPool segments = new SegmentPool(KEPT_LENGTH_MAX);
    private final Object lock = new Object();
    // Changed with the lock, which nobody holds while it connects.
    private volatile PooledConnection[] connections = NONE;
    private volatile ConnectAttempt attempt;
    private volatile long growNs = System.nanoTime();
    private volatile boolean isBridge;
    private volatile long plainNs = System.nanoTime();
    // Of the thread that looks after it.
    private int callerCountMax;
    private long neededNs = System.nanoTime();

    ConnectionPool(
            final String host,
            final int port,
            final PoolConfig config,
            final PoolCounters counters,
            final Runnable onConnecting) {
        this.onConnecting = onConnecting;
        this.host = host;
        this.port = port;
        this.config = config;
        this.counters = counters;
    }

    PoolCounters counters() {
        return counters;
    }

    PoolConfig config() {
        return config;
    }

    void onSent(final boolean isWaiting) {
        waits.onSent(isWaiting);
    }

    /** Whether something was heard from the bridge a moment ago. */
    boolean isWarm() {
        final long sinceNs = System.nanoTime() - WARM_NS;
        for (final PooledConnection each : connections) {
            if (each.isHeardSince(sinceNs)) {
                return true;
            }
        }
        return false;
    }

    boolean isUsed() {
        return connections.length > 0 || attempt != null;
    }

    /** Whether there was a connection once: the host is a bridge, even when it takes none at present. */
    boolean isBridge() {
        return isBridge;
    }

    /** Whether the host takes no shared connections, as far as is known. */
    boolean isPlain() {
        return System.nanoTime() - plainNs < 0;
    }

    /** The host takes none; it is asked again later. */
    void plain() {
        plainNs = System.nanoTime() + PLAIN_NS;
    }

    /** Makes the first connection, if there is none. */
    void prepare() throws IOException {
        final PooledConnection[] known = connections;
        if (known.length == 0) {
            connect(known, ownDeadlineNs());
        }
    }

    private long ownDeadlineNs() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.connectTimeoutMs());
    }

    /**
     * A stream for a call. Waits for a connection only when there is none with room.
     *
     * @param deadlineNs of the call.
     */
    ChunkStream open(final long deadlineNs) throws IOException {
        while (true) {
            final PooledConnection[] known = connections;
            PooledConnection least = null;
            int callerCount = 1;
            for (final PooledConnection each : known) {
                callerCount += each.streamCount();
                if (!each.isEnded() && (least == null || each.streamCount() < least.streamCount())) {
                    least = each;
                }
            }
            if (least == null) {
                connect(known, deadlineNs);
                continue;
            }
            if (waits.areMany() && known.length < allowed(callerCount)) {
                growBeside(known);
            }
            final ChunkStream stream = least.open();
            if (stream != null) {
                return stream;
            }
            replace(known, least, deadlineNs);
        }
    }

    /** Connections that so many callers at once may have. */
    private int allowed(final int callerCount) {
        final int part = (callerCount + config.callersPerConnection() - 1) / config.callersPerConnection();
        return Math.max(1, Math.min(part, config.connectionCountMax()));
    }

    /** Connects, or waits for the thread that does so already: what it gets all get, also when it fails. */
    private void connect(final PooledConnection[] known, final long deadlineNs) throws IOException {
        final ConnectAttempt mine = attempt(deadlineNs);
        final ConnectAttempt other;
        synchronized (lock) {
            if (!Arrays.equals(connections, known)) {
                return;
            }
            other = attempt;
            if (other == null) {
                attempt = mine;
            }
        }
        if (other == null) {
            make(mine);
        }
        (other == null ? mine : other).await(deadlineNs);
    }

    private ConnectAttempt attempt(final long deadlineNs) {
        final long ownNs = ownDeadlineNs();
        return new ConnectAttempt(host, port, config, deadlineNs - ownNs < 0 ? deadlineNs : ownNs);
    }

    private void make(final ConnectAttempt mine) {
        PooledConnection made = null;
        IOException failure = null;
        try {
            onConnecting.run();
            made = mine.connect(new Ending(), counters.chunks());
        } catch (final IOException e) {
            failure = e;
        } catch (final RuntimeException | Error e) {
            failure = new IOException("pool: " + host + ":" + port + ": cannot connect: " + e, e);
        } finally {
            synchronized (lock) {
                if (made != null) {
                    counters.onConnected();
                    isBridge = true;
                    connections = Arrays.copyOf(connections, connections.length + 1);
                    connections[connections.length - 1] = made;
                } else {
                    growNs = System.nanoTime() + HOLD_OFF_NS;
                }
                attempt = null;
            }
            waits.reset();
            mine.end(failure);
        }
    }

    /** Another connection, for those that come later; when there can be none they go on with what there is. */
    private void growBeside(final PooledConnection[] known) {
        if (attempt != null || System.nanoTime() - growNs < 0) {
            return;
        }
        final ConnectAttempt mine = attempt(ownDeadlineNs());
        synchronized (lock) {
            if (attempt != null || !Arrays.equals(connections, known)) {
                return;
            }
            attempt = mine;
        }
        final Thread thread = new Thread(() -> make(mine), "penstock-pool-connect");
        thread.setDaemon(true);
        boolean isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                attempt = null;
                mine.end(new IOException("pool: no thread to connect with"));
            }
        }
    }

    /** One that takes no more is left out; it is an error when all are full and there may be no other. */
    private void replace(final PooledConnection[] known, final PooledConnection full, final long deadlineNs)
            throws IOException {
        if (full.isEnded() || full.retire()) {
            leaveOut(full);
            full.close();
        } else if (known.length < config.connectionCountMax()) {
            connect(known, deadlineNs);
        } else {
            throw new IOException("pool: " + host + ":" + port + ": too many calls at once: " + known.length
                    + " connections are full (call with fewer threads, or allow more connections)");
        }
    }

    private void leaveOut(final PooledConnection gone) {
        synchronized (lock) {
            final PooledConnection[] known = connections;
            int count = 0;
            final PooledConnection[] left = new PooledConnection[known.length];
            for (final PooledConnection each : known) {
                if (each != gone) {
                    left[count++] = each;
                }
            }
            connections = Arrays.copyOf(left, count);
        }
    }

    /**
     * Closes what nobody needs, and what hangs.
     *
     * @return whether there are connections left.
     */
    boolean lookAfter(final long nowNs) {
        final long idleNs = TimeUnit.MILLISECONDS.toNanos(config.idleTimeoutMs());
        final long callNs = TimeUnit.MILLISECONDS.toNanos(config.callTimeoutMs());
        final ConnectAttempt trying = attempt;
        if (trying != null) {
            trying.closeIfLate(nowNs);
        }
        int callerCount = 0;
        for (final PooledConnection each : connections) {
            callerCount += each.streamCount();
            if (each.isStuck(nowNs, callNs) || (each.isIdleForLong(nowNs) && each.retire())) {
                each.close();
            }
            each.probe();
            if (each.isEnded()) {
                leaveOut(each);
            }
        }
        callerCountMax = Math.max(callerCountMax, callerCount);
        if (nowNs - neededNs > idleNs) {
            // As many connections are kept as were needed at most since then.
            shrink(connections, callerCountMax == 0 ? 0 : allowed(callerCountMax));
            callerCountMax = callerCount;
            neededNs = nowNs;
        }
        return isUsed();
    }

    private void shrink(final PooledConnection[] known, final int count) {
        for (int i = known.length - 1; i >= count; i--) {
            if (known[i].retire()) {
                leaveOut(known[i]);
                known[i].close();
            }
        }
    }

    void close() {
        for (final PooledConnection each : connections) {
            leaveOut(each);
            each.close();
        }
    }

    /** Counts. */
    private final class Ending implements ChunkListener {
        @Override
        public void onBytes(final ChunkStream stream) {
            // Streams here are held from the beginning.
        }

        @Override
        public void onReadOn() {
            // Others that wait are woken one by one.
        }

        @Override
        public boolean hold(final int length) {
            return true;
        }

        @Override
        public boolean holdMore(final int length) {
            return true;
        }

        @Override
        public SegmentPool segments() {
            return segments;
        }

        @Override
        public void onEnd() {
            counters.onClosed();
        }
    }
}
