package io.penstock.bridge.rmi;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.bridge.service.TlsFailures;
import io.penstock.orb.chunk.SegmentPool;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.rmi.server.RMIServerSocketFactory;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Takes connections, as many as there may be, and closes further ones at once. It listens from the start, so that a free
 * port is known before anything is exported there; the runtime gets it as from a factory. To the runtime the lanes of shared
 * connections are connections, too, so a thread of its own waits for those that come from outside.
 */
final class CallerServerSocket extends ServerSocket implements RMIServerSocketFactory, Sharing {
    private static final int BACKLOG = 1024;

    /**
     * One in this many parts of the waiting bytes is reserved so that senders of long messages need not wait; the rest
     * is for other bytes.
     */
    private static final int EXTRA_PARTS = 4;

    /** Kept memory for shared connections, which counts for none of them. */
    private static final int KEPT_LENGTH_MAX = 16 * 1024 * 1024;

    private final BridgeConfig all;
    private final RmiConfig config;
    private final long callLengthMax;
    private final BridgeCounters counters;
    private final @Nullable TlsContexts tls;
    private final TlsFailures failures;
    private final Set<Handshake> handshakes = ConcurrentHashMap.newKeySet();
    private final Set<CallerSocket> open = ConcurrentHashMap.newKeySet();
    private final Set<SharedConnection> shared = ConcurrentHashMap.newKeySet();
    private final AtomicLong heldLength = new AtomicLong();
    private final SegmentPool segments = new SegmentPool(KEPT_LENGTH_MAX);
    private final BlockingQueue<Accepted> accepted = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(1);
    private final Thread acceptor = new Thread(this::acceptAll, "bridge-accept");
    // Used by the runtime's thread that accepts connections.
    private boolean isAccepting;

    /**
     * Listens.
     *
     * @param all      the configuration.
     * @param counters count connections.
     * @param tls      has the certificates; null = plain.
     */
    CallerServerSocket(final BridgeConfig all, final BridgeCounters counters, final @Nullable TlsContexts tls)
            throws IOException {
        super(all.rmi().port(), BACKLOG, InetAddress.getByName(all.rmi().address()));
        this.all = all;
        config = all.rmi();
        callLengthMax = CallFilter.lengthMax(all);
        this.counters = counters;
        this.tls = tls;
        failures = new TlsFailures(counters);
        acceptor.setDaemon(true);
    }

    @Override
    public ServerSocket createServerSocket(final int port) {
        return this;
    }

    @Override
    public Socket accept() throws IOException {
        if (!isAccepting) {
            isAccepting = true;
            acceptor.start();
        }
        final Accepted next;
        try {
            next = accepted.take();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SocketException("bridge.rmi: is closing");
        }
        if (!next.isLane()) {
            room.release();
        }
        final Socket socket = next.socket();
        if (socket == null) {
            throw new SocketException(next.reason());
        }
        return socket;
    }

    /** One connection at a time, so that none is taken that nobody serves. */
    private void acceptAll() {
        while (!isClosed()) {
            room.acquireUninterruptibly();
            Accepted next;
            try {
                next = new Accepted(acceptOne(), "", false);
            } catch (final IOException | RuntimeException | Error e) {
                // Or nobody would be accepted any more.
                next = new Accepted(null, String.valueOf(e.getMessage()), false);
            }
            accepted.add(next);
        }
    }

    private Socket acceptOne() throws IOException {
        while (true) {
            final Socket socket = new Socket();
            implAccept(socket);
            if (isFull()) {
                counters.add(BridgeCounter.CONNECTIONS_REFUSED, 1);
                socket.close();
                continue;
            }
            try {
                return tls == null ? taken(socket, socket, socket.getInputStream()) : encrypted(socket, tls);
            } catch (final IOException | RuntimeException e) {
                // It is gone already.
                socket.close();
            }
        }
    }

    private boolean isFull() {
        return open.size() >= config.connectionCountMax();
    }

    private Socket taken(final Socket raw, final Socket socket, final InputStream in) throws IOException {
        final CallerSocket[] made = new CallerSocket[1];
        final CallerSocket caller = new CallerSocket(
                raw,
                socket,
                in,
                config.idleTimeoutMs(),
                callLengthMax,
                () -> counters.add(BridgeCounter.ARGUMENTS_REFUSED, 1),
                this,
                () -> {
                    counters.add(BridgeCounter.CONNECTIONS_OPEN, -1);
                    open.remove(made[0]);
                });
        made[0] = caller;
        open.add(caller);
        counters.add(BridgeCounter.CONNECTIONS, 1);
        counters.add(BridgeCounter.CONNECTIONS_OPEN, 1);
        return caller;
    }

    @Override
    public void serve(final CallerSocket socket, final InputStream in, final OutputStream out, final byte[] head)
            throws IOException {
        final SharedConnection connection = new SharedConnection(all, this, socket, counters);
        shared.add(connection);
        counters.add(BridgeCounter.SHARED_CONNECTIONS_OPEN, 1);
        try {
            connection.serve(in, out, head);
        } finally {
            shared.remove(connection);
            counters.add(BridgeCounter.SHARED_CONNECTIONS_OPEN, -1);
        }
    }

    @Override
    public boolean open(final Lane lane) {
        if (isFull() || isClosed()) {
            return false;
        }
        try {
            accepted.add(new Accepted(taken(lane, lane, lane.getInputStream()), "", true));
            return true;
        } catch (final IOException e) {
            return false;
        }
    }

    @Override
    public boolean hold(final int length) {
        if (heldLength.addAndGet(length) > all.heldLengthMax() && length > 0) {
            heldLength.addAndGet(-length);
            return false;
        }
        return true;
    }

    @Override
    public boolean holdMore(final int length) {
        return heldLength.get() + length <= all.heldLengthMax() / EXTRA_PARTS && hold(length);
    }

    @Override
    public SegmentPool segments() {
        return segments;
    }

    /** The handshake is made by the first read, on the connection's own thread. */
    private Socket encrypted(final Socket socket, final TlsContexts contexts) throws IOException {
        final SSLSocket encrypted = contexts.serverSocket(socket);
        final Handshake handshake = new Handshake(socket, encrypted, contexts.handshakeTimeoutNs(), failures);
        handshakes.add(handshake);
        return taken(socket, encrypted, handshake);
    }

    @Override
    public void onTls(final CallerSocket socket) {
        failures.onFailed(
                socket.peer(),
                "speaks TLS, and this port does not (have the client connect without, or set bridge.rmi.tls)");
    }

    /** Closes connections whose clients neither send the rest nor take their answer. Waits for nobody. */
    void closeStuck(final long nowNs) {
        handshakes.removeIf(each -> each.closeIfLate(nowNs));
        for (final CallerSocket each : open) {
            if (each.isStuck(nowNs)) {
                each.abort();
            }
        }
        shared.forEach(each -> each.closeStuck(nowNs));
    }

    /** Whether messages are on their way to a client. */
    boolean isHandingOver() {
        // A lane that reads on may have left its answer to another thread, which writes it.
        return open.stream().anyMatch(CallerSocket::isHandingOver)
                || shared.stream().anyMatch(SharedConnection::isAnswering);
    }

    @Override
    public void close() throws IOException {
        super.close();
        accepted.add(new Accepted(null, "bridge.rmi: is closed", true));
        for (final CallerSocket each : open) {
            each.abort();
            each.close();
        }
    }

    /** The next connection for the runtime: a plain one, a lane of a shared one, or the reason why there is none. */
    private record Accepted(@Nullable Socket socket, String reason, boolean isLane) {}
}
