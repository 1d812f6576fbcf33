package io.penstock.admin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A connection on which bytes are sent as they are. */
final class RawHttp implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    RawHttp(final URI server) throws IOException {
        socket = new Socket(server.getHost(), server.getPort());
        socket.setSoTimeout(30_000);
        in = socket.getInputStream();
    }

    RawHttp send(final String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Up to the end of a line, or of all. */
    String line() throws IOException {
        final StringBuilder line = new StringBuilder();
        int c;
        while ((c = in.read()) >= 0 && c != '\n') {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** The status of an answer, or "" when the connection was closed without one. */
    String status() throws IOException {
        final String line = line();
        return line.isEmpty() ? "" : line.split(" ")[1];
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
