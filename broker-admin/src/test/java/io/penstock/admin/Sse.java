package io.penstock.admin;

import java.io.IOException;
import java.net.URI;

/** A reader of a stream of events. */
final class Sse implements AutoCloseable {
    private final RawHttp connection;
    private final String status;
    private String id = "";
    private String name = "";

    Sse(final URI server, final String path, final String... headers) throws IOException {
        connection = new RawHttp(server);
        connection.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Penstock-Request: 1\r\n"
                + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n") + "\r\n");
        status = connection.status();
        String line;
        do {
            line = connection.line();
        } while (!line.isEmpty());
    }

    String status() {
        return status;
    }

    /** The id of the last event. */
    String id() {
        return id;
    }

    /** The name of the last event. */
    String name() {
        return name;
    }

    /** Reads the data of the next event; comments and lengths of chunks are passed over. */
    JsonValue next() throws IOException {
        while (true) {
            final String line = connection.line();
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("data: ")) {
                return JsonValue.parse(line.substring(6));
            }
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
