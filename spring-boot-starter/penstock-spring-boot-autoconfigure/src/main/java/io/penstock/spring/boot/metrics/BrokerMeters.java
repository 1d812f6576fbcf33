package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.spring.boot.embedded.EmbeddedBroker;

/** {@link PenstockMeters} of an embedded broker, and how long it took to start. */
final class BrokerMeters implements MeterBinder {
    private final EmbeddedBroker broker;

    BrokerMeters(final EmbeddedBroker broker) {
        this.broker = broker;
    }

    @Override
    public void bindTo(final MeterRegistry registry) {
        new PenstockMeters(broker.broker()).bindTo(registry);
        Gauge.builder(
                        "penstock.broker.start.time",
                        broker,
                        each -> each.startDuration().toNanos() / 1e9)
                .description("How long the broker took to start")
                .baseUnit("seconds")
                .register(registry);
    }
}
