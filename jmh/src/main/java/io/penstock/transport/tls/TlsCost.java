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
import java.util.Arrays;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compares {@code tcps} with {@code tcp} in alternating rounds, and with the engine of the JDK over bare sockets and without
 * any. One thread polls both ends, so that the figure is the processor time that a frame costs in all, in the kernel too.
 *
 * <pre>java -cp ... io.penstock.transport.tls.TlsCost [rounds]</pre>
 */
public final class TlsCost {
    private static final int SMALL_LENGTH = 100;
    private static final int LARGE_LENGTH = 64 * 1024;
    private static final int BURST_LENGTH = 256 * 1024;
    private static final long SMALL_COUNT = 1_000_000;
    private static final long LARGE_COUNT = 8_000;
    private static final int HANDSHAKE_COUNT = 200;
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
        final TlsContexts contexts = contexts();
        final TransportProvider plain = new TcpTransportProvider();
        final TransportProvider encrypted = new TcpsTransportProvider();
        final String[] names = {
            "tcp, 100 B",
            "tcps, 100 B",
            "tcp, 64 KiB",
            "tcps, 64 KiB",
            "engine over sockets, 64 KiB",
            "engine alone, 64 KiB",
            "handshakes, agents' part",
            "handshakes, in all (elapsed)"
        };
        final double[][] figures = new double[names.length][roundCount];
        for (int round = -1; round < roundCount; round++) {
            final double[] handshakes = handshakes(contexts);
            final Round[] rounds = {
                () -> frames(plain, contexts, SMALL_LENGTH, SMALL_COUNT),
                () -> frames(encrypted, contexts, SMALL_LENGTH, SMALL_COUNT),
                () -> frames(plain, contexts, LARGE_LENGTH, LARGE_COUNT),
                () -> frames(encrypted, contexts, LARGE_LENGTH, LARGE_COUNT),
                () -> new BareEngine(contexts, true).run(LARGE_LENGTH, LARGE_COUNT),
                () -> new BareEngine(contexts, false).run(LARGE_LENGTH, LARGE_COUNT),
                () -> handshakes[0],
                () -> handshakes[1]
            };
            for (int i = 0; i < names.length; i++) {
                final double ns = rounds[i].run();
                if (round >= 0) {
                    figures[i][round] = ns;
                }
            }
        }
        for (int i = 0; i < names.length; i++) {
            Arrays.sort(figures[i]);
            System.out.printf(
                    Locale.ROOT,
                    "%-30s %12.0f ns (%.0f to %.0f)%n",
                    names[i],
                    figures[i][roundCount / 2],
                    figures[i][0],
                    figures[i][roundCount - 1]);
        }
    }

    private static TlsContexts contexts() throws IOException {
        final TestAuthority authority = new TestAuthority("authority");
        final TestCertificate certificate = authority.issue("cost", "127.0.0.1");
        final Path folder = Files.createTempDirectory("penstock-tls-cost");
        return TlsContexts.forServer(
                TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("own.pem")),
                                certificate.writeKey(folder.resolve("own.key")))
                        .trust(authority.writeTrust(folder.resolve("trust.pem")), ""),
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
