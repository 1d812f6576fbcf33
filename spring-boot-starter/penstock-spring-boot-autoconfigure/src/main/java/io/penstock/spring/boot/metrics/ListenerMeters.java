package io.penstock.spring.boot.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.listener.ContainerState;
import io.penstock.spring.listener.PenstockListenerContainer;
import java.util.function.Predicate;

/** Meters of listeners, {@code penstock.listener.*}, of all together. */
final class ListenerMeters implements MeterBinder {
    private final PenstockListenerEndpointRegistry registry;

    ListenerMeters(final PenstockListenerEndpointRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void bindTo(final MeterRegistry meters) {
        Gauge.builder(
                        "penstock.listener.running",
                        registry,
                        all -> count(all, container -> container.getState() == ContainerState.RUNNING))
                .description("Listeners that have their subscription, also those that are paused")
                .register(meters);
        Gauge.builder(
                        "penstock.listener.failed",
                        registry,
                        all -> count(all, container -> container.getFailure() != null))
                .description("Listeners that should run, and do not")
                .register(meters);
    }

    private static long count(
            final PenstockListenerEndpointRegistry registry, final Predicate<PenstockListenerContainer> condition) {
        return registry.getContainers().stream().filter(condition).count();
    }
}
