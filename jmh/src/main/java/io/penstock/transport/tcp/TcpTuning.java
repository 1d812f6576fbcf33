package io.penstock.transport.tcp;

import io.penstock.transport.Connection;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamMedium;
import io.penstock.transport.stream.StreamTransport;
import io.penstock.transport.stream.epoll.EpollSocketLoop;
import io.penstock.transport.stream.nio.NioSocketLoop;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Varies the length of the receive buffer and the threshold above which a body is sent from where it lies. One thread
 * polls both ends, so that the figure is the processor time that a frame costs in all, in the kernel too, and does not
 * depend on where threads run.
 *
 * <pre>java -cp ... io.penstock.transport.tcp.TcpTuning [rounds]</pre>
 */
public final class TcpTuning {
    private static final int HEADER_LENGTH = 32;
    private static final int BURST_LENGTH = 256 * 1024;
    private static final int LOG_LENGTH = 64 * 1024 * 1024;
    private static final long ROUND_LENGTH = 512L * 1024 * 1024;
    private static final int NEVER = Integer.MAX_VALUE;

    /** Processor time, which neighbours on the machine change less than elapsed time. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final UnsafeBuffer LOG = new UnsafeBuffer(ByteBuffer.allocateDirect(LOG_LENGTH));

    private TcpTuning() {}

    private record Variant(boolean isEpoll, int receiveLength, int gatherLengthMin, int bodyLength) {}

    /**
     * Runs all variants.
     *
     * @param args the number of rounds, 5 unless given.
     * @throws IOException when a socket fails.
     */
    public static void main(final String[] args) throws IOException {
        final int roundCount = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        LOG.setMemory(0, LOG_LENGTH, (byte) 1);
        final List<Variant> variants = variants();
        final double[][] nsPerFrame = new double[variants.size()][roundCount];
        for (int round = -1; round < roundCount; round++) {
            for (int i = 0; i < variants.size(); i++) {
                final double ns = run(variants.get(i));
                if (round >= 0) {
                    nsPerFrame[i][round] = ns;
                }
            }
        }
        print(System.out, variants, nsPerFrame);
    }

    private static List<Variant> variants() {
        final List<Variant> variants = new ArrayList<>();
        for (final int bodyLength : new int[] {100, 1024, 64 * 1024 - HEADER_LENGTH}) {
            for (final int receiveLength : new int[] {128 * 1024, 256 * 1024, 512 * 1024}) {
                variants.add(new Variant(true, receiveLength, NEVER, bodyLength));
            }
            variants.add(new Variant(false, 256 * 1024, NEVER, bodyLength));
        }
        for (final int bodyLength :
                new int[] {1024, 2048, 4096, 8192, 12_288, 16_384, 24_576, 32_768, 64 * 1024 - HEADER_LENGTH}) {
            variants.add(new Variant(true, 256 * 1024, NEVER, bodyLength));
            variants.add(new Variant(true, 256 * 1024, 0, bodyLength));
        }
        return variants;
    }

    private static double run(final Variant variant) throws IOException {
        final Counter received = new Counter();
        try (StreamTransport server = open(variant, received);
                StreamTransport client = open(variant, new Counter())) {
            final URI bound = server.listen(URI.create("tcp://127.0.0.1:0"));
            final Connection connection = client.connect(bound);
            final int frameLength = HEADER_LENGTH + variant.bodyLength();
            final int burstCount = Math.max(1, BURST_LENGTH / frameLength);
            final long frameCount = Math.min(2_000_000, ROUND_LENGTH / frameLength);
            long sent = 0;
            int offset = 0;
            final long startNs = THREADS.getCurrentThreadCpuTime();
            while (received.count < frameCount) {
                for (int i = 0; i < burstCount && sent < frameCount; i++) {
                    if (connection.offer(LOG, 0, HEADER_LENGTH, LOG, offset, variant.bodyLength(), 0) < 0) {
                        break;
                    }
                    sent++;
                    offset += frameLength;
                    offset = offset + frameLength > LOG_LENGTH ? 0 : offset;
                }
                client.poll(1);
                server.poll(Integer.MAX_VALUE);
            }
            return (double) (THREADS.getCurrentThreadCpuTime() - startNs) / frameCount;
        }
    }

    private static StreamTransport open(final Variant variant, final TransportHandler handler) throws IOException {
        final SocketLoop loop = variant.isEpoll()
                ? new EpollSocketLoop(SystemNanoClock.INSTANCE)
                : new NioSocketLoop(new SelectorLoop(), true);
        final TransportContext context = new TransportContext(
                handler,
                TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                TransportContext.CONNECTION_LIMIT_DEFAULT,
                new TransportCounters(),
                () -> {},
                Throwable::printStackTrace);
        return new StreamTransport(
                context,
                StreamMedium.plain("tcp"),
                loop,
                SystemNanoClock.INSTANCE,
                variant.receiveLength(),
                variant.gatherLengthMin());
    }

    private static void print(final PrintStream out, final List<Variant> variants, final double[][] nsPerFrame) {
        out.printf("%-6s %8s %8s %8s %12s %10s%n", "loop", "body B", "recv KiB", "gather", "CPU ns/frame", "B/ns");
        for (int i = 0; i < variants.size(); i++) {
            final Variant variant = variants.get(i);
            Arrays.sort(nsPerFrame[i]);
            final double median = nsPerFrame[i][nsPerFrame[i].length / 2];
            out.printf(
                    "%-6s %8d %8d %8s %12.1f %10.2f%n",
                    variant.isEpoll() ? "epoll" : "nio",
                    variant.bodyLength(),
                    variant.receiveLength() / 1024,
                    variant.gatherLengthMin() == NEVER ? "never" : "always",
                    median,
                    (variant.bodyLength() + HEADER_LENGTH) / median);
        }
    }

    private static final class Counter implements TransportHandler {
        private long count;

        @Override
        public void onConnect(final Connection connection) {}

        @Override
        public boolean onFragment(
                final Connection connection,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int frameOffset,
                final int frameLength) {
            count++;
            return true;
        }

        @Override
        public void onDisconnect(final Connection connection, final String reason) {
            throw new IllegalStateException(reason);
        }
    }
}
