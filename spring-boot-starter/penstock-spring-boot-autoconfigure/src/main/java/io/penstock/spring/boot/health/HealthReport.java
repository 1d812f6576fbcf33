package io.penstock.spring.boot.health;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is well and what is not, without the classes of a particular Boot.
 *
 * @param isUp    whether all is well.
 * @param details for people.
 */
record HealthReport(boolean isUp, Map<String, Object> details) {
    static HealthReport of(final boolean isUp) {
        return new HealthReport(isUp, new LinkedHashMap<>());
    }

    HealthReport with(final String name, final Object value) {
        details.put(name, value);
        return this;
    }
}
