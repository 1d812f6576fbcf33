package io.penstock.spring.boot.health;

import io.penstock.client.PenstockClient;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.ConnectionState;
import java.net.URI;

/** The health of the client's connection. Asks no broker: it is what the client knows. */
final class ConnectionHealth {
    /** In groups and in the endpoint. */
    static final String NAME = "penstock";

    private final PenstockConnection connection;
    private final ConnectionState state;

    ConnectionHealth(final PenstockConnection connection, final ConnectionState state) {
        this.connection = connection;
        this.state = state;
    }

    HealthReport report() {
        final PenstockClient client = connection.current();
        final boolean isConnected = client != null && client.isConnected();
        final HealthReport report = HealthReport.of(isConnected);
        final URI server = state.server();
        if (server != null) {
            report.with(isConnected ? "server" : "lastServer", server.toString());
        }
        if (client != null && isConnected) {
            report.with("broker", client.broker());
        } else {
            report.with("reason", state.reason()).with("failedAttempts", state.failedAttemptCount());
        }
        if (state.replacedCount() > 0) {
            report.with("takenByAnotherProgram", state.replacedCount());
        }
        return report.with("connections", state.connectionCount()).with("lost", state.lossCount());
    }
}
