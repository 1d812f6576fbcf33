package io.penstock.broker;

import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A broker with permissions, for tests. A user's name says its role and its desk, as in {@code trader-E}. */
final class GuardedBroker {
    static final Authenticator BY_NAME = logon -> {
        final String[] parts = logon.user().split("-", -1);
        return new Principal(logon.user(), Set.of(parts[0]), parts.length > 1 ? Map.of("desk", parts[1]) : Map.of());
    };

    static final Role ROOT = new Role("root", List.of(allow("all", "*", "")));

    private GuardedBroker() {}

    static TestBroker start(final Permissions permissions, final UnaryOperator<BrokerConfig.Builder> configure) {
        return new TestBroker(
                builder -> configure.apply(builder).security(new SecurityConfig(BY_NAME, permissions, false)));
    }

    static PermissionRule allow(final String words, final String topic, final String filter) {
        return PermissionRule.allow(List.of(words.split(" ", -1)), List.of(topic), filter);
    }

    static PermissionRule deny(final String words, final String topic, final String filter) {
        return PermissionRule.deny(List.of(words.split(" ", -1)), List.of(topic), filter);
    }

    /** Those of root, and of traders. */
    static Permissions traders(final PermissionRule... rules) {
        return Permissions.of(List.of(ROOT, new Role("trader", List.of(rules))));
    }
}
