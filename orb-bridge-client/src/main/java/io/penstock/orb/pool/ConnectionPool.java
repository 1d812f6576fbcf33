package io.penstock.orb.pool;

import io.penstock.orb.chunk.ChunkConnection;
import io.penstock.orb.chunk.ChunkFrame;
import io.penstock.orb.chunk.ChunkHello;
import io.penstock.orb.chunk.ChunkStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The connections to one bridge. It begins with one. While calls find it in use another is made, up to one for so many
 * callers at once and the configured bound; what nobody needs is closed. Each call goes to the connection with the fewest.
 * Safe on any thread.
 */
final class ConnectionPool {
    private static final ChunkConnection[] NONE = {};
    private static final int WINDOW_LENGTH = 512 * 1024;
    private static final int STREAM_COUNT_MAX = 1 << 16;
    private static final int READ_TIMEOUT_MS_MAX = 1_000;
    private static final int DEADLINE_PARTS = 4;
    private static final long WARM_NS = TimeUnit.SECONDS.toNanos(1);

    private final String host;
    private final int port;
    private final PoolConfig config;
    private final PoolCounters counters;
    private final Runnable onConnected;
    private final ChunkHello own;
    private final Waits waits = new Waits();
    private final Object growing = new Object();
    private volatile ChunkConnection[] connections = NONE;
    private volatile boolean isGrowing;
    // Of the thread that looks after it.
    private int callerCountMax;
    private long neededNs = System.nanoTime();

    ConnectionPool(
            final String host,
            final int port,
            final PoolConfig config,
            final PoolCounters counters,
            final Runnable onConnected) {
        this.onConnected = onConnected;
        this.host = host;
        this.port = port;
        this.config = config;
        this.counters = counters;
        own = new ChunkHello(ChunkFrame.LENGTH_MAX, WINDOW_LENGTH, STREAM_COUNT_MAX, 0);
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
        final long nowNs = System.nanoTime();
        for (final ChunkConnection each : connections) {
            if (nowNs - each.heardNs() < WARM_NS && !each.isEnded()) {
                return true;
            }
        }
        return false;
    }

    boolean isUsed() {
        return connections.length > 0;
    }

    /** Makes the first connection, if there is none. */
    void prepare() throws IOException {
        final ChunkConnection[] known = connections;
        if (known.length == 0) {
            grow(known);
        }
    }

    /** A stream for a call. Makes a connection when there is none, or another one helps and there may be. */
    ChunkStream open() throws IOException {
        while (true) {
            final ChunkConnection[] known = connections;
            ChunkConnection least = null;
            int callerCount = 1;
            for (final ChunkConnection each : known) {
                callerCount += each.streamCount();
                if (least == null || each.streamCount() < least.streamCount()) {
                    least = each;
                }
            }
            if (least == null) {
                grow(known);
            } else {
                if (waits.areMany() && known.length < allowed(callerCount) && !isGrowing) {
                    grow(known);
                }
                final ChunkStream stream = least.open();
                if (stream != null) {
                    return stream;
                }
                replace(known, least);
            }
        }
    }

    /** Connections that so many callers at once may have. */
    private int allowed(final int callerCount) {
        final int part = (callerCount + config.callersPerConnection() - 1) / config.callersPerConnection();
        return Math.max(1, Math.min(part, config.connectionCountMax()));
    }

    /** One thread connects, unless another has done so meanwhile; others go on with what there is, if there is any. */
    private void grow(final ChunkConnection[] known) throws IOException {
        synchronized (growing) {
            if (!Arrays.equals(connections, known)) {
                return;
            }
            isGrowing = true;
            try {
                final ChunkConnection made = connect();
                final ChunkConnection[] more = Arrays.copyOf(connections, connections.length + 1);
                more[connections.length] = made;
                connections = more;
                waits.reset();
                onConnected.run();
            } finally {
                isGrowing = false;
            }
        }
    }

    /** One that takes no more is left out; it is an error when all are full and there may be no other. */
    private void replace(final ChunkConnection[] known, final ChunkConnection full) throws IOException {
        if (full.isEnded() || full.streamCount() == 0) {
            leaveOut(full);
        } else if (known.length < config.connectionCountMax()) {
            grow(known);
        } else {
            throw new IOException("pool: " + host + ":" + port + ": too many calls at once: " + known.length
                    + " connections are full (call with fewer threads, or allow more connections)");
        }
    }

    private void leaveOut(final ChunkConnection gone) {
        synchronized (growing) {
            final ChunkConnection[] known = connections;
            int count = 0;
            final ChunkConnection[] left = new ChunkConnection[known.length];
            for (final ChunkConnection each : known) {
                if (each != gone) {
                    left[count++] = each;
                }
            }
            connections = Arrays.copyOf(left, count);
        }
    }

    private ChunkConnection connect() throws IOException {
        final Socket socket = config.sockets().createSocket();
        boolean isDone = false;
        try {
            socket.connect(new InetSocketAddress(host, port), config.connectTimeoutMs());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(config.connectTimeoutMs());
            socket.getOutputStream().write(own.bytes());
            socket.getOutputStream().flush();
            final byte[] answer = new byte[ChunkHello.LENGTH];
            try {
                new DataInputStream(socket.getInputStream()).readFully(answer);
            } catch (final EOFException e) {
                throw new NotSharedException("pool: " + host + ":" + port
                        + ": takes no shared connections (is it a Penstock bridge of this release?)");
            }
            final ChunkHello peer = ChunkHello.read(answer, 0);
            socket.setSoTimeout(Math.max(1, Math.min(READ_TIMEOUT_MS_MAX, config.callTimeoutMs() / DEADLINE_PARTS)));
            final ChunkConnection made = new ChunkConnection(
                    socket.getInputStream(),
                    socket.getOutputStream(),
                    socket,
                    own,
                    peer,
                    true,
                    new Ending(),
                    counters.chunks());
            counters.onConnected();
            isDone = true;
            return made;
        } finally {
            if (!isDone) {
                socket.close();
            }
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
        final ChunkConnection[] known = connections;
        int callerCount = 0;
        for (final ChunkConnection each : known) {
            callerCount += each.streamCount();
            if (each.isStuck(nowNs, callNs)) {
                each.close();
            }
            if (each.isEnded()) {
                leaveOut(each);
            }
        }
        callerCountMax = Math.max(callerCountMax, callerCount);
        if (nowNs - neededNs > idleNs) {
            // What was needed at most since then is kept.
            shrink(connections, callerCountMax == 0 ? 0 : allowed(callerCountMax));
            callerCountMax = callerCount;
            neededNs = nowNs;
        }
        return connections.length > 0;
    }

    private void shrink(final ChunkConnection[] known, final int count) {
        for (int i = known.length - 1; i >= count; i--) {
            if (known[i].retire()) {
                leaveOut(known[i]);
                known[i].close();
            }
        }
    }

    void close() {
        for (final ChunkConnection each : connections) {
            leaveOut(each);
            each.close();
        }
    }

    /** Counts. */
    private final class Ending implements ChunkConnection.Listener {
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
        public void onEnd() {
            counters.onClosed();
        }
    }
}
