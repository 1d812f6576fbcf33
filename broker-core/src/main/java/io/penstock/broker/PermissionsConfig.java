package io.penstock.broker;

import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Role;
import java.util.List;

/**
 * What users may do, by their roles. Without any, the authorizer of {@link SecurityConfig} decides.
 *
 * @param file  that the roles were read from, by who has read it; empty for none.
 * @param roles each with its rules.
 */
public record PermissionsConfig(String file, List<Role> roles) {
    public PermissionsConfig {
        roles = List.copyOf(roles);
        try {
            Permissions.of(roles);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("permissions.roles: " + e.getMessage(), e);
        }
    }

    /** None: the authorizer of {@link SecurityConfig} decides. */
    public static PermissionsConfig defaults() {
        return new PermissionsConfig("", List.of());
    }

    /** Whether there are permissions, so that what no rule allows is denied. */
    public boolean isUsed() {
        return !file.isEmpty() || !roles.isEmpty();
    }

    /** The permissions. */
    Permissions permissions() {
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("permissions.roles: none were read from the file " + file
                    + " (give roles; a program that embeds the broker reads its files itself)");
        }
        return Permissions.of(roles);
    }
}
