package io.penstock.broker.security;

import java.util.Map;
import java.util.Set;

/**
 * The authenticated identity of a client. Immutable.
 *
 * @param name       of the user.
 * @param roles      that the user has, by name.
 * @param attributes of the user, by name, for filters of permissions.
 */
public record Principal(String name, Set<String> roles, Map<String, String> attributes) {
    /** A client that proved nothing. */
    public static final Principal ANONYMOUS = new Principal("anonymous");

    public Principal {
        roles = Set.copyOf(roles);
        attributes = Map.copyOf(attributes);
    }

    /**
     * A user without roles and attributes.
     *
     * @param name of the user.
     */
    public Principal(final String name) {
        this(name, Set.of(), Map.of());
    }
}
