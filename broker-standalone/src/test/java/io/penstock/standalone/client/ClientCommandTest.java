package io.penstock.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.client.ClientConfig;
import io.penstock.client.Disconnect;
import io.penstock.client.PenstockClient;
import io.penstock.protocol.ErrorCode;
import io.penstock.standalone.Main;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(60)
class ClientCommandTest {
    private static final String ENDPOINT = "inproc:client-command-test";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Broker broker;
    private AdminServer admin;

    @BeforeEach
    void launch() {
        broker = Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .events(EventHandler.NONE)
                .build());
        admin = AdminServer.launch(AdminConfig.listening("http://127.0.0.1:0"), broker);
    }

    @AfterEach
    void close() {
        admin.close();
        broker.close();
    }

    private int run(final String... args) {
        out.getBuffer().setLength(0);
        final CommandLine line = Main.commandLine(args);
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }

    @Test
    void shouldSpeakHttps(@TempDir final Path folder) {
        final TestAuthority authority = new TestAuthority("authority");
        final TestCertificate own = authority.issue("broker", "127.0.0.1");
        final TestCertificate ann = authority.issue("ann");
        final String trust = authority.writeTrust(folder.resolve("trust.pem"));
        final TlsConfig tls = TlsConfig.defaults()
                .certificate(own.writeCertificate(folder.resolve("own.pem")), own.writeKey(folder.resolve("own.key")))
                .trust(trust, "")
                .clientCertificates(ClientCertificates.REQUIRED);
        try (Broker encrypted = Broker.launch(BrokerConfig.builder()
                        .listen(ENDPOINT + "-encrypted")
                        .events(EventHandler.NONE)
                        .tls(tls)
                        .build());
                AdminServer server = AdminServer.launch(AdminConfig.listening("https://127.0.0.1:0"), encrypted)) {
            final String url = server.endpoint().toString();
            final String certificate = ann.writeCertificate(folder.resolve("ann.pem"));
            final String key = ann.writeKey(folder.resolve("ann.key"));

            assertThat(run(
                            "client",
                            "list",
                            "--admin",
                            url,
                            "--tls-ca",
                            trust,
                            "--tls-cert",
                            certificate,
                            "--tls-key",
                            key))
                    .as(err.toString())
                    .isZero();
            assertThat(run("client", "list", "--admin", url, "--tls-cert", certificate, "--tls-key", key))
                    .isEqualTo(Main.EXIT_FAILED);
            assertThat(err.toString()).contains(url).contains("signed by nobody who is trusted here");
            assertThat(run("client", "list", "--admin", url, "--tls-ca", trust)).isEqualTo(Main.EXIT_FAILED);
            assertThat(run("client", "list", "--admin", url, "--tls-ca", "/no/such/file"))
                    .isEqualTo(Main.EXIT_USAGE);
            assertThat(err.toString()).contains("tls.trust: cannot be read: /no/such/file");
            assertThat(run("client", "list", "--admin", url.replace("https", "http")))
                    .isEqualTo(Main.EXIT_FAILED);
            assertThat(err.toString()).contains("does not speak TLS, and must here (use https)");
            assertThat(run(
                            "client",
                            "list",
                            "--admin",
                            admin.endpoint().toString().replace("http", "https")))
                    .isEqualTo(Main.EXIT_FAILED);
            assertThat(err.toString()).contains("the peer does not speak TLS (");
        }
    }

    /** Endpoints for clients of the broker, with TLS and without. */
    @ParameterizedTest
    @CsvSource({"tcps, http", "tcps, https", "tcp, http", "tcp, https"})
    void shouldSayThatAnEndpointIsNoAdminServer(final String scheme, final String spoken, @TempDir final Path folder) {
        final TestAuthority authority = new TestAuthority("authority");
        final TestCertificate own = authority.issue("broker", "127.0.0.1");
        try (Broker other = Broker.launch(BrokerConfig.builder()
                .listen(scheme + "://127.0.0.1:0")
                .events(EventHandler.NONE)
                .tls(TlsConfig.defaults()
                        .certificate(
                                own.writeCertificate(folder.resolve("own.pem")),
                                own.writeKey(folder.resolve("own.key"))))
                .build())) {
            final String url =
                    spoken + "://127.0.0.1:" + other.endpoints().get(0).getPort();

            assertThat(run(
                            "client",
                            "list",
                            "--admin",
                            url,
                            "--tls-ca",
                            authority.writeTrust(folder.resolve("trust.pem"))))
                    .isEqualTo(Main.EXIT_FAILED);
            assertThat(err.toString()).as(url).contains(url).contains("TLS");
            assertThat(err.toString()).doesNotContain("cannot be reached");
        }
    }

    @Test
    void shouldListClientsAndDisconnectOne() throws Exception {
        final CompletableFuture<Disconnect> reason = new CompletableFuture<>();
        final String url = admin.endpoint().toString();
        try (PenstockClient victim = PenstockClient.connect(ClientConfig.builder(ENDPOINT)
                .name("victim")
                .onDisconnect(disconnect -> !reason.complete(disconnect))
                .build())) {
            assertThat(victim.topics("")).isEmpty();
            assertThat(run("client", "list", "--admin", url, "--json")).isZero();
            assertThat(out.toString()).contains("\"name\":\"victim\"");
            final String id = out.toString().replaceAll("(?s).*\"id\":\"(\\d+)\".*", "$1");

            assertThat(run("client", "kick", id, "--admin", url)).isZero();

            assertThat(reason.get(30, TimeUnit.SECONDS).errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        }
        assertThat(run("client", "kick", "4711", "--admin", url)).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString()).contains("no such one: 4711");
        assertThat(run("client", "list", "--admin", "nonsense")).isEqualTo(Main.EXIT_USAGE);
        admin.close();
        assertThat(run("client", "list", "--admin", url)).isEqualTo(Main.EXIT_FAILED);
        assertThat(err.toString()).contains("cannot be reached");
    }
}
