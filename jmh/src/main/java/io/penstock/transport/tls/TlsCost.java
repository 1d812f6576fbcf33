package io.penstock.transport.tls;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.tcp.TcpTransportProvider;
import io.penstock.transport.tcp.TcpsTransportProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compares {@code tcps} with {@code tcp} in alternating rounds, for each engine that there is, and with that engine over bare
 * sockets and without any. One thread polls both ends, so that the figure is the processor time that a frame costs in all, in the
 * kernel too.
 *
 * <pre>java -cp ... io.penstock.transport.tls.TlsCost [rounds]</pre>
 */
public final class TlsCost {
    private static final int SMALL_LENGTH = 100;
    private static final int LARGE_LENGTH = 64 * 1024;

    /** With its length before it, a frame of 64 KiB is one record more. */
    private static final int PREFIX_LENGTH = Integer.BYTES;

    private static final int BURST_LENGTH = 256 * 1024;
    private static final long SMALL_COUNT = 1_000_000;
    private static final long LARGE_COUNT = 8_000;
    private static final int HANDSHAKE_COUNT = 200;
    private static final String PLAIN = "tcp";
    private static final String SMALL = ", 100 B";
    private static final String LARGE = ", 64 KiB";
    private static final String OVER_SOCKETS = ", 64 KiB, engine over bare sockets";
    private static final String ALONE = ", 64 KiB, engine alone";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final UnsafeBuffer FRAME = new UnsafeBuffer(ByteBuffer.allocateDirect(LARGE_LENGTH));

    private TlsCost() {}

    /** What a round measures: nanoseconds of processor time for each frame. */
    private interface Round {
        double run() throws Exception;
    }

    /**
     * Runs all rounds.
     *
     * @param args the number of rounds, 5 unless given.
     * @throws Exception when a socket or the engine fails.
     */
    public static void main(final String[] args) throws Exception {
        final int roundCount = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        final Map<String, Round> rounds = new LinkedHashMap<>();
        final TransportProvider plain = new TcpTransportProvider();
        final TlsContexts jdk = contexts(EngineChoice.JDK);
        rounds.put(PLAIN + SMALL, () -> frames(plain, jdk, SMALL_LENGTH, SMALL_COUNT));
        rounds.put(PLAIN + LARGE, () -> frames(plain, jdk, LARGE_LENGTH, LARGE_COUNT));
        final List<TlsContexts> all = new ArrayList<>(List.of(jdk));
        final TlsContexts other = contexts(EngineChoice.AUTO);
        if (other.engine().equals(jdk.engine())) {
            System.out.println("no native engine on the class path");
        } else {
            all.add(other);
        }
        for (final TlsContexts contexts : all) {
            addRounds(rounds, contexts);
        }
        final Map<String, double[]> figures = new LinkedHashMap<>();
        for (int round = -1; round < roundCount; round++) {
            for (final Map.Entry<String, Round> each : rounds.entrySet()) {
                final double ns = each.getValue().run();
                if (round >= 0) {
                    figures.computeIfAbsent(each.getKey(), name -> new double[roundCount])[round] = ns;
                }
            }
        }
        figures.values().forEach(Arrays::sort);
        figures.forEach((name, values) -> System.out.printf(
                Locale.ROOT,
                "%-42s %10.0f ns (%.0f to %.0f)%n",
                name,
                median(values),
                values[0],
                values[values.length - 1]));
        for (final TlsContexts contexts : all) {
            printShares(figures, contexts.engine());
        }
    }

    private static void addRounds(final Map<String, Round> rounds, final TlsContexts contexts) {
        final String engine = contexts.engine();
        final TransportProvider encrypted = new TcpsTransportProvider();
        rounds.put(engine + SMALL, () -> frames(encrypted, contexts, SMALL_LENGTH, SMALL_COUNT));
        rounds.put(engine + LARGE, () -> frames(encrypted, contexts, LARGE_LENGTH, LARGE_COUNT));
        rounds.put(engine + OVER_SOCKETS, () -> bare(contexts, true));
        rounds.put(engine + ALONE, () -> bare(contexts, false));
        final double[] elapsed = new double[1];
        rounds.put(engine + ", handshake, agents' part", () -> {
            final double[] both = handshakes(contexts);
            elapsed[0] = both[1];
            return both[0];
        });
        rounds.put(engine + ", handshake, elapsed", () -> elapsed[0]);
    }

    private static void printShares(final Map<String, double[]> figures, final String engine) {
        System.out.printf(
                Locale.ROOT,
                "%s: 64 KiB at %.2f of the engine's own speed over sockets, 100 B at %.2f of the speed of tcp%n",
                engine,
                ratio(figures, engine + OVER_SOCKETS, engine + LARGE),
                ratio(figures, PLAIN + SMALL, engine + SMALL));
    }

    private static double ratio(final Map<String, double[]> figures, final String one, final String other) {
        return median(Objects.requireNonNull(figures.get(one))) / median(Objects.requireNonNull(figures.get(other)));
    }

    private static double median(final double[] sorted) {
        return sorted[sorted.length / 2];
    }

    private static double bare(final TlsContexts contexts, final boolean hasSockets) throws IOException {
        try (BareEngine engine = new BareEngine(contexts, hasSockets)) {
            return engine.run(LARGE_LENGTH + PREFIX_LENGTH, LARGE_COUNT);
        }
    }

    private static TlsContexts contexts(final EngineChoice engine) throws IOException {
        final TestAuthority authority = new TestAuthority("authority");
        final TestCertificate certificate = authority.issue("cost", "127.0.0.1");
        final Path folder = Files.createTempDirectory("penstock-tls-cost");
        return TlsContexts.forServer(
                TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("own.pem")),
                                certificate.writeKey(folder.resolve("own.key")))
                        .trust(authority.writeTrust(folder.resolve("trust.pem")), "")
                        .engine(engine),
                InstantSource.system());
    }

    private static double frames(
            final TransportProvider provider, final TlsContexts contexts, final int length, final long count)
            throws IOException {
        final Counter received = new Counter();
        try (Transport server = open(provider, contexts, received);
                Transport client = open(provider, contexts, new Counter())) {
            final Connection connection =
                    client.connect(server.listen(URI.create(provider.scheme() + "://127.0.0.1:0")));
            final int burstCount = Math.max(1, BURST_LENGTH / length);
            while (received.connections == 0) {
                client.poll(1);
                server.poll(1);
            }
            long sent = 0;
            final long startNs = THREADS.getCurrentThreadCpuTime();
            while (received.count < count) {
                for (int i = 0; i < burstCount && sent < count; i++) {
                    if (connection.offer(FRAME, 0, 0, FRAME, 0, length, 0) < 0) {
                        break;
                    }
                    sent++;
                }
                client.poll(1);
                server.poll(Integer.MAX_VALUE);
            }
            return (double) (THREADS.getCurrentThreadCpuTime() - startNs) / count;
        }
    }

    /** Processor time of the thread that polls both sides, and elapsed time, for each handshake, one after the other. */
    private static double[] handshakes(final TlsContexts contexts) throws IOException {
        final Counter accepted = new Counter();
        try (Transport server = open(new TcpsTransportProvider(), contexts, accepted);
                Transport client = open(new TcpsTransportProvider(), contexts, new Counter())) {
            final URI endpoint = server.listen(URI.create("tcps://127.0.0.1:0"));
            final long startCpuNs = THREADS.getCurrentThreadCpuTime();
            final long startNs = System.nanoTime();
            for (int i = 1; i <= HANDSHAKE_COUNT; i++) {
                final Connection connection = client.connect(endpoint);
                while (accepted.connections < i) {
                    client.poll(1);
                    if (server.poll(1) == 0) {
                        server.await(100_000);
                    }
                }
                connection.close();
            }
            return new double[] {
                (double) (THREADS.getCurrentThreadCpuTime() - startCpuNs) / HANDSHAKE_COUNT,
                (double) (System.nanoTime() - startNs) / HANDSHAKE_COUNT
            };
        }
    }

    private static Transport open(
            final TransportProvider provider, final TlsContexts contexts, final TransportHandler handler)
            throws IOException {
        return provider.open(new TransportContext(
                        handler,
                        TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                        TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                        TransportContext.CONNECTION_LIMIT_DEFAULT,
                        new TransportCounters(),
                        () -> {},
                        Throwable::printStackTrace)
                .tls(contexts));
    }

    private static final class Counter implements TransportHandler {
        private long count;
        private int connections;

        @Override
        public void onConnect(final Connection connection) {
            connections++;
        }

        @Override
        public boolean onFragment(
                final Connection connection,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int frameOffset,
                final int frameLength) {
            count += frameOffset + length == frameLength ? 1 : 0;
            return true;
        }

        @Override
        public void onDisconnect(final Connection connection, final String reason) {
            // The other side has closed it.
        }
    }
}
