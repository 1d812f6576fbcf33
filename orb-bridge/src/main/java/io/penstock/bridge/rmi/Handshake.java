package io.penstock.bridge.rmi;

import io.penstock.bridge.service.TlsFailures;
import io.penstock.transport.tls.TlsReasons;
import java.io.FilterInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * What is read of an encrypted connection. Its first read makes the handshake, on the connection's own thread. Owned by
 * that, but for {@link #closeIfLate}.
 */
final class Handshake extends FilterInputStream {
    private final Socket raw;
    private final SSLSocket socket;
    private final long timeoutNs;
    private final long startNs;
    private final TlsFailures failures;
    private boolean isDone;
    private volatile boolean isOver;

    /**
     * A connection on which nothing was said yet.
     *
     * @param raw       the connection.
     * @param socket    TLS on it.
     * @param timeoutNs of the handshake.
     * @param failures  are notified when it fails.
     */
    Handshake(final Socket raw, final SSLSocket socket, final long timeoutNs, final TlsFailures failures)
            throws IOException {
        super(socket.getInputStream());
        this.raw = raw;
        this.socket = socket;
        this.timeoutNs = timeoutNs;
        this.failures = failures;
        startNs = System.nanoTime();
    }

    @Override
    public int read() throws IOException {
        begin();
        return super.read();
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException {
        begin();
        return super.read(bytes, offset, length);
    }

    private void begin() throws IOException {
        if (isDone) {
            return;
        }
        isDone = true;
        try {
            socket.startHandshake();
        } catch (final IOException e) {
            failures.onFailed(
                    "rmi://" + raw.getInetAddress().getHostAddress() + ":" + raw.getPort(),
                    isLate(System.nanoTime())
                            ? "the handshake was not done within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs)
                                    + " ms (is it a peer that speaks TLS? raise tls.handshakeTimeoutMs if it is only slow)"
                            : e instanceof SSLException
                                    ? TlsReasons.of(e)
                                    : "lost during the handshake: " + e.getMessage() + " (see the log of the peer)");
            throw e;
        } finally {
            isOver = true;
        }
    }

    private boolean isLate(final long nowNs) {
        return nowNs - startNs > timeoutNs;
    }

    /** Closes the connection when the handshake takes too long; any thread may ask. Returns whether it is over. */
    boolean closeIfLate(final long nowNs) {
        if (!isOver && isLate(nowNs)) {
            try {
                raw.close();
            } catch (final IOException e) {
                // Its thread will find it broken.
                return true;
            }
        }
        return isOver || raw.isClosed();
    }
}
