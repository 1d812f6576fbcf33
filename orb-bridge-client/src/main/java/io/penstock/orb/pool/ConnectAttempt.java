package io.penstock.orb.pool;

import io.penstock.orb.chunk.ChunkConnection;
import io.penstock.orb.chunk.ChunkCounters;
import io.penstock.orb.chunk.ChunkFrame;
import io.penstock.orb.chunk.ChunkHello;
import io.penstock.orb.chunk.ChunkListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** One try to connect. One thread makes it; others that need a connection wait for what comes of it. */
final class ConnectAttempt {
    private static final int WINDOW_LENGTH = 512 * 1024;
    private static final int STREAM_COUNT_MAX = 1 << 16;
    private static final int READ_TIMEOUT_MS_MAX = 1_000;
    private static final int DEADLINE_PARTS = 4;
    private static final ChunkHello OWN = new ChunkHello(ChunkFrame.LENGTH_MAX, WINDOW_LENGTH, STREAM_COUNT_MAX, 0);

    private final String host;
    private final int port;
    private final PoolConfig config;
    private final long deadlineNs;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile IOException failure;
    private volatile Socket raw;

    /**
     * A try that nobody makes yet.
     *
     * @param host       to connect to.
     * @param port       to connect to.
     * @param config     of the pool.
     * @param deadlineNs of {@link System#nanoTime()}.
     */
    ConnectAttempt(final String host, final int port, final PoolConfig config, final long deadlineNs) {
        this.host = host;
        this.port = port;
        this.config = config;
        this.deadlineNs = deadlineNs;
    }

    /** The socket to be connected. TLS is put on it later, so that it can be closed without TLS. */
    static Socket unconnected(final SocketFactory sockets) throws IOException {
        return sockets instanceof SSLSocketFactory ? new Socket() : sockets.createSocket();
    }

    /** The socket that is read and written: TLS on the connected one, or the connected one itself. */
    static Socket encrypted(final PoolConfig config, final Socket below, final String host, final int port)
            throws IOException {
        if (!(config.sockets() instanceof SSLSocketFactory)) {
            return below;
        }
        final SSLSocket socket =
                (SSLSocket) ((SSLSocketFactory) config.sockets()).createSocket(below, host, port, true);
        if (config.isHostChecked()) {
            final SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
        }
        return socket;
    }

    /** Connects, and says hello. */
    PooledConnection connect(final ChunkListener listener, final ChunkCounters counters) throws IOException {
        final SocketFactory sockets = config.sockets();
        final Socket below = unconnected(sockets);
        raw = below;
        boolean isDone = false;
        try {
            below.connect(new InetSocketAddress(host, port), remainingMs());
            below.setTcpNoDelay(true);
            final Socket socket = encrypted(config, below, host, port);
            socket.setSoTimeout(remainingMs());
            socket.getOutputStream().write(OWN.bytes());
            socket.getOutputStream().flush();
            final ChunkHello peer = ChunkHello.read(answer(socket), 0);
            final int readTimeoutMs =
                    Math.max(1, Math.min(READ_TIMEOUT_MS_MAX, config.callTimeoutMs() / DEADLINE_PARTS));
            socket.setSoTimeout(readTimeoutMs);
            final ChunkConnection chunks = new ChunkConnection(
                    socket.getInputStream(),
                    socket.getOutputStream(),
                    () -> PooledConnection.close(below),
                    OWN,
                    peer,
                    true,
                    listener,
                    counters);
            isDone = true;
            return new PooledConnection(chunks, socket, readTimeoutMs);
        } catch (final SocketException e) {
            // Closed because it is late.
            throw System.nanoTime() - deadlineNs > 0 ? timedOut() : e;
        } finally {
            if (!isDone) {
                PooledConnection.close(below);
            }
        }
    }

    private byte[] answer(final Socket socket) throws IOException {
        final byte[] answer = new byte[ChunkHello.LENGTH];
        final InputStream in = socket.getInputStream();
        int length = 0;
        while (length < answer.length) {
            socket.setSoTimeout(remainingMs());
            final int read = in.read(answer, length, answer.length - length);
            if (read < 0) {
                throw new NotSharedException("pool: " + host + ":" + port
                        + ": takes no shared connection (it is no Penstock bridge of this release, or it is full)");
            }
            length += read;
        }
        return answer;
    }

    private int remainingMs() throws SocketTimeoutException {
        final long remainingNs = deadlineNs - System.nanoTime();
        if (remainingNs <= 0) {
            throw timedOut();
        }
        return (int) Math.min(config.connectTimeoutMs(), TimeUnit.NANOSECONDS.toMillis(remainingNs) + 1);
    }

    private SocketTimeoutException timedOut() {
        return new SocketTimeoutException("pool: " + host + ":" + port
                + ": no connection in time (is the bridge there? or allow more time to connect)");
    }

    /** Ends a handshake that comes in bits. */
    void closeIfLate(final long nowNs) {
        final Socket known = raw;
        if (known != null && nowNs - deadlineNs > 0) {
            try {
                PooledConnection.close(known);
            } catch (final IOException e) {
                // The connecting thread will find it broken.
                return;
            }
        }
    }

    /**
     * It is over.
     *
     * @param reason why there is no connection; null when there is one.
     */
    void end(final IOException reason) {
        failure = reason;
        over.countDown();
    }

    /** Waits until it is over; throws what it has failed with. */
    void await(final long waitDeadlineNs) throws IOException {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    if (!over.await(waitDeadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        throw timedOut();
                    }
                    break;
                } catch (final InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        final IOException reason = failure;
        if (reason != null) {
            throw reason;
        }
    }
}
