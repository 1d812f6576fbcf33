package io.penstock.transport.ipc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.transport.Connection;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A transport and what its handler has seen. */
final class IpcSide implements TransportHandler, AutoCloseable {
    static final int CONNECTION_LIMIT = 160;

    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    final TransportCounters counters = new TransportCounters();
    final List<Connection> connections = new ArrayList<>();
    final Map<Long, String> reasons = new HashMap<>();
    final Map<Long, Integer> countById = new HashMap<>();
    final List<Throwable> errors = new ArrayList<>();
    final IpcTransport transport;
    Rule rule = (connection, buffer, offset, length) -> true;

    interface Rule {
        boolean onFragment(Connection connection, DirectBuffer buffer, int offset, int length);
    }

    IpcSide() throws IOException {
        this(null);
    }

    /** One that waits in a loop; null for its own. */
    IpcSide(final @Nullable SelectorLoop loop) throws IOException {
        transport = new IpcTransport(
                new TransportContext(
                        this,
                        TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                        TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                        CONNECTION_LIMIT,
                        counters,
                        () -> {},
                        loop,
                        errors::add),
                SystemNanoClock.INSTANCE);
    }

    static void pollUntil(final String what, final BooleanSupplier condition, final IpcSide... sides) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            for (final IpcSide side : sides) {
                side.transport.poll(64);
            }
            if (System.nanoTime() - startNs > DEADLINE_NS) {
                throw new AssertionError("not within the deadline: " + what);
            }
        }
    }

    /** Skips the test where the system has no futexes to wait for several of. */
    static void needFutexes() {
        try {
            Futexes.open();
        } catch (final IOException ex) {
            assumeTrue(false, ex.getMessage());
        }
    }

    /** Waits, and never spins. */
    static void awaitUntil(final IpcSide side, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            side.transport.await(DEADLINE_NS);
            side.transport.poll(64);
            if (System.nanoTime() - startNs > DEADLINE_NS) {
                throw new AssertionError("not within the deadline");
            }
        }
    }

    /** A frame of 1000 bytes whose first is a number. */
    static boolean send(final Connection connection, final int number) {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[1000]);
        frame.setMemory(0, 1000, (byte) number);
        frame.putInt(0, number);
        return connection.offer(frame, 0, 0, frame, 0, 1000, 0) > 0;
    }

    /** Whether it is that frame. */
    static boolean isFrame(final DirectBuffer buffer, final int offset, final int length, final int number) {
        boolean isGood = length == 1000 && buffer.getInt(offset) == number;
        for (int i = Integer.BYTES; isGood && i < length; i++) {
            isGood = buffer.getByte(offset + i) == (byte) number;
        }
        return isGood;
    }

    /** Of a directory. */
    static URI endpoint(final Path directory) {
        return URI.create("ipc:" + directory);
    }

    @Override
    public void onConnect(final Connection connection) {
        connections.add(connection);
    }

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (length < 0
                || length > frameLength - frameOffset
                || frameLength > TransportContext.FRAME_LENGTH_MAX_DEFAULT) {
            throw new AssertionError(
                    "a fragment that cannot be: " + length + " at " + frameOffset + " of " + frameLength);
        }
        final boolean isTaken = rule.onFragment(connection, buffer, offset, length);
        if (isTaken) {
            countById.merge(connection.id(), 1, Integer::sum);
        }
        return isTaken;
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        reasons.put(connection.id(), reason);
    }

    @Override
    public void close() {
        transport.close();
    }
}
