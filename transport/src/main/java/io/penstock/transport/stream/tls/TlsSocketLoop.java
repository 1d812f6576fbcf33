package io.penstock.transport.stream.tls;

import io.penstock.transport.TransportCounters;
import io.penstock.transport.stream.Chunk;
import io.penstock.transport.stream.ChunkPool;
import io.penstock.transport.stream.ListenSocket;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamSocket;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.agrona.BufferUtil;
import org.agrona.concurrent.NanoClock;

/**
 * Readiness of sockets that speak TLS over those of another loop. Peers that connect are accepted when their handshake is
 * done; a socket that connects is there when the medium has connected, and takes nothing until its handshake is done.
 *
 * <p>Owned by the agent of the transport; only {@link #wakeup()} may be called by others.
 */
public final class TlsSocketLoop implements SocketLoop {
    /** Steps of handshakes for each poll: more of them wait, so that connections that are there are served meanwhile. */
    private static final int STEP_LIMIT = 4;

    /** Handshakes that are given up for each poll, for the same reason. */
    private static final int EXPIRE_LIMIT = 8;

    private final SocketLoop medium;
    private final TlsContexts contexts;
    private final TransportCounters counters;
    private final HandshakeListener listener;
    private final NanoClock clock;
    private final Handshakes handshakes;
    private final ChunkPool pool = new ChunkPool();

    /** Through which each connection in turn is read. */
    private final Chunk received = new Chunk(128 * 1024);

    /** Where handshakes put the bytes that they must not have. */
    private final Chunk scratch = new Chunk(32 * 1024);

    private final ArrayDeque<TlsListenSocket> waiting = new ArrayDeque<>();

    private final ArrayDeque<TlsStreamSocket> active = new ArrayDeque<>();

    /** Written by the threads that compute for handshakes; each handshake is in it once at most. */
    private final Queue<TlsStreamSocket> computed = new ConcurrentLinkedQueue<>();

    private long nextDeadlineNs;

    /**
     * A loop without sockets.
     *
     * @param medium         whose sockets are used; closed with this.
     * @param contexts       of certificates.
     * @param counters       of the transport.
     * @param listener       hears of peers that were refused.
     * @param clock          for deadlines.
     * @param handshakeLimit the most handshakes at once; further peers wait to be accepted. A quarter of them may be of one
     *                       address; beyond that the oldest of it is given up for each new one.
     */
    public TlsSocketLoop(
            final SocketLoop medium,
            final TlsContexts contexts,
            final TransportCounters counters,
            final HandshakeListener listener,
            final NanoClock clock,
            final int handshakeLimit) {
        this.medium = medium;
        this.contexts = contexts;
        this.counters = counters;
        this.listener = listener;
        this.clock = clock;
        handshakes = new Handshakes(handshakeLimit);
    }

    @Override
    public ListenSocket listen(final InetSocketAddress address) throws IOException {
        return new TlsListenSocket(this, medium.listen(address));
    }

    @Override
    public StreamSocket connect(final InetSocketAddress address) throws IOException {
        return TlsStreamSocket.connecting(this, medium.connect(address), address);
    }

    @Override
    public void poll() throws IOException {
        medium.poll();
        work();
    }

    @Override
    public void await(final long timeoutNs) throws IOException {
        if (active.isEmpty() && computed.isEmpty()) {
            medium.await(handshakes.isEmpty() ? timeoutNs : Math.min(timeoutNs, untilDeadlineNs()));
        } else {
            medium.poll();
        }
        work();
    }

    private long untilDeadlineNs() {
        return Math.max(1, nextDeadlineNs - clock.nanoTime());
    }

    private void work() {
        TlsStreamSocket next = computed.poll();
        while (next != null) {
            next.onComputed();
            next = computed.poll();
        }
        for (int i = Math.min(STEP_LIMIT, active.size()); i > 0; i--) {
            active.removeFirst().advance();
        }
        if (!active.isEmpty()) {
            // Whoever waits for this loop together with others must not wait now.
            medium.wakeup();
        }
        if (!handshakes.isEmpty() && clock.nanoTime() - nextDeadlineNs >= 0) {
            expire();
        }
    }

    private void expire() {
        final long nowNs = clock.nanoTime();
        for (int i = 0; i < EXPIRE_LIMIT && !handshakes.isEmpty(); i++) {
            final TlsStreamSocket oldest = handshakes.first();
            if (nowNs - oldest.deadlineNs() < 0) {
                nextDeadlineNs = oldest.deadlineNs();
                return;
            }
            oldest.onOverdue();
        }
        if (!handshakes.isEmpty()) {
            nextDeadlineNs = handshakes.first().deadlineNs();
            if (nowNs - nextDeadlineNs >= 0) {
                // The others have their turn at the next poll, which nobody must wait for.
                medium.wakeup();
            }
        }
    }

    /** A handshake begins. */
    void onStart(final TlsStreamSocket socket) {
        if (handshakes.isEmpty()) {
            nextDeadlineNs = socket.deadlineNs();
        }
        handshakes.add(socket);
    }

    /** A peer has connected: the oldest handshake of its address makes room for it, if there are too many. */
    void makeRoom(final InetAddress address) {
        final TlsStreamSocket oldest = handshakes.inTheWay(address);
        if (oldest != null) {
            oldest.onCrowdedOut(handshakes.addressCountMax());
        }
    }

    /** A handshake can go on. */
    void activate(final TlsStreamSocket socket) {
        active.addLast(socket);
    }

    /** Computes what takes long, elsewhere; {@link TlsStreamSocket#onComputed()} follows, unless this fails. */
    boolean compute(final TlsStreamSocket socket, final Runnable task) {
        try {
            contexts.tasks().execute(() -> {
                try {
                    task.run();
                } finally {
                    computed.add(socket);
                    medium.wakeup();
                }
            });
            return true;
        } catch (final RejectedExecutionException e) {
            return false;
        }
    }

    /** A handshake is over, well or not. */
    void onEnd(final TlsStreamSocket socket) {
        handshakes.remove(socket);
        // Room is for all that wait for it, whoever had the handshake.
        while (!waiting.isEmpty() && !isFull()) {
            waiting.removeFirst().onRoom();
        }
    }

    /** A listener accepts no peer, until there is room for a handshake. */
    void onWaiting(final TlsListenSocket listener) {
        waiting.addLast(listener);
    }

    boolean isFull() {
        return handshakes.isFull();
    }

    long newDeadlineNs() {
        return clock.nanoTime() + contexts.handshakeTimeoutNs();
    }

    TlsContexts contexts() {
        return contexts;
    }

    TransportCounters counters() {
        return counters;
    }

    HandshakeListener listener() {
        return listener;
    }

    NanoClock clock() {
        return clock;
    }

    ChunkPool pool() {
        return pool;
    }

    Chunk received() {
        return received;
    }

    Chunk scratch() {
        return scratch;
    }

    @Override
    public void wakeup() {
        medium.wakeup();
    }

    @Override
    public void close() {
        for (final TlsStreamSocket socket : handshakes.toArray()) {
            socket.close();
        }
        medium.close();
        pool.close();
        BufferUtil.free(received.memory());
        BufferUtil.free(scratch.memory());
    }
}
