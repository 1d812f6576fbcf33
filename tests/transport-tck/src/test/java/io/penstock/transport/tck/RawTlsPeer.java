package io.penstock.transport.tck;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A socket of the JDK that speaks TLS. */
final class RawTlsPeer implements RawPeer {
    private final Socket plain;
    private final SSLSocket socket;

    /** Connects and does the handshake, which waits for the other side. */
    RawTlsPeer(final URI endpoint, final SSLContext context) throws IOException {
        plain = new Socket(endpoint.getHost(), endpoint.getPort());
        plain.setTcpNoDelay(true);
        socket = (SSLSocket)
                context.getSocketFactory().createSocket(plain, endpoint.getHost(), endpoint.getPort(), true);
        socket.startHandshake();
    }

    @Override
    public void write(final byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    @Override
    public void writeFrame(final byte[] frame) throws IOException {
        write(ByteBuffer.allocate(Integer.BYTES + frame.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(frame.length)
                .put(frame)
                .array());
    }

    @Override
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void abort() throws IOException {
        plain.setSoLinger(true, 0);
        plain.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
