package io.penstock.examples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/** Puts TLS over sockets whose reads end after a time: the JDK waits for ever for a directory that goes silent in its handshake. */
final class TimedSockets extends SSLSocketFactory {
    private final SSLSocketFactory factory;
    private final int timeoutMs;

    TimedSockets(final SSLSocketFactory factory, final int timeoutMs) {
        this.factory = factory;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public Socket createSocket(final Socket below, final String host, final int port, final boolean autoClose)
            throws IOException {
        below.setSoTimeout(timeoutMs);
        final Socket socket = factory.createSocket(below, host, port, autoClose);
        socket.setSoTimeout(timeoutMs);
        return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return factory.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(final String host, final int port) throws IOException {
        throw onlyAbove();
    }

    @Override
    public Socket createSocket(final String host, final int port, final InetAddress local, final int localPort)
            throws IOException {
        throw onlyAbove();
    }

    @Override
    public Socket createSocket(final InetAddress host, final int port) throws IOException {
        throw onlyAbove();
    }

    @Override
    public Socket createSocket(final InetAddress host, final int port, final InetAddress local, final int localPort)
            throws IOException {
        throw onlyAbove();
    }

    private static IOException onlyAbove() {
        return new IOException("StartTLS begins on a socket that there is");
    }
}
