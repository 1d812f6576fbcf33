package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Principal;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.client.PenstockClient;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which media a client gives a password to, when the broker takes no proof of it. */
@Timeout(60)
class PasswordInClearTest {
    @TempDir
    private Path directory;

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private Broker broker(final String... endpoints) {
        final BrokerConfig.Builder config = BrokerConfig.builder()
                .security(new SecurityConfig(
                        logon -> {
                            seen.add(logon.password());
                            return new Principal(logon.user());
                        },
                        Authorizer.ALL,
                        false));
        for (final String endpoint : endpoints) {
            config.listen(endpoint);
        }
        return Broker.launch(config.build());
    }

    private static void connect(final URI endpoint, final LogonCredentials credentials) {
        PenstockClient.connect(ClientConfig.builder(endpoint.toString())
                        .credentials(() -> credentials)
                        .build())
                .close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldGiveItOnlyWhereTheMediumSaysWhoListens() {
        final LogonCredentials ann = LogonCredentials.password("ann", "secret");
        try (Broker broker = broker(
                "inproc:password-in-clear",
                "ipc:" + directory.resolve("own"),
                "ipc:" + directory.resolve("group") + "?mode=660",
                "tcp://127.0.0.1:0")) {
            connect(broker.endpoints().get(0), ann);
            connect(broker.endpoints().get(1), ann);
            assertThat(seen).containsExactly("secret", "secret");

            for (final URI open : broker.endpoints().subList(2, 4)) {
                assertThatThrownBy(() -> connect(open, ann))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessageContaining("others could read it, or listen in its place");
            }
            assertThat(seen).hasSize(2);
            connect(broker.endpoints().get(3), new LogonCredentials(LogonMechanism.PLAIN, "ann", "secret"));
            assertThat(seen).hasSize(3);
        }
    }
}
