package io.penstock.standalone.query;

import io.penstock.client.PenstockClient;
import java.io.Closeable;
import java.io.PrintWriter;
import java.util.function.Supplier;

/** The client of a session; a new one takes its place when it has ended with its connection. */
final class Link implements Closeable {
    private final Supplier<PenstockClient> connector;
    private final String endpoint;
    private final PrintWriter err;
    private PenstockClient client;

    /**
     * Connects.
     *
     * @param connector makes a client that is logged on, or fails.
     * @param endpoint  that it connects to, for people.
     * @param err       to say on that there is a new one.
     */
    Link(final Supplier<PenstockClient> connector, final String endpoint, final PrintWriter err) {
        this.connector = connector;
        this.endpoint = endpoint;
        this.err = err;
        client = connector.get();
    }

    /** A client to ask; connects again when there is none, and fails as connecting does. */
    PenstockClient client() {
        if (client.isClosed()) {
            final PenstockClient next = connector.get();
            client.close();
            client = next;
            err.println("the connection was lost: connected again to " + endpoint);
            err.flush();
        }
        return client;
    }

    /** The client as it is, which may have ended. */
    PenstockClient present() {
        return client;
    }

    @Override
    public void close() {
        client.close();
    }
}
