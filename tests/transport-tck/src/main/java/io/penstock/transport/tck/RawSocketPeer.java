package io.penstock.transport.tck;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A plain socket. */
final class RawSocketPeer implements RawPeer {
    private final Socket socket;

    RawSocketPeer(final URI endpoint) throws IOException {
        socket = new Socket(endpoint.getHost(), endpoint.getPort());
        socket.setTcpNoDelay(true);
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
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
