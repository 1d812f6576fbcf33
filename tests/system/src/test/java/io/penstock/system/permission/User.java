package io.penstock.system.permission;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One who asks.
 *
 * @param name       with which it logs on; empty for a client that proves nothing.
 * @param roles      that it has beside {@code everyone}.
 * @param attributes for filters of rules.
 */
record User(String name, Set<String> roles, Map<String, String> attributes) {
    static final String ANONYMOUS = "anonymous";

    /** The value that a filter has in place of an attribute; null when there is none. */
    @Nullable
    String attribute(final String attribute) {
        if (attribute.equals("name")) {
            return name.isEmpty() ? ANONYMOUS : name;
        }
        return attributes.get(attribute);
    }
}
