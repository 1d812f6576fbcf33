package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.LogonCredentials;
import io.penstock.client.PenstockClient;
import io.penstock.protocol.ErrorCode;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Clients that have no password: who they are is proved by the kernel, or by a token. */
@Timeout(60)
class ProvedClientTest {
    private static final long NOW_S = 1_800_000_000;

    @TempDir
    private Path directory;

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKnowTheUserByItsProcessWhenItConnectsByIpc() throws Exception {
        final int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        final Path users = users(own);
        final String ipc = "ipc:" + directory.resolve("door");
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen(ipc)
                .listen("tcp://127.0.0.1:0")
                .security(SecurityConfig.defaults().withUsers(users.toString()))
                .build())) {
            final ClientConfig external = ClientConfig.builder(ipc)
                    .credentials(LogonCredentials::external)
                    .build();
            try (PenstockClient client = PenstockClient.connect(external)) {
                client.publish("t", "{\"n\":1}");
                client.flush();
            }
            // Nothing proves the user there.
            final ClientConfig tcp = ClientConfig.builder(
                            broker.endpoints().get(1).toString())
                    .credentials(LogonCredentials::external)
                    .build();
            assertThatThrownBy(() -> PenstockClient.connect(tcp).close())
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("does not take EXTERNAL");

            users(own + 1);
            broker.reloadUsers();
            assertThatThrownBy(() -> PenstockClient.connect(external).close())
                    .hasMessageContaining("logon: refused by EXTERNAL")
                    // Only the log has the reason.
                    .hasMessageNotContaining("uid");
        }
    }

    private Path users(final int uid) {
        final Path users = directory.resolve("users");
        final UsersFile file = UsersFile.empty(users);
        file.put(new User("ann", false, Set.of(), Map.of(), null, List.of(), Set.of(uid)));
        file.write();
        return users;
    }

    @Test
    void shouldAskForANewTokenWhenTheOldOneHasExpired() throws Exception {
        final KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(2048);
        final KeyPair pair = keys.generateKeyPair();
        final TokenConfig tokens =
                new TokenConfig(keyFile(pair).toString(), "", "https://id", "penstock", 0, "sub", "roles");
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .security(SecurityConfig.defaults().withTokens(tokens))
                // Stands still, so that the first token is good however long it takes to connect.
                .epochClock(() -> TimeUnit.SECONDS.toNanos(NOW_S))
                .build())) {
            final AtomicInteger asked = new AtomicInteger();
            final AtomicReference<ErrorCode> lost = new AtomicReference<>();
            final CountDownLatch isBack = new CountDownLatch(1);
            final ClientConfig config = ClientConfig.builder(
                            broker.endpoints().get(0).toString())
                    .credentials(() -> LogonCredentials.token(token(pair, asked.incrementAndGet() == 1 ? 1 : 3_600)))
                    .reconnectDelay(java.time.Duration.ofMillis(1), java.time.Duration.ofMillis(10))
                    .onDisconnect(new io.penstock.client.DisconnectHandler() {
                        @Override
                        public boolean onDisconnect(final io.penstock.client.Disconnect disconnect) {
                            lost.compareAndSet(null, disconnect.errorCode());
                            return true;
                        }

                        @Override
                        public void onReconnect(final int attempt) {
                            isBack.countDown();
                        }
                    })
                    .build();
            try (PenstockClient client = PenstockClient.connect(config)) {
                assertThat(isBack.await(30, TimeUnit.SECONDS)).isTrue();
                client.flush();
                assertThat(lost.get()).isEqualTo(ErrorCode.SESSION_REVOKED);
                assertThat(asked.get()).isEqualTo(2);
            }
        }
    }

    private Path keyFile(final KeyPair pair) throws java.io.IOException {
        final RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return Files.writeString(
                directory.resolve("keys.json"),
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"1\",\"n\":\"" + base64(key.getModulus()) + "\",\"e\":\""
                        + base64(key.getPublicExponent()) + "\"}]}");
    }

    private static String token(final KeyPair pair, final long forS) {
        final long expiresS = NOW_S + forS;
        final String text = base64("{\"alg\":\"RS256\",\"kid\":\"1\"}".getBytes(UTF_8)) + "."
                + base64(("{\"iss\":\"https://id\",\"aud\":\"penstock\",\"sub\":\"ann\",\"exp\":" + expiresS + "}")
                        .getBytes(UTF_8));
        try {
            final Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(pair.getPrivate());
            signature.update(text.getBytes(UTF_8));
            return text + "." + base64(signature.sign());
        } catch (final GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String base64(final BigInteger number) {
        return base64(number.toByteArray());
    }

    private static String base64(final byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
