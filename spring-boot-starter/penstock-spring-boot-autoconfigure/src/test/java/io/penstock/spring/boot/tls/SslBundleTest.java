package io.penstock.spring.boot.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.CredentialsProvider;
import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.client.PenstockClient;
import io.penstock.spring.ClientConfigSource;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.PenstockConfigurationException;
import io.penstock.spring.boot.PenstockConnectionDetails;
import io.penstock.spring.boot.embedded.EmbeddedBroker;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Encrypted connections with what Boot's SSL bundles have: of the client, and of the embedded broker. */
@Timeout(90)
class SslBundleTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final TestAuthority OTHER = new TestAuthority("other");
    private static final TestCertificate SERVER = AUTHORITY.issue("broker", "127.0.0.1");
    private static final TestCertificate CLIENT = AUTHORITY.issue("desk");

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class,
                        EmbeddedBrokerAutoConfiguration.class,
                        PenstockAutoConfiguration.class))
                .withPropertyValues("penstock.timeout.connect=20s");
    }

    private ApplicationContextRunner withBundle(
            final String name, final @Nullable TestCertificate own, final @Nullable TestAuthority trusted) {
        final String prefix = "spring.ssl.bundle.pem." + name;
        ApplicationContextRunner with = runner();
        if (own != null) {
            with = with.withPropertyValues(
                    prefix + ".keystore.certificate=file:" + own.writeCertificate(folder.resolve(name + ".pem")),
                    prefix + ".keystore.private-key=file:" + own.writeKey(folder.resolve(name + ".key")));
        }
        return trusted == null
                ? with
                : with.withPropertyValues(prefix + ".truststore.certificate=file:"
                        + trusted.writeTrust(folder.resolve(name + "-trust.pem")));
    }

    private SslBundle bundle(final @Nullable TestCertificate own, final @Nullable TestAuthority trusted) {
        return SslBundle.of(new PemSslStoreBundle(
                own == null
                        ? null
                        : new PemSslStoreDetails(
                                "PKCS12",
                                "file:" + own.writeCertificate(folder.resolve("u.pem")),
                                "file:" + own.writeKey(folder.resolve("u.key"))),
                trusted == null
                        ? null
                        : PemSslStoreDetails.forCertificate("file:" + trusted.writeTrust(folder.resolve("u-trust.pem")))));
    }

    private Broker broker(final TestCertificate certificate) {
        return Broker.launch(BrokerConfig.builder()
                .listen("tcps://127.0.0.1:0")
                .tls(TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("broker.pem")),
                                certificate.writeKey(folder.resolve("broker.key")))
                        .trust(AUTHORITY.writeTrust(folder.resolve("clients.pem")), "")
                        .clientCertificates(ClientCertificates.REQUIRED))
                .build());
    }

    private static String servers(final Broker broker) {
        return "penstock.servers=" + broker.endpoints().get(0);
    }

    private static void publish(final ClientConfig config) {
        try (PenstockClient client = PenstockClient.connect(config)) {
            client.publish("t", "{}");
            client.flush(Duration.ofSeconds(20));
        }
    }

    @Test
    void shouldTrustAndShowWhatTheBundleHas() {
        try (Broker broker = broker(SERVER)) {
            withBundle("desk", CLIENT, AUTHORITY)
                    .withPropertyValues(servers(broker), "penstock.ssl.bundle=desk", "penstock.fail-fast=true")
                    .run(context -> {
                        assertThat(context.getBean(PenstockConnection.class)
                                        .client()
                                        .broker())
                                .startsWith("penstock");
                        publish(context.getBean(ClientConfigSource.class).config("fills"));
                    });
        }
    }

    @Test
    void shouldNotConnectWhenTheBundleTrustsOthersOrHasNoCertificate() {
        try (Broker broker = broker(SERVER)) {
            withBundle("desk", CLIENT, OTHER)
                    .withPropertyValues(servers(broker), "penstock.ssl.bundle=desk", "penstock.fail-fast=true")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasStackTraceContaining("signed by nobody who is trusted here"));
            withBundle("desk", null, AUTHORITY)
                    .withPropertyValues(servers(broker), "penstock.ssl.bundle=desk", "penstock.fail-fast=true")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasStackTraceContaining("the peer wants a certificate of this side"));
        }
    }

    @Test
    void shouldUseForNewConnectionsWhatTheBundleIsUpdatedTo() {
        try (Broker broker = broker(OTHER.issue("broker", "127.0.0.1"))) {
            withBundle("desk", CLIENT, AUTHORITY)
                    .withPropertyValues(servers(broker), "penstock.ssl.bundle=desk")
                    .run(context -> {
                        final ClientConfig config =
                                context.getBean(ClientConfigSource.class).config("fills");
                        assertThatThrownBy(() -> PenstockClient.connect(config).close())
                                .hasMessageContaining("signed by nobody who is trusted here");
                        final SslBundleRegistry bundles = context.getBean(SslBundleRegistry.class);
                        bundles.updateBundle("desk", bundle(CLIENT, OTHER));
                        publish(config);

                        // What cannot be used changes nothing.
                        bundles.updateBundle(
                                "desk",
                                SslBundle.of(new PemSslStoreBundle(
                                        null, PemSslStoreDetails.forCertificate("file:/no/such/file"))));
                        publish(config);
                    });
        }
    }

    @Test
    void shouldServeEncryptedWhenTheEmbeddedBrokerHasABundle() {
        final ClientTls trusting = ClientTls.trusting(AUTHORITY.writeTrust(folder.resolve("trust.pem")));
        withBundle("desk", SERVER, AUTHORITY)
                .withPropertyValues(
                        "penstock.embedded.enabled=true",
                        "penstock.embedded.listen=tcps://127.0.0.1:0",
                        "penstock.embedded.ssl.bundle=desk",
                        "penstock.embedded.ssl.client-certificates=required",
                        // Passed over: the application's own client is in the process.
                        "penstock.ssl.bundle=none-there")
                .run(context -> {
                    final EmbeddedBroker broker = context.getBean(EmbeddedBroker.class);
                    assertThat(broker.broker().counter("certificateDaysLeft")).isBetween(98L, 100L);
                    final ClientConfig.Builder client = ClientConfig.builder(
                                    broker.endpoints().get(1).toString())
                            .connectTimeout(Duration.ofSeconds(20));
                    final ClientTls known = trusting.certificate(
                            CLIENT.writeCertificate(folder.resolve("c.pem")),
                            CLIENT.writeKey(folder.resolve("c.key")));
                    publish(client.tls(known).build());
                    assertThatThrownBy(() -> PenstockClient.connect(
                                            client.tls(trusting).build())
                                    .close())
                            .hasMessageContaining("the peer wants a certificate of this side");

                    final SslBundleRegistry bundles = context.getBean(SslBundleRegistry.class);
                    bundles.updateBundle("desk", bundle(OTHER.issue("broker", "127.0.0.1"), AUTHORITY));
                    assertThatThrownBy(() ->
                                    PenstockClient.connect(client.tls(known).build())
                                            .close())
                            .hasMessageContaining("signed by nobody who is trusted here");
                    context.close();
                    // Nobody is there any more whom it concerns.
                    bundles.updateBundle("desk", bundle(SERVER, AUTHORITY));
                });
    }

    @Test
    void shouldSayWhatIsWrongAtTheStart() {
        final String tcps = "penstock.servers=tcps://127.0.0.1:1";
        assertFails(
                withBundle("desk", null, AUTHORITY).withPropertyValues(tcps, "penstock.ssl.bundle=dsk"),
                "penstock.ssl.bundle",
                "no such SSL bundle: dsk (there are desk; define it below spring.ssl.bundle)");
        assertFails(
                withBundle("desk", null, AUTHORITY)
                        .withPropertyValues("penstock.servers=tcp://127.0.0.1:1", "penstock.ssl.bundle=desk"),
                "penstock.ssl.bundle",
                "the connection to tcp://127.0.0.1:1 is not encrypted (use tcps:// in penstock.servers");
        assertFails(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(PenstockAutoConfiguration.class))
                        .withPropertyValues(tcps, "penstock.ssl.bundle=desk"),
                "penstock.ssl.bundle",
                "there are no SSL bundles");
        assertFails(
                runner().withPropertyValues(
                                tcps,
                                "penstock.ssl.bundle=desk",
                                "spring.ssl.bundle.pem.desk.truststore.certificate=file:/no/such/file"),
                "penstock.ssl.bundle",
                "/no/such/file");
        assertFails(
                withBundle("desk", null, AUTHORITY)
                        .withPropertyValues(
                                tcps,
                                "penstock.ssl.bundle=desk",
                                "spring.ssl.bundle.pem.desk.options.enabled-protocols=TLSv1.1"),
                "penstock.ssl.bundle",
                "its options are not allowed: tls.protocols");
        assertFails(
                runner().withPropertyValues("penstock.servers=tcps://nobody", "penstock.ssl.bundle="),
                "penstock.servers",
                "no host and port");
    }

    @Test
    void shouldSayWhatIsWrongWithTheBundleOfTheEmbeddedBroker() {
        final String[] embedded = {"penstock.embedded.enabled=true", "penstock.embedded.ssl.bundle=desk"};
        assertFails(
                withBundle("desk", SERVER, null)
                        .withPropertyValues(embedded)
                        .withPropertyValues("penstock.embedded.listen=tcp://127.0.0.1:0"),
                "penstock.embedded.ssl.bundle",
                "no endpoint is encrypted: tcp://127.0.0.1:0");
        assertFails(
                withBundle("desk", SERVER, null)
                        .withPropertyValues(embedded)
                        .withPropertyValues(
                                "penstock.embedded.listen=tcps://127.0.0.1:0",
                                "penstock.embedded.ssl.client-certificates=optional"),
                "penstock.embedded.ssl.bundle",
                "has no trust store, though clients are asked for certificates");
        assertFails(
                withBundle("desk", SERVER, null)
                        .withPropertyValues(embedded)
                        .withPropertyValues(
                                "penstock.embedded.listen=tcps://127.0.0.1:0",
                                "penstock.embedded.config.tls.handshake-timeout-ms=500"),
                "penstock.embedded.ssl.bundle",
                "beside penstock.embedded.config.tls");
        assertFails(
                runner().withPropertyValues(
                                "penstock.embedded.enabled=true",
                                "penstock.embedded.ssl.client-certificates=required"),
                "penstock.embedded.ssl.client-certificates",
                "without a bundle");
    }

    private static void assertFails(
            final ApplicationContextRunner runner, final String property, final String message) {
        runner.run(context -> {
            Throwable each = context.getStartupFailure();
            while (each != null && !(each instanceof PenstockConfigurationException)) {
                each = each.getCause();
            }
            assertThat(each)
                    .isInstanceOfSatisfying(
                            PenstockConfigurationException.class,
                            wrong -> assertThat(wrong.property()).isEqualTo(property))
                    .hasMessageContaining(message);
        });
    }

    @Test
    void shouldLogOnByATokenOrAsABeanSays() {
        final String nowhere = "penstock.servers=inproc:nobody-is-there";
        runner().withPropertyValues(nowhere, "penstock.token=abc.def.ghi")
                .run(context -> assertThat(credentials(context.getBean(ClientConfigSource.class)))
                        .isEqualTo(LogonCredentials.token("abc.def.ghi")));
        runner().withPropertyValues(nowhere, "penstock.user=ann", "penstock.password=secret")
                .withBean(CredentialsProvider.class, () -> LogonCredentials::external)
                .run(context -> assertThat(
                                credentials(context.getBean(ClientConfigSource.class))
                                        .mechanism())
                        .isEqualTo(LogonMechanism.EXTERNAL));
        assertFails(
                runner().withPropertyValues(nowhere, "penstock.user=ann", "penstock.token=abc"),
                "penstock.token",
                "beside a user: ann");
    }

    private static LogonCredentials credentials(final ClientConfigSource source) {
        return source.config("other").credentials().credentials();
    }

    @Test
    void shouldUseTheBundleOfTheConnectionDetails() {
        try (Broker broker = broker(SERVER)) {
            runner().withPropertyValues("penstock.fail-fast=true")
                    .withBean(PenstockConnectionDetails.class, () -> new PenstockConnectionDetails() {
                        @Override
                        public List<String> servers() {
                            return List.of(broker.endpoints().get(0).toString());
                        }

                        @Override
                        public SslBundle sslBundle() {
                            return bundle(CLIENT, AUTHORITY);
                        }
                    })
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }
}
