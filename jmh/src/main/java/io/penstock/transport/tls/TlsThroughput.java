package io.penstock.transport.tls;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.PenstockClient;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages of 100 bytes from a client by a broker to another client, over {@code tcp} and {@code tcps} with each engine that there
 * is, in alternating rounds. All are in this process.
 *
 * <pre>java -cp ... io.penstock.transport.tls.TlsThroughput [rounds [messages]]</pre>
 */
public final class TlsThroughput {
    private static final int LENGTH = 100;
    private static final long AHEAD_MAX = 20_000;
    private static final long PARK_NS = 50_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private TlsThroughput() {}

    /**
     * Runs all rounds.
     *
     * @param args the number of rounds, 5 unless given, and of messages in each, 1,000,000 unless given.
     * @throws IOException when no files can be written.
     */
    public static void main(final String[] args) throws IOException {
        final int roundCount = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        final int messageCount = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        final TestAuthority authority = new TestAuthority("authority");
        final TestCertificate certificate = authority.issue("broker", "127.0.0.1");
        final Path folder = Files.createTempDirectory("penstock-tls");
        final String trust = authority.writeTrust(folder.resolve("trust.pem"));
        final TlsConfig tls = TlsConfig.defaults()
                .certificate(
                        certificate.writeCertificate(folder.resolve("own.pem")),
                        certificate.writeKey(folder.resolve("own.key")));
        final List<EngineChoice> engines = new ArrayList<>(List.of(EngineChoice.JDK));
        if (TlsContexts.forClient(TlsConfig.defaults(), true).engine().startsWith("native")) {
            engines.add(EngineChoice.NATIVE);
        }
        final double[][] ratios = new double[engines.size()][roundCount];
        for (int round = -1; round < roundCount; round++) {
            final double plain = run("tcp", tls, trust, messageCount);
            for (int i = 0; i < engines.size(); i++) {
                final double encrypted = run("tcps", tls.engine(engines.get(i)), trust, messageCount);
                System.out.printf(
                        Locale.ROOT,
                        "tcp %.0f/s, tcps (%s) %.0f/s, ratio %.2f%n",
                        plain,
                        engines.get(i),
                        encrypted,
                        encrypted / plain);
                if (round >= 0) {
                    ratios[i][round] = encrypted / plain;
                }
            }
        }
        for (int i = 0; i < engines.size(); i++) {
            Arrays.sort(ratios[i]);
            System.out.printf(Locale.ROOT, "%s: median ratio %.2f%n", engines.get(i), ratios[i][roundCount / 2]);
        }
    }

    private static double run(final String scheme, final TlsConfig tls, final String trust, final int count) {
        final byte[] payload = new byte[LENGTH];
        final AtomicLong received = new AtomicLong();
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                        .listen(scheme + "://127.0.0.1:0")
                        .formatDefault("binary")
                        .tls(tls)
                        .build());
                PenstockClient to = connect(broker, trust, tls.engine());
                PenstockClient from = connect(broker, trust, tls.engine())) {
            to.subscribe("t", message -> received.lazySet(received.get() + 1));
            final long startNs = System.nanoTime();
            for (int i = 0; i < count; i++) {
                while (i - received.get() > AHEAD_MAX) {
                    LockSupport.parkNanos(PARK_NS);
                }
                from.publish("t", payload);
            }
            while (received.get() < count) {
                LockSupport.parkNanos(PARK_NS);
            }
            return count / ((System.nanoTime() - startNs) / 1e9);
        }
    }

    private static PenstockClient connect(final Broker broker, final String trust, final EngineChoice engine) {
        return PenstockClient.connect(
                ClientConfig.builder(broker.endpoints().get(0).toString())
                        .requestTimeout(TIMEOUT)
                        .tls(ClientTls.trusting(trust).engine(engine))
                        .build());
    }
}
