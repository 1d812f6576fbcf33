package io.penstock.bench.orb;

import java.io.BufferedInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;

/**
 * Sockets that copy all bytes that they send and receive through a buffer, as ORBs with a staging buffer do: longer
 * data goes in several pieces. It travels in the stub, so that both sides have the same.
 */
final class StagedSockets implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {
    private static final long serialVersionUID = 1L;
    private static final int BACKLOG = 1024;

    private final int length;

    /**
     * Sockets with such buffers.
     *
     * @param length of each in bytes.
     */
    StagedSockets(final int length) {
        this.length = length;
    }

    @Override
    public Socket createSocket(final String host, final int port) throws IOException {
        final Socket socket = new StagedSocket(length);
        socket.connect(new InetSocketAddress(host, port));
        socket.setTcpNoDelay(true);
        return socket;
    }

    @Override
    public ServerSocket createServerSocket(final int port) throws IOException {
        return new StagedServerSocket(port, length);
    }

    /** The runtime compares those of stubs. */
    @Override
    public boolean equals(final Object other) {
        return other instanceof StagedSockets that && that.length == length;
    }

    @Override
    public int hashCode() {
        return length;
    }

    private static final class StagedServerSocket extends ServerSocket {
        private final int length;

        StagedServerSocket(final int port, final int length) throws IOException {
            super(port, BACKLOG, InetAddress.getLoopbackAddress());
            this.length = length;
        }

        @Override
        public Socket accept() throws IOException {
            final Socket socket = new StagedSocket(length);
            implAccept(socket);
            socket.setTcpNoDelay(true);
            return socket;
        }
    }

    private static final class StagedSocket extends Socket {
        private final int length;

        StagedSocket(final int length) {
            this.length = length;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new StagedInput(super.getInputStream(), length);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new StagedOutput(super.getOutputStream(), length);
        }
    }

    /** Reads no more than a buffer at once, however much is asked for. */
    static final class StagedInput extends BufferedInputStream {
        StagedInput(final InputStream in, final int length) {
            super(in, length);
        }

        @Override
        public synchronized int read(final byte[] bytes, final int offset, final int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            // Reads through the buffer, even if as much as its length is asked for.
            final int first = read();
            if (first < 0) {
                return -1;
            }
            bytes[offset] = (byte) first;
            final int more = Math.min(count - 1, super.count - pos);
            System.arraycopy(buf, pos, bytes, offset + 1, more);
            pos += more;
            return more + 1;
        }
    }

    /** Writes no more than a buffer at once. */
    static final class StagedOutput extends FilterOutputStream {
        private final byte[] buffer;
        private int position;

        StagedOutput(final OutputStream out, final int length) {
            super(out);
            buffer = new byte[length];
        }

        @Override
        public void write(final int value) throws IOException {
            if (position == buffer.length) {
                send();
            }
            buffer[position++] = (byte) value;
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int count) throws IOException {
            for (int done = 0; done < count; ) {
                if (position == buffer.length) {
                    send();
                }
                final int part = Math.min(count - done, buffer.length - position);
                System.arraycopy(bytes, offset + done, buffer, position, part);
                position += part;
                done += part;
            }
        }

        private void send() throws IOException {
            if (position > 0) {
                out.write(buffer, 0, position);
                position = 0;
            }
        }

        @Override
        public void flush() throws IOException {
            send();
            out.flush();
        }
    }
}
