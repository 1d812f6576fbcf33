package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.ConnectionException;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.SubscribeRequest;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsReload;
import io.penstock.transport.tls.TlsSource;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker with an encrypted endpoint and a plain one, which share what its agent waits on. */
@Timeout(60)
class EncryptedBrokerTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final int COUNT = 2_000;

    @TempDir
    static Path folder;

    private Broker broker;
    private String encrypted;
    private String plain;

    @BeforeEach
    void launch() {
        final TestCertificate certificate = AUTHORITY.issue("broker", "127.0.0.1");
        broker = Broker.launch(BrokerConfig.builder()
                .listen("tcps://127.0.0.1:0")
                .listen("tcp://127.0.0.1:0")
                .threading(ThreadingMode.SHARED)
                .tls(TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("broker.pem")),
                                certificate.writeKey(folder.resolve("broker.key")))
                        .trust(trust(), "")
                        .clientCertificates(ClientCertificates.OPTIONAL))
                .build());
        encrypted = broker.endpoints().get(0).toString();
        plain = broker.endpoints().get(1).toString();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private static String trust() {
        return AUTHORITY.writeTrust(folder.resolve("authority.pem"));
    }

    private static ClientConfig.Builder trusting(final String endpoint) {
        return ClientConfig.builder(endpoint)
                .connectTimeout(Duration.ofSeconds(20))
                .tls(ClientTls.trusting(trust()));
    }

    @Test
    void shouldDeliverWhatIsPublishedWhenEitherSideIsEncrypted() {
        try (PenstockClient secret = PenstockClient.connect(trusting(encrypted).build());
                PenstockClient open = PenstockClient.connect(plain);
                MessageStream toSecret = secret.stream(SubscribeRequest.topic("quotes"));
                MessageStream toOpen = open.stream(SubscribeRequest.topic("quotes"))) {
            for (int i = 0; i < COUNT; i++) {
                (i % 2 == 0 ? secret : open).publish("quotes", "{\"n\":" + i + ",\"text\":\"" + "x".repeat(i) + "\"}");
            }
            assertThat(BrokerFixture.texts(toSecret, COUNT)).hasSize(COUNT);
            assertThat(BrokerFixture.texts(toOpen, COUNT)).hasSize(COUNT);
        }
        assertThat(broker.counter("errors")).isZero();
    }

    @Test
    void shouldSayWhyWhenClientDoesNotTrustTheBroker() {
        assertThatThrownBy(() -> PenstockClient.connect(trusting(encrypted)
                        .tls(ClientTls.trusting(
                                new TestAuthority("stranger").writeTrust(folder.resolve("stranger.pem"))))
                        .build()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining(encrypted)
                .hasMessageContaining("signed by nobody who is trusted here");
    }

    @Test
    void shouldSayWhyWhenClientSpeaksPlainlyToAnEncryptedEndpoint() {
        assertThatThrownBy(() -> PenstockClient.connect(ClientConfig.of(encrypted.replace("tcps", "tcp"))))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("does it speak TLS? its endpoint is " + encrypted);
        assertServes();
    }

    @Test
    void shouldSayWhyWhenClientSpeaksTlsToAPlainEndpoint() {
        assertThatThrownBy(() -> PenstockClient.connect(
                        trusting(plain.replace("tcp", "tcps")).build()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("closed by the peer during the handshake");
        assertServes();
    }

    @Test
    void shouldSayWhyWhenAFileOfTheClientIsMissing() {
        assertThatThrownBy(() -> PenstockClient.connect(ClientConfig.builder(encrypted)
                        .tls(ClientTls.trusting("/no/such/file"))
                        .build()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("tls.trust: cannot be read: /no/such/file: no such file or directory");
    }

    private void assertServes() {
        try (PenstockClient client = PenstockClient.connect(trusting(encrypted).build())) {
            client.publish("quotes", "{}");
            client.flush(BrokerFixture.LONG);
        }
    }

    @Test
    void shouldKeepClientsAndUseTheNewCertificateWhenItIsReadAgain() {
        try (PenstockClient before = PenstockClient.connect(trusting(encrypted).build())) {
            final TestCertificate other = new TestAuthority("stranger").issue("broker", "127.0.0.1");
            other.writeCertificate(folder.resolve("broker.pem"));
            other.writeKey(folder.resolve("broker.key"));

            assertThat(broker.reloadCertificates().isTaken()).isTrue();

            before.publish("quotes", "{}");
            before.flush(BrokerFixture.LONG);
            assertThatThrownBy(() -> PenstockClient.connect(trusting(encrypted).build()))
                    .hasMessageContaining("signed by nobody who is trusted here");
        }
        assertThat(broker.counter("certificateDaysLeft")).isBetween(98L, 100L);
    }

    @Test
    void shouldUseWhatTheProgramGivesAndWhatItGivesLaterForNewConnections() throws Exception {
        final TestAuthority other = new TestAuthority("other");
        final AtomicReference<TlsSource> own = new AtomicReference<>(contextSource(AUTHORITY.issue("b", "127.0.0.1")));
        final AtomicReference<SSLContext> trusted = new AtomicReference<>(context(null, AUTHORITY));
        try (Broker given = Broker.launch(BrokerConfig.builder()
                .listen("tcps://127.0.0.1:0")
                .threading(ThreadingMode.SHARED)
                .tls(TlsConfig.defaults()
                        .source(() -> Objects.requireNonNull(own.get()).context()))
                .build())) {
            final ClientConfig.Builder client = ClientConfig.builder(
                            given.endpoints().get(0).toString())
                    .connectTimeout(Duration.ofSeconds(20))
                    .tls(ClientTls.of(() -> Objects.requireNonNull(trusted.get())));
            try (PenstockClient before = PenstockClient.connect(client.build())) {
                assertThat(given.reloadCertificates().isTaken()).isFalse();
                own.set(contextSource(other.issue("b", "127.0.0.1")));
                assertThat(given.reloadCertificates())
                        .isEqualTo(new TlsReload(true, false, "certificates of the program"));

                before.publish("quotes", "{}");
                before.flush(BrokerFixture.LONG);
                assertThatThrownBy(() -> PenstockClient.connect(client.build()))
                        .hasMessageContaining("signed by nobody who is trusted here");
                trusted.set(context(null, other));
                PenstockClient.connect(client.build()).close();
            }
            own.set(() -> {
                throw new GeneralSecurityException("not now");
            });
            assertThat(given.reloadCertificates().isRefused()).isTrue();
            PenstockClient.connect(client.build()).close();
        }
    }

    @Test
    void shouldCheckTheHostAlsoWhenTheProgramGivesWhatIsTrusted() throws Exception {
        try (Broker given = Broker.launch(BrokerConfig.builder()
                .listen("tcps://127.0.0.1:0")
                .threading(ThreadingMode.SHARED)
                .tls(TlsConfig.defaults().source(contextSource(AUTHORITY.issue("b", "other.example.com"))))
                .build())) {
            final ClientTls tls = ClientTls.of(context(null, AUTHORITY));
            final ClientConfig.Builder client =
                    ClientConfig.builder(given.endpoints().get(0).toString()).connectTimeout(Duration.ofSeconds(20));
            assertThatThrownBy(() ->
                            PenstockClient.connect(client.tls(tls).build()).close())
                    .hasMessageContaining("is for another host");
            PenstockClient.connect(client.tls(tls.withoutHostCheck()).build()).close();
        }
    }

    @Test
    void shouldTakeFilesOrWhatTheProgramGivesButNotBoth() {
        assertThatThrownBy(() -> ClientTls.of(SSLContext.getDefault()).certificate("ann.pem", "ann.key"))
                .hasMessage(
                        "tls.certificate, tls.trust: beside certificates that the program gives: ann.pem (give one of"
                                + " them)");
    }

    private static TlsSource contextSource(final TestCertificate own) throws GeneralSecurityException, IOException {
        final SSLContext context = context(own, null);
        return () -> context;
    }

    private static SSLContext context(final @Nullable TestCertificate own, final @Nullable TestAuthority trusted)
            throws GeneralSecurityException, IOException {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (own != null) {
            store.setKeyEntry("own", own.key(), new char[0], own.chain().toArray(new Certificate[0]));
        }
        if (trusted != null) {
            store.setCertificateEntry("trusted", trusted.certificate());
        }
        final KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        final TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted == null ? null : trust.getTrustManagers(), null);
        return context;
    }
}
