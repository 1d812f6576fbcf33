package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.broker.Broker;
import io.penstock.spring.boot.embedded.EmbeddedBroker;
import java.util.List;
import java.util.Locale;

/**
 * Counters of an embedded broker as meters, {@code penstock.broker.*}: each is the sum over the broker's shards or I/O agents, and
 * has no tags.
 */
final class BrokerMeters implements MeterBinder {
    /** Counters that only rise. */
    static final List<Source> COUNTS = List.of(
            new Source("broker", "errors"),
            new Source("shard", "messages"),
            new Source("shard", "duplicates"),
            new Source("shard", "payloadBytes"),
            new Source("shard", "matches"),
            new Source("shard", "stateRefused"),
            new Source("shard", "stateExpired"),
            new Source("shard", "turnsToCursor"),
            new Source("shard", "turnsToLive"),
            new Source("io", "messagesReceived"),
            new Source("io", "messagesDelivered"),
            new Source("io", "commandsRefused"),
            new Source("io", "deliveriesRefused"),
            new Source("io", "fellBehind"),
            new Source("io", "resyncs"),
            new Source("io", "queries"),
            new Source("io", "bytesReceived"),
            new Source("io", "bytesSent"),
            new Source("io", "connectionsRefused"),
            new Source("io", "protocolErrors"));

    /** What there is now. */
    static final List<Source> LEVELS = List.of(
            new Source("io", "connections"),
            new Source("io", "sessions"),
            new Source("shard", "subscriptions"),
            new Source("shard", "subscriptionsBehind"));

    private final EmbeddedBroker broker;

    /** Counters of one name of all owners of a kind. */
    record Source(String owner, String name) {
        String meterName() {
            return "penstock.broker." + name.replaceAll("([A-Z])", ".$1").toLowerCase(Locale.ROOT);
        }

        long sum(final Broker broker) {
            final String before = owner.equals("broker") ? owner + "." : owner + "-";
            final String after = "." + name;
            final long[] sum = new long[1];
            broker.counters().forEach((value, id, label) -> {
                if (label.startsWith(before) && label.endsWith(after)) {
                    sum[0] += value;
                }
            });
            return sum[0];
        }
    }

    BrokerMeters(final EmbeddedBroker broker) {
        this.broker = broker;
    }

    @Override
    public void bindTo(final MeterRegistry registry) {
        for (final Source source : COUNTS) {
            FunctionCounter.builder(source.meterName(), broker, each -> source.sum(each.broker()))
                    .description("The broker's counter " + source.owner() + "." + source.name())
                    .register(registry);
        }
        for (final Source source : LEVELS) {
            Gauge.builder(source.meterName(), broker, each -> source.sum(each.broker()))
                    .description("The broker's counter " + source.owner() + "." + source.name())
                    .register(registry);
        }
        Gauge.builder(
                        "penstock.broker.start.time",
                        broker,
                        each -> each.startDuration().toNanos() / 1e9)
                .description("How long the broker took to start")
                .baseUnit("seconds")
                .register(registry);
    }
}
