package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.ConnectionState;

/** Meters of the client's connection, {@code penstock.client.*}, without tags. */
final class ClientMeters implements MeterBinder {
    private final PenstockConnection connection;
    private final ConnectionState state;

    ClientMeters(final PenstockConnection connection, final ConnectionState state) {
        this.connection = connection;
        this.state = state;
    }

    @Override
    public void bindTo(final MeterRegistry registry) {
        Gauge.builder("penstock.client.connected", connection, each -> each.isConnected() ? 1 : 0)
                .description("1 while the client is logged on, else 0")
                .register(registry);
        FunctionCounter.builder("penstock.client.connections", state, ConnectionState::connectionCount)
                .description("How often the client has logged on")
                .register(registry);
        FunctionCounter.builder("penstock.client.connections.lost", state, ConnectionState::lossCount)
                .description("How often a connection was lost")
                .register(registry);
        FunctionCounter.builder("penstock.client.attempts.failed", state, ConnectionState::failedAttemptCount)
                .description("Attempts to connect that have failed")
                .register(registry);
        FunctionCounter.builder("penstock.client.publishes.held", state, ConnectionState::heldPublishCount)
                .description("How often the broker could not take messages of the publish store")
                .register(registry);
    }
}
