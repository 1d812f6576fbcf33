package io.penstock.admin;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A connection on which bytes are sent as they are. */
final class RawHttp implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    RawHttp(final URI server) throws IOException {
        socket = new Socket();
        // So that not much is on its way when it is not read.
        socket.setReceiveBufferSize(64 * 1024);
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        socket.setSoTimeout(30_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawHttp send(final String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Up to the end of a line. */
    String line() throws IOException {
        if (Thread.interrupted()) {
            throw new InterruptedIOException("the test has taken too long");
        }
        final ByteArrayOutputStream line = new ByteArrayOutputStream();
        int c;
        while ((c = in.read()) >= 0 && c != '\n') {
            if (c != '\r') {
                line.write(c);
            }
        }
        if (c < 0 && line.size() == 0) {
            throw new EOFException("the server has closed the connection");
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** The status of an answer. */
    String status() throws IOException {
        return line().split(" ", -1)[1];
    }

    /** All that comes until the server closes. */
    String all() throws IOException {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        in.transferTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    void finish() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
