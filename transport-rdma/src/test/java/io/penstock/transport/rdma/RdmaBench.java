package io.penstock.transport.rdma;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the transport gets out of a device, in the words of the C program beside it: two agents, each polling without a
 * pause.
 *
 * <pre>
 *   RdmaBench ADDRESS echo LENGTH COUNT       round trips; prints median and mean in ns
 *   RdmaBench ADDRESS stream LENGTH COUNT     one way; prints MB/s
 *   RdmaBench ADDRESS steady LENGTH COUNT     one way; prints how often memory was registered meanwhile
 * </pre>
 *
 * <p>Several such triples may follow the address.
 */
public final class RdmaBench {
    private static final int FRAME_LIMIT = 64;
    private static final int FRAME_LENGTH_MAX = 64 * 1024 * 1024;

    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final AtomicLong takenLength = new AtomicLong();
    private final AtomicBoolean isEchoing = new AtomicBoolean();
    private final Transport client;
    private final Connection connection;
    private long received;

    private RdmaBench(final String address) throws IOException {
        final Transport server = open(this::serve);
        final URI bound = server.listen(URI.create("rdma://" + address + ":0"));
        final Thread agent = new Thread(() -> run(server));
        agent.setDaemon(true);
        agent.start();
        client = open((each, buffer, offset, length, frameOffset, frameLength) -> {
            received++;
            return true;
        });
        connection = client.connect(bound);
    }

    private interface OnFragment {
        boolean onFragment(
                Connection connection, DirectBuffer buffer, int offset, int length, int frameOffset, int frameLength);
    }

    private static Transport open(final OnFragment rule) throws IOException {
        final TransportHandler handler = new TransportHandler() {
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
                return rule.onFragment(connection, buffer, offset, length, frameOffset, frameLength);
            }

            @Override
            public void onDisconnect(final Connection connection, final String reason) {
                throw new IllegalStateException(connection + ": " + reason);
            }
        };
        return new RdmaTransportProvider()
                .open(new TransportContext(
                        handler,
                        FRAME_LENGTH_MAX,
                        TimeUnit.SECONDS.toNanos(5),
                        16,
                        new TransportCounters(),
                        () -> {},
                        Throwable::printStackTrace));
    }

    private void run(final Transport server) {
        while (isRunning.get()) {
            server.poll(FRAME_LIMIT);
        }
        server.close();
    }

    private boolean serve(
            final Connection peer,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (isEchoing.get()) {
            return peer.offer(buffer, offset, 0, buffer, offset, length, 0) >= 0;
        }
        takenLength.lazySet(takenLength.get() + length);
        return true;
    }

    private void echo(final int length, final int count) {
        isEchoing.set(true);
        final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        final long[] times = new long[count];
        long startNs = System.nanoTime();
        for (int i = -count; i < count; i++) {
            if (i == 0) {
                startNs = System.nanoTime();
            }
            final long sentNs = System.nanoTime();
            final long target = received + 1;
            while (connection.offer(frame, 0, 0, frame, 0, length, 0) < 0) {
                client.poll(FRAME_LIMIT);
            }
            while (received < target) {
                client.poll(FRAME_LIMIT);
            }
            if (i >= 0) {
                times[i] = System.nanoTime() - sentNs;
            }
        }
        final long meanNs = (System.nanoTime() - startNs) / count;
        Arrays.sort(times);
        print("echo length=%d median_ns=%d mean_ns=%d", length, times[count / 2], meanNs);
        isEchoing.set(false);
    }

    private long stream(final int length, final int count) {
        final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        final long target = takenLength.get() + (long) length * count;
        final long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            int sent = 0;
            while (sent < length) {
                final int part = Math.min(connection.bestSendLength(), length - sent);
                if (connection.offer(frame, 0, 0, frame, sent, part, length - sent - part) >= 0) {
                    sent += part;
                } else {
                    client.poll(FRAME_LIMIT);
                }
            }
        }
        while (takenLength.get() < target) {
            client.poll(FRAME_LIMIT);
        }
        return System.nanoTime() - startNs;
    }

    private static void print(final String format, final Object... values) {
        System.out.printf(System.getProperty("java.specification.version") + " " + format + "%n", values);
    }

    private void run(final String what, final int length, final int count) {
        switch (what) {
            case "echo" -> echo(length, count);
            case "stream" -> {
                stream(length, Math.max(1, count / 4));
                final long ns = stream(length, count);
                print("stream length=%d mb_s=%.1f", length, (double) length * count * 1000 / ns);
            }
            case "steady" -> {
                stream(length, 1000);
                final long before = MemoryRegistrar.registrationCountOfAll();
                final long ns = stream(length, count);
                print(
                        "steady length=%d count=%d registrations=%d ns=%d",
                        length, count, MemoryRegistrar.registrationCountOfAll() - before, ns);
            }
            default -> throw new IllegalArgumentException(what + ": not echo, stream or steady");
        }
    }

    /**
     * Runs it.
     *
     * @param args as above.
     * @throws Exception when there is no device.
     */
    public static void main(final String[] args) throws Exception {
        final RdmaBench bench = new RdmaBench(args[0]);
        for (int i = 1; i + 2 < args.length; i += 3) {
            bench.run(args[i], Integer.parseInt(args[i + 1]), Integer.parseInt(args[i + 2]));
        }
        bench.isRunning.set(false);
        System.exit(0);
    }
}
