package io.penstock.bridge.rmi;

import io.penstock.transport.PeerIdentity;
import io.penstock.transport.tls.TlsIdentity;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client, as the RMI runtime sees it: without an address, so that the runtime's registry takes no
 * client for a program of this machine that may change it. {@link #current()} returns the socket from which a thread
 * reads.
 */
final class CallerSocket extends Socket {
    private static final ThreadLocal<@Nullable CallerSocket> CURRENT = new ThreadLocal<>();

    private final Socket raw;
    private final Socket socket;
    private final int idleTimeoutMs;
    private final Runnable onClose;
    private final CallerInput input;
    private final OutputStream output;
    private final Sharing sharing;
    // The lane of a shared connection; null for a plain connection.
    private final @Nullable Lane lane;
    private volatile boolean isAtSystem;
    private volatile long atSystemSinceNs;
    private volatile boolean isHandingOver;
    private boolean isClosed;

    /**
     * Takes a connection.
     *
     * @param raw           the connection.
     * @param socket        what is read and written instead of it: itself, or TLS on it.
     * @param in            what is read of that.
     * @param idleTimeoutMs longest wait for the client.
     * @param callLengthMax of one call, in bytes.
     * @param onTooLong     notified when a call is longer; it is closed then.
     * @param sharing       serves it when many calls share it.
     * @param onClose       notified when it is closed.
     */
    CallerSocket(
            final Socket raw,
            final Socket socket,
            final InputStream in,
            final int idleTimeoutMs,
            final long callLengthMax,
            final Runnable onTooLong,
            final Sharing sharing,
            final Runnable onClose)
            throws IOException {
        this.raw = raw;
        this.socket = socket;
        this.idleTimeoutMs = idleTimeoutMs;
        this.onClose = onClose;
        socket.setSoTimeout(idleTimeoutMs);
        this.sharing = sharing;
        lane = socket instanceof Lane shared ? shared : null;
        input = new CallerInput(in, this, callLengthMax, onTooLong);
        final OutputStream sink = new Sink(socket.getOutputStream());
        output = lane == null
                ? new CoalescingOutput(sink, socket.getInetAddress().getHostAddress())
                : sink;
        if (lane != null) {
            lane.reader(input);
        }
    }

    /** The connection whose call this thread serves; null when it serves none. */
    static @Nullable CallerSocket current() {
        return CURRENT.get();
    }

    /** The answer to the call that this thread serves has messages in it. */
    static void handOver() {
        final CallerSocket socket = CURRENT.get();
        if (socket != null) {
            socket.isHandingOver = true;
        }
    }

    /**
     * The call that this thread serves waits from here on, so that others of its connection need another thread.
     *
     * @param isLong whether it may wait for long.
     */
    static void beginWait(final boolean isLong) {
        final CallerSocket socket = CURRENT.get();
        if (socket != null && socket.lane != null) {
            socket.lane.beginWait(isLong);
        }
    }

    /** It waits no more. */
    static void endWait() {
        final CallerSocket socket = CURRENT.get();
        if (socket != null && socket.lane != null) {
            socket.lane.endWait();
        }
    }

    /**
     * Serves the calls that share this connection, until it is closed. The serving thread reports by {@link #exit} when
     * hello was said, and is responsible for the connection from there on.
     *
     * @param head what was read of it.
     */
    void share(final byte[] head) throws IOException {
        begin();
        sharing.serve(this, socket.getInputStream(), socket.getOutputStream(), head);
    }

    /** Whether messages are on their way to the client: from when they were taken until its next call is read. */
    boolean isHandingOver() {
        return isHandingOver;
    }

    /** The calling thread serves this connection, and may have to wait for its client now. */
    void enter() {
        CURRENT.set(this);
        isHandingOver = false;
        begin();
    }

    private void begin() {
        atSystemSinceNs = System.nanoTime();
        isAtSystem = true;
    }

    /** Its thread need not wait for the client any more. */
    void exit() {
        isAtSystem = false;
    }

    /**
     * Whether its thread waits for the client longer than it may: a write has no time-out of its own, and with TLS a read
     * may write. Of a shared connection that is looked at for all together.
     */
    boolean isStuck(final long nowNs) {
        return lane == null && isAtSystem && nowNs - atSystemSinceNs > TimeUnit.MILLISECONDS.toNanos(idleTimeoutMs);
    }

    /** Frees a thread that waits for the client, which closes the connection then. Waits for nobody. */
    void abort() {
        try {
            raw.close();
        } catch (final IOException e) {
            // Its thread will find it broken.
            return;
        }
    }

    /** What the client has proved. */
    PeerIdentity identity() {
        if (lane != null) {
            return lane.identity();
        }
        return socket instanceof SSLSocket encrypted ? TlsIdentity.of(encrypted.getSession(), true) : PeerIdentity.UNKNOWN;
    }

    /** Where the client is, for people. */
    String peer() {
        final String host = caller().getHostAddress();
        return "rmi://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + socket.getPort();
    }

    /** It speaks TLS, where that is not spoken. */
    void onTls() {
        sharing.onTls(this);
    }

    /** Where the client is. */
    InetAddress caller() {
        return socket.getInetAddress();
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        return null;
    }

    @Override
    public int getPort() {
        return socket.getPort();
    }

    @Override
    public int getLocalPort() {
        return socket.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return socket.getRemoteSocketAddress();
    }

    @Override
    public InputStream getInputStream() {
        return input;
    }

    @Override
    public OutputStream getOutputStream() {
        return output;
    }

    @Override
    public void setTcpNoDelay(final boolean isOn) throws SocketException {
        socket.setTcpNoDelay(isOn);
    }

    /** Never longer than configured, so that a silent client does not keep its thread. */
    @Override
    public synchronized void setSoTimeout(final int timeoutMs) throws SocketException {
        socket.setSoTimeout(timeoutMs == 0 ? idleTimeoutMs : Math.min(timeoutMs, idleTimeoutMs));
    }

    @Override
    public synchronized int getSoTimeout() throws SocketException {
        return socket.getSoTimeout();
    }

    @Override
    public boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            // TLS says good-bye, and may have to wait for that; until then it is looked after.
            begin();
            try {
                socket.close();
            } finally {
                exit();
                onClose.run();
            }
        }
    }

    @Override
    public String toString() {
        return socket.toString();
    }

    /** Notes that its thread writes, and so answers. */
    private final class Sink extends FilterOutputStream {
        Sink(final OutputStream out) {
            super(out);
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) throws IOException {
            input.onAnswer();
            begin();
            try {
                out.write(bytes, offset, length);
            } finally {
                exit();
            }
        }

        @Override
        public void flush() throws IOException {
            begin();
            try {
                out.flush();
            } finally {
                exit();
            }
        }
    }
}
