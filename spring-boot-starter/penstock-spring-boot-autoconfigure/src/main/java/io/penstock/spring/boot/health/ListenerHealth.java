package io.penstock.spring.boot.health;

import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import io.penstock.spring.listener.PenstockListenerContainer;
import java.util.LinkedHashMap;
import java.util.Map;

/** The health of listeners: whether each that was started, and that nobody has stopped, has its subscription. */
final class ListenerHealth {
    /** In groups and in the endpoint. */
    static final String NAME = "penstockListeners";

    private final PenstockListenerEndpointRegistry registry;

    ListenerHealth(final PenstockListenerEndpointRegistry registry) {
        this.registry = registry;
    }

    HealthReport report() {
        final Map<String, Object> states = new LinkedHashMap<>();
        boolean isUp = true;
        for (final PenstockListenerContainer container : registry.getContainers()) {
            final RuntimeException failure = container.getFailure();
            states.put(
                    container.getListenerId(), failure == null ? state(container) : "FAILED: " + failure.getMessage());
            isUp &= failure == null;
        }
        final HealthReport report = HealthReport.of(isUp);
        report.details().putAll(states);
        return report;
    }

    private static String state(final PenstockListenerContainer container) {
        return container.isRunning() && container.isPaused()
                ? "PAUSED"
                : container.getState().toString();
    }
}
