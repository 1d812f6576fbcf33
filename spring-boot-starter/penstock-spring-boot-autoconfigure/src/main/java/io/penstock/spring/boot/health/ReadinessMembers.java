package io.penstock.spring.boot.health;

import io.penstock.spring.boot.PenstockProperties;
import java.util.Set;
import org.springframework.core.env.Environment;

/** What is added to the group readiness; an application that names the group's members itself keeps them. */
final class ReadinessMembers {
    static final String GROUP = "readiness";

    private static final String INCLUDE = "management.endpoint.health.group.readiness.include";

    private ReadinessMembers() {}

    static Set<String> of(final PenstockProperties properties, final Environment environment) {
        final boolean isNamed = environment.containsProperty(INCLUDE) || environment.containsProperty(INCLUDE + "[0]");
        return properties.health().readiness() && !isNamed
                ? Set.of(ConnectionHealth.NAME, MirrorHealth.NAME)
                : Set.of();
    }
}
