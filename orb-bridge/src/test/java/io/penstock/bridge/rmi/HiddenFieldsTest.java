package io.penstock.bridge.rmi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.client.Topic;
import io.penstock.orb.Delivery;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers of the bridge see no more of messages than other clients. */
@Timeout(60)
class HiddenFieldsTest {
    private static final int WAIT_MS = 20_000;

    @Test
    void shouldLeaveOutWhatIsHiddenFromTheCaller() throws Exception {
        final Permissions permissions = Permissions.of(List.of(new Role(
                Role.EVERYONE,
                List.of(
                        PermissionRule.allow(List.of("list", "create", "write"), List.of("*"), ""),
                        PermissionRule.allow(List.of("read"), List.of("*"), "").hiding(List.of("salary"))))));
        final SecurityConfig security = new SecurityConfig(logon -> Principal.ANONYMOUS, permissions, false);
        try (Harness harness = Harness.of(BridgeConfig.onRmiPort(0), security, "")) {
            harness.client().declareTopic(Topic.json("staff").key("id"));
            final PenstockBroker broker = harness.lookup();
            final long subscription = broker.subscribe(SubscribeRequest.topic("staff"));
            harness.client().publish("staff", "{\"id\":1,\"salary\":\"S3CRET\",\"v\":2}");
            harness.client().flush();

            final Delivery[] taken = broker.next(subscription, 10, WAIT_MS);
            assertThat(new String(taken[0].data(), UTF_8)).isEqualTo("{\"id\":1,\"v\":2}");
            final long query = broker.query(QueryRequest.topic("staff"));
            assertThat(new String(broker.fetch(query, 10, WAIT_MS).records()[0].data(), UTF_8))
                    .isEqualTo("{\"id\":1,\"v\":2}");
            assertThat(catchThrowable(() -> broker.subscribe(SubscribeRequest.topic("staff").filter("salary > 1"))))
                    .hasMessageContaining("/salary is hidden");
        }
    }
}
