package io.penstock.broker.security;

import java.util.List;

/**
 * Rules for those who have a role. Immutable.
 *
 * @param name   of the role; {@link #EVERYONE} for all clients.
 * @param rules  in any order: what one of them denies is denied.
 * @param quotas of those who have it; where nothing is said the broker's hold.
 */
public record Role(String name, List<PermissionRule> rules, IdentityQuotas quotas) {
    /** The role that every client has, anonymous ones, too. */
    public static final String EVERYONE = "everyone";

    /** What is left out of a role. */
    public static final Role DEFAULTS = new Role("", List.of());

    public Role {
        rules = List.copyOf(rules);
    }

    /** A role that says nothing of quotas. */
    public Role(final String name, final List<PermissionRule> rules) {
        this(name, rules, IdentityQuotas.UNSAID);
    }

    void check() {
        if (name.isBlank()) {
            throw new IllegalArgumentException("roles: one without a name (name it)");
        }
        if (rules.size() > PermissionRule.COUNT_MAX) {
            throw new IllegalArgumentException(
                    "role " + name + ": " + rules.size() + " rules (use at most " + PermissionRule.COUNT_MAX + ")");
        }
        quotas.check("role " + name + ", quotas.", IdentityQuotas.UNSAID_VALUE);
        for (int i = 0; i < rules.size(); i++) {
            rules.get(i).check("role " + name + ", rule " + (i + 1));
        }
    }
}
