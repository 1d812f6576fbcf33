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
import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.client.PenstockClient;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody between client and broker, with a certificate that the client trusts: decrypts, and encrypts again. */
@Timeout(60)
class ChannelBindingSystemTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");

    @TempDir
    Path folder;

    private final BlockingQueue<Event> refusals = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Broker broker;
    private SSLServerSocket relay;

    @BeforeEach
    void launch() throws Exception {
        final UsersFile users = UsersFile.empty(folder.resolve("users"));
        users.put(new User(
                "ann",
                false,
                Set.of(),
                Map.of(),
                Objects.requireNonNull(ScramVerifier.derive("secret", ScramVerifier.ITERATIONS_MIN)),
                List.of(),
                Set.of()));
        users.write();
        final TestCertificate own = AUTHORITY.issue("broker", "127.0.0.1");
        broker = Broker.launch(BrokerConfig.builder()
                .listen("tcps://127.0.0.1:0")
                .security(SecurityConfig.defaults()
                        .withUsers(folder.resolve("users").toString()))
                .events(event -> {
                    if (event.kind() == EventKind.LOGON_REFUSED) {
                        refusals.add(event);
                    }
                })
                .tls(TlsConfig.defaults()
                        .certificate(
                                own.writeCertificate(folder.resolve("own.pem")),
                                own.writeKey(folder.resolve("own.key"))))
                .build());
        relay();
    }

    @AfterEach
    void close() throws IOException {
        relay.close();
        broker.close();
        threads.shutdownNow();
    }

    private void relay() throws GeneralSecurityException, IOException {
        final TestCertificate foreign = AUTHORITY.issue("relay", "127.0.0.1");
        final KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", foreign.key(), new char[0], foreign.chain().toArray(new Certificate[0]));
        store.setCertificateEntry("trusted", AUTHORITY.certificate());
        final KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        final TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        relay = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 8, InetAddress.getLoopbackAddress());
        threads.execute(() -> accept(context));
    }

    private void accept(final SSLContext context) {
        try {
            while (true) {
                final Socket client = relay.accept();
                final Socket server = context.getSocketFactory()
                        .createSocket("127.0.0.1", broker.endpoints().get(0).getPort());
                threads.execute(() -> copy(client, server));
                threads.execute(() -> copy(server, client));
            }
        } catch (final IOException e) {
            // Over.
            assertThat(relay.isClosed()).isTrue();
        }
    }

    private static void copy(final Socket from, final Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream()) {
            in.transferTo(to.getOutputStream());
        } catch (final IOException e) {
            // The other direction has closed both.
            assertThat(from.isClosed()).isTrue();
        }
    }

    private ClientConfig config(final String endpoint, final LogonMechanism mechanism, final String password) {
        return ClientConfig.builder(endpoint)
                .connectTimeout(Duration.ofSeconds(20))
                .tls(ClientTls.trusting(AUTHORITY.writeTrust(folder.resolve("authority.pem"))))
                .credentials(() -> new LogonCredentials(mechanism, "ann", password))
                .build();
    }

    private String relayed() {
        return "tcps://127.0.0.1:" + relay.getLocalPort();
    }

    private static void publish(final ClientConfig config) {
        try (PenstockClient client = PenstockClient.connect(config)) {
            client.publish("t", "{}");
            client.flush(BrokerFixture.LONG);
        }
    }

    @Test
    void shouldLogOnDirectly() {
        final String endpoint = broker.endpoints().get(0).toString();
        publish(config(endpoint, LogonMechanism.SCRAM_SHA_256, "secret"));
        publish(config(endpoint, LogonMechanism.SCRAM_SHA_256_UNBOUND, "secret"));
        publish(config(endpoint, LogonMechanism.PLAIN, "secret"));
        assertThatThrownBy(() -> publish(config(endpoint, LogonMechanism.SCRAM_SHA_256, "wrong")))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("refused for user 'ann'");
    }

    @Test
    void shouldNotLogOnWhenSomebodyDecryptsBetweenTheTwo() throws Exception {
        assertThatThrownBy(() -> publish(config(relayed(), LogonMechanism.SCRAM_SHA_256, "secret")))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("refused for user 'ann'");
        assertThat(Objects.requireNonNull(refusals.poll(20, TimeUnit.SECONDS)).toString())
                .contains("bound to another certificate than the broker's: somebody decrypts between");
        // The relay as such works.
        publish(config(relayed(), LogonMechanism.SCRAM_SHA_256_UNBOUND, "secret"));
    }
}
