package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.security.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Permissions that a broker does not start with. */
class PermissionsConfigTest {
    private final BrokerConfig.Builder builder =
            BrokerConfig.builder().listen("inproc:permissions-config").threading(ThreadingMode.INVOKER);

    @Test
    void shouldRefuseAFileThatNobodyHasRead() {
        final BrokerConfig config = builder.permissions(new PermissionsConfig("roles.yaml", List.of()))
                .build();

        assertThatThrownBy(() -> Broker.launch(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("permissions.roles: none were read from the file roles.yaml");
    }

    @Test
    void shouldRefuseRolesBesideAnAuthorizer() {
        final BrokerConfig config = builder.permissions(new PermissionsConfig("", List.of(GuardedBroker.ROOT)))
                .security(new SecurityConfig(GuardedBroker.BY_NAME, (principal, action, topic) -> true, false))
                .build();

        assertThatThrownBy(() -> Broker.launch(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("permissions: beside an authorizer in code");
    }

    @Test
    void shouldRefuseRulesThatMakeNoSense() {
        assertThatThrownBy(() ->
                        new PermissionsConfig("", List.of(new Role("r", List.of(GuardedBroker.allow("fly", "*", ""))))))
                .hasMessageStartingWith("permissions.roles: role r, rule 1: no such action: fly");
        assertThat(PermissionsConfig.defaults().isUsed()).isFalse();
    }
}
