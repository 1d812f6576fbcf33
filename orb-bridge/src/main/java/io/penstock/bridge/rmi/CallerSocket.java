package io.penstock.bridge.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client, as the RMI runtime sees it: without an address, so that the runtime's registry takes nobody for
 * a program of this machine that may change it. Whoever reads from it is told of by {@link #current()}.
 */
final class CallerSocket extends Socket {
    private static final ThreadLocal<@Nullable CallerSocket> CURRENT = new ThreadLocal<>();

    private final Socket socket;
    private final int idleTimeoutMs;
    private final Runnable onClose;
    private final CallerInput input;
    private final CoalescingOutput output;
    private boolean isClosed;

    CallerSocket(final Socket socket, final int idleTimeoutMs, final Runnable onClose) throws IOException {
        this.socket = socket;
        this.idleTimeoutMs = idleTimeoutMs;
        this.onClose = onClose;
        socket.setSoTimeout(idleTimeoutMs);
        input = new CallerInput(socket.getInputStream(), this);
        output = new CoalescingOutput(
                socket.getOutputStream(), socket.getInetAddress().getHostAddress());
    }

    /** The connection whose call this thread serves; null when it serves none. */
    static @Nullable CallerSocket current() {
        return CURRENT.get();
    }

    void enter() {
        CURRENT.set(this);
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
            onClose.run();
            socket.close();
        }
    }

    @Override
    public String toString() {
        return socket.toString();
    }
}
