package io.penstock.vm.guest;

import io.penstock.transport.Connection;
import io.penstock.transport.LentMemory;
import io.penstock.transport.RemoteMemory;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a transport gets out of the guest: two agents of one process, each polling without a pause. Figures are for
 * comparison with others of the same guest, and mean nothing by themselves.
 */
final class TransportBench implements AutoCloseable {
    private static final int FRAME_LIMIT = 64;
    private static final int FRAME_LENGTH_MAX = 64 * 1024 * 1024;

    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final AtomicLong takenLength = new AtomicLong();
    private final AtomicBoolean isEchoing = new AtomicBoolean();
    private final AtomicBoolean isLending = new AtomicBoolean();
    private final AtomicReference<@Nullable RemoteMemory> lent = new AtomicReference<>();
    private final AtomicReference<@Nullable String> lost = new AtomicReference<>();
    private final Thread agent;
    private final Transport client;
    private final Connection connection;
    private long received;
    private volatile int lentLength;

    /** @param endpoint to listen on and to connect to. */
    TransportBench(final URI endpoint) throws IOException {
        final Transport server = open(endpoint, this::serve);
        final URI bound = server.listen(endpoint);
        agent = new Thread(() -> run(server));
        agent.setDaemon(true);
        agent.start();
        client = open(endpoint, (each, buffer, offset, length, frameOffset, frameLength) -> {
            received++;
            return true;
        });
        connection = client.connect(bound);
    }

    private interface OnFragment {
        boolean onFragment(
                Connection connection, DirectBuffer buffer, int offset, int length, int frameOffset, int frameLength);
    }

    private Transport open(final URI endpoint, final OnFragment rule) throws IOException {
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
                lost.compareAndSet(null, reason);
            }
        };
        return Transports.providerFor(endpoint)
                .open(new TransportContext(
                        handler,
                        FRAME_LENGTH_MAX,
                        TimeUnit.SECONDS.toNanos(5),
                        16,
                        new TransportCounters(),
                        () -> {},
                        error -> {
                            throw new IllegalStateException(error);
                        }));
    }

    private void run(final Transport server) {
        while (isRunning.get()) {
            server.poll(FRAME_LIMIT);
            Thread.onSpinWait();
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
        if (isLending.get()) {
            try {
                lent.set(peer.remoteMemory(buffer.getStringWithoutLengthAscii(offset, length), lentLength));
            } catch (final IOException ex) {
                throw new IllegalStateException(ex);
            }
            return true;
        }
        if (isEchoing.get()) {
            return peer.offer(buffer, offset, 0, buffer, offset, length, 0) >= 0;
        }
        takenLength.lazySet(takenLength.get() + length);
        return true;
    }

    /** Round trips, the first half of which does not count. Returns the median in nanoseconds. */
    long echo(final int length, final int count) {
        isEchoing.set(true);
        final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        final long[] times = new long[count];
        for (int i = -count; i < count; i++) {
            final long sentNs = System.nanoTime();
            final long target = received + 1;
            while (connection.offer(frame, 0, 0, frame, 0, length, 0) < 0) {
                poll();
            }
            while (received < target) {
                poll();
            }
            if (i >= 0) {
                times[i] = System.nanoTime() - sentNs;
            }
        }
        isEchoing.set(false);
        Arrays.sort(times);
        return times[count / 2];
    }

    /** Frames one way, as many under way as fit. Returns the nanoseconds that it took. */
    long stream(final int length, final int count) {
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
                    poll();
                }
            }
        }
        while (takenLength.get() < target) {
            poll();
        }
        return System.nanoTime() - startNs;
    }

    /** Lends memory of the client to the server. */
    LentMemory lend(final int length) throws IOException {
        final LentMemory memory = connection.lendMemory(length);
        if (memory == null) {
            throw new IOException("the transport lends no memory");
        }
        final UnsafeBuffer key = new UnsafeBuffer(memory.key().getBytes(StandardCharsets.US_ASCII));
        lentLength = length;
        isLending.set(true);
        while (connection.offer(key, 0, 0, key, 0, key.capacity(), 0) < 0) {
            poll();
        }
        while (lent.get() == null) {
            poll();
        }
        isLending.set(false);
        return memory;
    }

    private void poll() {
        client.poll(FRAME_LIMIT);
        final String reason = lost.get();
        if (reason != null) {
            throw new IllegalStateException("the connection was lost: " + reason);
        }
    }

    /** What the server sees of that memory. */
    RemoteMemory remote() {
        return Objects.requireNonNull(lent.get());
    }

    @Override
    public void close() {
        client.close();
        isRunning.set(false);
        try {
            agent.join();
        } catch (final InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }
}
