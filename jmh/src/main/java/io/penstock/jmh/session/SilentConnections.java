package io.penstock.jmh.session;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.PenstockClient;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.TlsConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Round trips of an honest client, one each millisecond, beside connections on which nothing is ever sent, and beside none.
 * Another process opens these, and opens others for those that the broker closes. Times count from when a round trip was
 * due.
 *
 * <pre>java -cp ... io.penstock.jmh.session.SilentConnections [connections [seconds]]</pre>
 */
public final class SilentConnections {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PARK_NS = 20_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private SilentConnections() {}

    /**
     * Runs it, over {@code tcp} and {@code tcps}.
     *
     * @param args the number of connections, 19,000 unless given, and of seconds for each measurement, 20 unless given.
     * @throws IOException when no files can be written, or no process started.
     */
    public static void main(final String[] args) throws IOException {
        final int connectionCount = args.length > 0 ? Integer.parseInt(args[0]) : 19_000;
        final int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        final TestAuthority authority = new TestAuthority("authority");
        final TestCertificate certificate = authority.issue("broker", "127.0.0.1");
        final Path folder = Files.createTempDirectory("penstock-silent");
        final String trust = authority.writeTrust(folder.resolve("trust.pem"));
        final TlsConfig tls = TlsConfig.defaults()
                .certificate(
                        certificate.writeCertificate(folder.resolve("own.pem")),
                        certificate.writeKey(folder.resolve("own.key")));
        for (final String scheme : List.of("tcp", "tcps")) {
            try (Broker broker = Broker.launch(BrokerConfig.builder()
                    .listen(scheme + "://127.0.0.1:0")
                    .formatDefault("binary")
                    .tls(tls)
                    .build())) {
                final URI endpoint = broker.endpoints().get(0);
                measure(scheme, "warm-up", endpoint, trust, seconds / 2);
                measure(scheme, "beside none", endpoint, trust, seconds);
                try (Holder holder = new Holder(endpoint, connectionCount)) {
                    measure(scheme, "beside " + holder.ready(), endpoint, trust, seconds);
                }
                measure(scheme, "after them", endpoint, trust, seconds);
            }
        }
    }

    private static void measure(
            final String scheme, final String name, final URI endpoint, final String trust, final int seconds) {
        final long connectNs = System.nanoTime();
        final AtomicLong received = new AtomicLong();
        try (PenstockClient client = PenstockClient.connect(ClientConfig.builder(endpoint.toString())
                .requestTimeout(TIMEOUT)
                .tls(ClientTls.trusting(trust))
                .build())) {
            client.subscribe("t", message -> received.lazySet(received.get() + 1));
            final long startNs = System.nanoTime();
            final byte[] payload = new byte[100];
            final long[] times = new long[seconds * 1000];
            for (int i = 0; i < times.length; i++) {
                final long dueNs = startNs + i * INTERVAL_NS;
                while (System.nanoTime() - dueNs < 0) {
                    LockSupport.parkNanos(PARK_NS);
                }
                client.publish("t", payload);
                while (received.get() <= i) {
                    Thread.onSpinWait();
                }
                times[i] = System.nanoTime() - dueNs;
            }
            Arrays.sort(times);
            System.out.printf(
                    Locale.ROOT,
                    "%-4s %-30s logon %6.1f ms; round trips in us: p50 %8.0f  p99 %8.0f  p99.9 %8.0f  max %8.0f%n",
                    scheme,
                    name,
                    (startNs - connectNs) / 1e6,
                    times[times.length / 2] / 1e3,
                    times[(int) (times.length * 0.99)] / 1e3,
                    times[(int) (times.length * 0.999)] / 1e3,
                    times[times.length - 1] / 1e3);
        }
    }

    /** The process that holds the silent connections. */
    private static final class Holder implements AutoCloseable {
        private final Process process;
        private final BufferedReader lines;

        Holder(final URI endpoint, final int connectionCount) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            SilentHolder.class.getName(),
                            endpoint.getHost(),
                            String.valueOf(endpoint.getPort()),
                            String.valueOf(connectionCount))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** Waits until all were opened once. Returns what the process says. */
        String ready() throws IOException {
            return String.valueOf(lines.readLine());
        }

        @Override
        public void close() throws IOException {
            // It ends with its input, and says how many it had to open.
            process.getOutputStream().close();
            System.out.println("     " + lines.readLine());
        }
    }
}
