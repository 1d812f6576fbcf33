package io.penstock.bench.fanout;

import io.penstock.bench.embedded.Background;
import io.penstock.bench.figure.Pace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The limit: writes the bytes of a burst, which never change, to one socket after the other. It makes no frames, copies nothing and
 * asks nobody. Confined to the main thread.
 */
final class PlainWriter implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final FanoutPlan plan;
    private final ByteBuffer burst;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final Receivers receivers;
    private final Background receiving;
    private long written;

    private PlainWriter(final FanoutPlan plan, final ServerSocketChannel server) throws IOException {
        this.plan = plan;
        burst = SharedFrames.burst(plan.subscriptions(), plan.burst(), plan.length());
        final int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
        receivers = Receivers.silent(URI.create("tcp://127.0.0.1:" + port), plan);
        receiving = Background.start("bench-plain-receivers", receivers, receivers::stop);
    }

    static PlainWriter connect(final FanoutPlan plan) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), plan.connections());
            final PlainWriter writer = new PlainWriter(plan, server);
            for (int i = 0; i < plan.connections(); i++) {
                final SocketChannel channel = server.accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                writer.channels.add(channel);
            }
            return writer;
        }
    }

    /** Writes for some time, and until all of it was received. */
    Pace write(final long durationNs) throws IOException, InterruptedException {
        final long before = written;
        final long startNs = System.nanoTime();
        final long startCpuNs = THREADS.getCurrentThreadCpuTime();
        while (System.nanoTime() - startNs < durationNs) {
            for (int i = 0; i < channels.size(); i++) {
                burst.clear();
                while (burst.hasRemaining()) {
                    channels.get(i).write(burst);
                }
            }
            written += (long) plan.burst() * plan.fanOut();
        }
        final long cpuNs = THREADS.getCurrentThreadCpuTime() - startCpuNs;
        FanoutRun.awaitDelivered(receiving, receivers, written);
        return new Pace(written - before, System.nanoTime() - startNs, Math.max(1, cpuNs));
    }

    /** Fails when the connections have not all got the same. */
    void end() throws InterruptedException {
        receiving.end();
    }

    @Override
    public void close() throws IOException {
        receiving.close();
        for (final SocketChannel channel : channels) {
            channel.close();
        }
    }
}
