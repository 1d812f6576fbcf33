package io.penstock.system.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.PenstockClient;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.TlsConfig;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client of a broker to which thousands of connections are open on which nobody ever says anything. */
@Timeout(300)
class SilentConnectionsTest {
    private static final int SILENT_COUNT = 2_000;
    private static final int SESSION_COUNT_MAX = 1_000;
    private static final int ROUND_TRIPS = 200;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tcps"})
    void shouldLetAClientInAndServeIt(final String scheme) throws Exception {
        final TestAuthority authority = new TestAuthority("authority");
        final TestCertificate certificate = authority.issue("broker", "127.0.0.1");
        final String trust = authority.writeTrust(folder.resolve("trust.pem"));
        final List<Socket> silent = new ArrayList<>();
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen(scheme + "://127.0.0.1:0")
                .threading(ThreadingMode.SHARED)
                .sessions(sessions())
                .formatDefault("binary")
                .tls(TlsConfig.defaults()
                        .handshakeTimeoutMs(600_000)
                        .certificate(
                                certificate.writeCertificate(folder.resolve("own.pem")),
                                certificate.writeKey(folder.resolve("own.key"))))
                .build())) {
            final URI endpoint = broker.endpoints().get(0);
            for (int i = 0; i < SILENT_COUNT; i++) {
                silent.add(new Socket(endpoint.getHost(), endpoint.getPort()));
            }
            final SynchronousQueue<byte[]> received = new SynchronousQueue<>();
            try (PenstockClient client = PenstockClient.connect(ClientConfig.builder(endpoint.toString())
                    .requestTimeout(Duration.ofSeconds(60))
                    .tls(ClientTls.trusting(trust))
                    .build())) {
                client.subscribe("t", message -> {
                    try {
                        received.put(message.bytes());
                    } catch (final InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                for (int i = 0; i < ROUND_TRIPS; i++) {
                    client.publish("t", new byte[] {(byte) i});
                    assertThat(received.poll(60, TimeUnit.SECONDS)).containsExactly((byte) i);
                }
                // The oldest had to go, so that there are no more of this machine than it may have.
                assertThat(broker.counter("connections")).isLessThanOrEqualTo(SESSION_COUNT_MAX / 4 + 1L);
                silent.get(0).setSoTimeout(60_000);
                assertThat(endOf(silent.get(0))).contains(scheme.equals("tcp") ? "have not logged on" : "");
            }
        } finally {
            for (final Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** What was sent before the end, as far as it is text. */
    private static String endOf(final Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    /** Nobody's time is up while the test runs. */
    private static SessionConfig sessions() {
        final SessionConfig defaults = SessionConfig.defaults();
        return new SessionConfig(
                SESSION_COUNT_MAX,
                defaults.subscriptionCountMax(),
                defaults.messageLengthMax(),
                defaults.topicCountMax(),
                defaults.publisherCountMax(),
                defaults.descriptorRingLength(),
                defaults.pendingAckCountMax(),
                defaults.stagingLengthMax(),
                defaults.heartbeatIntervalMs(),
                3_600_000);
    }
}
