package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.ConnectionException;
import io.penstock.client.CredentialsProvider;
import io.penstock.client.LogonCredentials;
import io.penstock.client.PenstockClient;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users that their certificates prove, over an encrypted connection: of real handshakes. */
@Timeout(60)
class CertificateUserTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");

    @TempDir
    Path folder;

    private final BlockingQueue<Event> refusals = new LinkedBlockingQueue<>();
    private Broker broker;

    @BeforeEach
    void launch() {
        final TestCertificate certificate = AUTHORITY.issue("broker", "127.0.0.1");
        users("CN=ann", "dns:ann.example.com", "email:ann@example.com", "uri:spiffe://example.com/ann");
        broker = Broker.launch(BrokerConfig.builder()
                .listen("tcps://127.0.0.1:0")
                .security(SecurityConfig.defaults().withUsers(usersFile().toString()))
                .events(event -> {
                    if (event.kind() == EventKind.LOGON_REFUSED || event.kind() == EventKind.CONNECTION_REFUSED) {
                        refusals.add(event);
                    }
                })
                .tls(TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("broker.pem")),
                                certificate.writeKey(folder.resolve("broker.key")))
                        .trust(AUTHORITY.writeTrust(folder.resolve("authority.pem")), "")
                        .clientCertificates(ClientCertificates.OPTIONAL))
                .build());
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private Path usersFile() {
        return folder.resolve("users");
    }

    private void users(final String... certificates) {
        final UsersFile file = UsersFile.empty(usersFile());
        file.put(new User("ann", false, Set.of("trader"), Map.of(), null, List.of(certificates), Set.of()));
        file.put(new User(
                "bob",
                false,
                Set.of(),
                Map.of(),
                Objects.requireNonNull(ScramVerifier.derive("secret", ScramVerifier.ITERATIONS_MIN)),
                List.of("CN=bob"),
                Set.of()));
        file.put(new User("gone", true, Set.of(), Map.of(), null, List.of("CN=gone"), Set.of()));
        file.write();
    }

    private ClientConfig.Builder config(final @Nullable TestCertificate own, final CredentialsProvider credentials) {
        final ClientTls trusting =
                ClientTls.trusting(folder.resolve("authority.pem").toString());
        return ClientConfig.builder(broker.endpoints().get(0).toString())
                .connectTimeout(Duration.ofSeconds(20))
                .credentials(credentials)
                .tls(
                        own == null
                                ? trusting
                                : trusting.certificate(
                                        own.writeCertificate(folder.resolve("client.pem")),
                                        own.writeKey(folder.resolve("client.key"))));
    }

    private ClientConfig external(final TestCertificate own) {
        return config(own, LogonCredentials::external).build();
    }

    private static void publish(final ClientConfig config) {
        try (PenstockClient client = PenstockClient.connect(config)) {
            client.publish("t", "{\"n\":1}");
            client.flush(BrokerFixture.LONG);
        }
    }

    private void assertRefused(final ClientConfig config, final String toClient, final String toOperator)
            throws InterruptedException {
        assertThatThrownBy(() -> PenstockClient.connect(config).close())
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining(toClient);
        assertThat(Objects.requireNonNull(refusals.poll(20, TimeUnit.SECONDS)).toString())
                .contains(toOperator);
        assertThat(refusals).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ann,",
        "whoever,ann.example.com",
        "whoever,ANN.example.com",
        "whoever,email:ann@example.com",
        "'',uri:spiffe://example.com/ann"
    })
    void shouldKnowAUserByAnyNameOfItsCertificate(final String subject, final @Nullable String other) throws Exception {
        final TestCertificate own =
                other == null ? AUTHORITY.issue(subject) : AUTHORITY.issue(subject, "other.example.com", other);

        publish(external(own));

        assertRefused(
                config(own, () -> new LogonCredentials(io.penstock.client.LogonMechanism.EXTERNAL, "bob", ""))
                        .build(),
                "refused for user 'bob'",
                "another user in the mechanism's message");
    }

    @ParameterizedTest
    @CsvSource({
        "stranger,",
        "stranger,ann.example.com.evil.example",
        "stranger,*.example.com",
        "ann@example.com,",
        "stranger,uri:ann@example.com",
        "stranger,uri:spiffe://example.com/ann/x",
        "'CN=ann',",
        "'ann,O=Example',",
        "'',other.example.com"
    })
    void shouldRefuseACertificateOfNobody(final String subject, final @Nullable String other) throws Exception {
        final TestCertificate own = other == null ? AUTHORITY.issue(subject) : AUTHORITY.issue(subject, other);

        assertRefused(external(own), "refused by EXTERNAL", "no user has its certificate");
    }

    @Test
    void shouldRefuseACertificateOfTwoUsersAndADisabledOne() throws Exception {
        assertRefused(
                external(AUTHORITY.issue("bob", "ann.example.com")),
                "refused by EXTERNAL",
                "no user has its certificate");
        assertRefused(external(AUTHORITY.issue("gone")), "refused by EXTERNAL", "the user is disabled");
    }

    @Test
    void shouldRefuseACertificateOfAnotherAuthority() throws Exception {
        final TestCertificate forged = new TestAuthority("authority").issue("ann");

        assertRefused(external(forged), "", "signed by nobody who is trusted here");
        // The JDK sends no certificate that the broker could not trust, by the names of the authorities that it asks
        // for.
        assertThatThrownBy(() -> PenstockClient.connect(external(TestAuthority.selfSigned("ann")))
                        .close())
                .hasMessageContaining("does not take EXTERNAL")
                .hasMessageContaining("signed by an authority that the broker trusts");
    }

    @Test
    void shouldTakeAPasswordOfAClientWithOrWithoutACertificate() throws Exception {
        publish(config(null, () -> LogonCredentials.password("bob", "secret")).build());
        publish(config(AUTHORITY.issue("ann"), () -> LogonCredentials.password("bob", "secret"))
                .build());

        assertRefused(
                config(AUTHORITY.issue("ann"), () -> LogonCredentials.password("bob", "wrong"))
                        .build(),
                "refused for user 'bob'",
                "wrong password");
        // A certificate alone is no log-on: the client has to want it.
        assertThatThrownBy(() -> PenstockClient.connect(config(AUTHORITY.issue("ann"), CredentialsProvider.NONE)
                                .build())
                        .close())
                .isInstanceOf(ConnectionException.class);
        assertThatThrownBy(() -> PenstockClient.connect(
                                config(null, LogonCredentials::external).build())
                        .close())
                .hasMessageContaining("does not take EXTERNAL");
    }

    @Test
    void shouldEndTheSessionWhenTheUserLosesItsCertificate() throws Exception {
        final CountDownLatch isLost = new CountDownLatch(1);
        final AtomicReference<ErrorCode> reason = new AtomicReference<>();
        final ClientConfig watched = config(AUTHORITY.issue("ann"), LogonCredentials::external)
                .onDisconnect(disconnect -> {
                    reason.set(disconnect.errorCode());
                    isLost.countDown();
                    return false;
                })
                .build();
        try (PenstockClient client = PenstockClient.connect(watched)) {
            client.publish("t", "{\"n\":1}");
            client.flush(BrokerFixture.LONG);
            users("CN=nobody");
            broker.reloadUsers();

            assertThat(isLost.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(reason.get()).isEqualTo(ErrorCode.SESSION_REVOKED);
        }
    }
}
