package io.penstock.bench.fanout;

import io.penstock.bench.embedded.Background;
import io.penstock.bench.figure.Pace;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * The limit: writes the bytes of a burst, which never change, to one socket after the other. It makes no frames, copies nothing and
 * asks nobody. Confined to the main thread.
 */
final class PlainWriter implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** How often it looks whether the receivers are still there while none connects. */
    private static final int LOOK_MS = 100;

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final FanoutPlan plan;
    private final ByteBuffer burst;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final Receivers receivers;
    private final Background receiving;
    private long written;

    private PlainWriter(final FanoutPlan plan, final URI endpoint) {
        this.plan = plan;
        burst = SharedFrames.burst(plan.subscriptions(), plan.burst(), plan.length());
        receivers = Receivers.silent(endpoint, plan);
        receiving = Background.start("bench-plain-receivers", receivers, receivers::stop);
    }

    static PlainWriter connect(final FanoutPlan plan) throws IOException, InterruptedException {
        return connect(plan, port -> URI.create("tcp://127.0.0.1:" + port));
    }

    /**
     * Waits for its receivers.
     *
     * @param endpoint where these connect to, by the port on which they are waited for.
     * @throws CommandFailure        when they have not connected for long.
     * @throws IllegalStateException when they cannot connect.
     */
    static PlainWriter connect(final FanoutPlan plan, final IntFunction<URI> endpoint)
            throws IOException, InterruptedException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), plan.connections());
            final int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            final PlainWriter writer = new PlainWriter(plan, endpoint.apply(port));
            boolean isConnected = false;
            try {
                writer.accept(server.socket());
                isConnected = true;
                return writer;
            } finally {
                if (!isConnected) {
                    writer.close();
                }
            }
        }
    }

    private void accept(final ServerSocket server) throws IOException, InterruptedException {
        server.setSoTimeout(LOOK_MS);
        long lastNs = System.nanoTime();
        while (channels.size() < plan.connections()) {
            try {
                final SocketChannel channel = server.accept().getChannel();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channels.add(channel);
                lastNs = System.nanoTime();
            } catch (final SocketTimeoutException e) {
                FanoutRun.checkRunning(receiving);
                if (System.nanoTime() - lastNs > PATIENCE_NS) {
                    throw CommandFailure.failed("bench: only " + channels.size() + " of " + plan.connections()
                            + " receivers have connected, and no other one for a minute");
                }
            }
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
