package io.penstock.transport.tcp;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.TransportProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compares ways to drive sockets on a server: this transport over epoll and over Java's selector, Netty's channels on
 * Netty's own event loop thread, and Netty's channels on a loop that the agent drives. The client is the same for all.
 * Prints the server's processor time for each frame, and the median round trip.
 *
 * <pre>java -cp ... io.penstock.transport.tcp.EventLoops [rounds]</pre>
 */
public final class EventLoops {
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int PING_COUNT = 10_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private EventLoops() {}

    private enum Kind {
        TRANSPORT_EPOLL,
        TRANSPORT_NIO,
        NETTY_THREAD,
        NETTY_MANUAL
    }

    private enum Load {
        PING_64(64, true),
        STREAM_100(100, false),
        STREAM_64K(64 * 1024, false);

        private final int length;
        private final boolean isEcho;

        Load(final int length, final boolean isEcho) {
            this.length = length;
            this.isEcho = isEcho;
        }
    }

    private record Result(double serverNsPerFrame, double roundTripNs) {}

    /**
     * Runs all kinds under all loads.
     *
     * @param args the number of rounds, 5 unless given.
     * @throws Exception when a socket fails.
     */
    public static void main(final String[] args) throws Exception {
        final int roundCount = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        for (final Load load : Load.values()) {
            final Map<Kind, List<Result>> results = new EnumMap<>(Kind.class);
            for (int round = -1; round < roundCount; round++) {
                for (final Kind kind : Kind.values()) {
                    final Result result = run(kind, load);
                    if (round >= 0) {
                        results.computeIfAbsent(kind, key -> new ArrayList<>()).add(result);
                    }
                }
            }
            results.forEach((kind, of) -> System.out.printf(
                    "%-12s %-16s server CPU %9.1f ns/frame   round trip %9.1f us%n",
                    load,
                    kind,
                    median(of.stream().mapToDouble(Result::serverNsPerFrame).toArray()),
                    median(of.stream().mapToDouble(Result::roundTripNs).toArray()) / 1000));
        }
    }

    private static double median(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static Result run(final Kind kind, final Load load) throws Exception {
        final Server server = start(kind, load);
        final Client handler = new Client();
        try (Transport client = TcpTransportProvider.epoll().open(context(handler))) {
            final Connection connection = client.connect(URI.create("tcp://127.0.0.1:" + server.port()));
            return load.isEcho
                    ? ping(server, client, connection, handler, load.length)
                    : stream(server, client, connection, load.length);
        } finally {
            server.stop();
        }
    }

    private static Result ping(
            final Server server,
            final Transport client,
            final Connection connection,
            final Client handler,
            final int length) {
        final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        final double[] roundTrips = new double[PING_COUNT];
        long cpuBefore = 0;
        for (int i = -PING_COUNT / 5; i < PING_COUNT; i++) {
            if (i == 0) {
                cpuBefore = THREADS.getThreadCpuTime(server.threadId());
            }
            final long startNs = System.nanoTime();
            final int target = handler.count + 1;
            connection.offer(frame, 0, 0, frame, 0, length, 0);
            while (handler.count < target) {
                if (client.poll(10) == 0) {
                    client.await(WAIT_NS);
                }
            }
            if (i >= 0) {
                roundTrips[i] = System.nanoTime() - startNs;
            }
        }
        final long cpuNs = THREADS.getThreadCpuTime(server.threadId()) - cpuBefore;
        return new Result((double) cpuNs / PING_COUNT, median(roundTrips));
    }

    private static Result stream(
            final Server server, final Transport client, final Connection connection, final int length) {
        final UnsafeBuffer frames = new UnsafeBuffer(ByteBuffer.allocateDirect(16 * 1024 * 1024));
        final int frameCount = Math.min(4_000_000, (512 * 1024 * 1024) / length);
        final long cpuBefore = THREADS.getThreadCpuTime(server.threadId());
        int sent = 0;
        int offset = 0;
        while (server.frameCount() < frameCount) {
            int burst = 0;
            while (sent < frameCount && burst++ < 1000) {
                if (connection.offer(frames, 0, 0, frames, offset, length, 0) < 0) {
                    client.await(WAIT_NS);
                    break;
                }
                sent++;
                offset = offset + 2 * length > frames.capacity() ? 0 : offset + length;
            }
            client.poll(10);
        }
        return new Result((double) (THREADS.getThreadCpuTime(server.threadId()) - cpuBefore) / frameCount, 0);
    }

    private interface Server {
        int port();

        long threadId();

        long frameCount();

        void stop() throws InterruptedException;
    }

    private static Server start(final Kind kind, final Load load) throws Exception {
        return switch (kind) {
            case TRANSPORT_EPOLL -> new TransportServer(TcpTransportProvider.epoll(), load.isEcho);
            case TRANSPORT_NIO -> new TransportServer(TcpTransportProvider.nio(), load.isEcho);
            case NETTY_THREAD -> new NettyServer(load.isEcho, false);
            case NETTY_MANUAL -> new NettyServer(load.isEcho, true);
        };
    }

    private static TransportContext context(final TransportHandler handler) {
        return new TransportContext(
                handler,
                TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                TransportContext.CONNECTION_LIMIT_DEFAULT,
                new TransportCounters(),
                () -> {},
                Throwable::printStackTrace);
    }

    private static class Client implements TransportHandler {
        private int count;

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
        public void onDisconnect(final Connection connection, final String reason) {}
    }

    private static final class TransportServer extends Client implements Server {
        private final boolean isEcho;
        private final Transport transport;
        private final URI bound;
        private final Thread thread;
        private volatile long published;
        private long count;

        TransportServer(final TransportProvider provider, final boolean isEcho) throws IOException {
            this.isEcho = isEcho;
            transport = provider.open(context(this));
            bound = transport.listen(URI.create("tcp://127.0.0.1:0"));
            thread = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    if (transport.poll(1000) == 0) {
                        published = count;
                        transport.await(WAIT_NS);
                    }
                }
            });
            thread.start();
        }

        @Override
        public boolean onFragment(
                final Connection connection,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int frameOffset,
                final int frameLength) {
            if (isEcho && connection.offer(buffer, offset, 0, buffer, offset, length, 0) < 0) {
                return false;
            }
            count++;
            return true;
        }

        @Override
        public int port() {
            return bound.getPort();
        }

        @Override
        public long threadId() {
            return thread.getId();
        }

        @Override
        public long frameCount() {
            return published;
        }

        @Override
        public void stop() throws InterruptedException {
            thread.interrupt();
            thread.join();
            transport.close();
        }
    }

    private static final class NettyServer implements Server {
        private final NettyChannelServer server;
        private final EventLoopGroup group;
        private final Thread thread;
        private final InetSocketAddress address;

        NettyServer(final boolean isEcho, final boolean isManual) throws Exception {
            server = new NettyChannelServer(isEcho);
            final Thread[] threads = new Thread[1];
            if (isManual) {
                final ManualIoEventLoop[] loop = new ManualIoEventLoop[1];
                threads[0] = new Thread(() -> drive(loop[0]));
                loop[0] = new ManualIoEventLoop(threads[0], EpollIoHandler.newFactory());
                group = loop[0];
                threads[0].start();
            } else {
                group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
                group.submit(() -> threads[0] = Thread.currentThread()).sync();
            }
            thread = threads[0];
            address = (InetSocketAddress) server.bind(group).sync().channel().localAddress();
        }

        private static void drive(final ManualIoEventLoop loop) {
            while (!loop.isTerminated()) {
                if (loop.runNow() == 0) {
                    loop.run(WAIT_NS);
                }
            }
        }

        @Override
        public int port() {
            return address.getPort();
        }

        @Override
        public long threadId() {
            return thread.getId();
        }

        @Override
        public long frameCount() {
            return server.frameCount();
        }

        @Override
        public void stop() throws InterruptedException {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
