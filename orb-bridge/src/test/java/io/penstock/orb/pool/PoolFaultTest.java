package io.penstock.orb.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.Harness;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bridges that do what they may not, or are not there. */
@Timeout(60)
class PoolFaultTest {
    private static final byte[] HEAD = {'J', 'R', 'M', 'I', 0, 2, 0x4B};
    private static final int LONG = 100_000;
    private static final int NEVER = 0;

    private final ScriptedBridge bridge;

    PoolFaultTest() throws IOException {
        bridge = new ScriptedBridge();
    }

    @AfterEach
    void close() throws IOException {
        bridge.close();
    }

    @Test
    @SuppressWarnings("try") // Closed early, as is tested.
    void shouldNotSendTheRestOfACallAsAnotherWhenItWasGivenUpInTheMiddle() throws Exception {
        final FutureTask<ScriptedBridge.Connection> accepted = started(() -> bridge.connected(NEVER));
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults());
                Socket first = pool.createSocket("127.0.0.1", bridge.port());
                Socket second = pool.createSocket("127.0.0.1", bridge.port());
                ScriptedBridge.Connection connection = accepted.get()) {
            first.getOutputStream().write(new byte[LONG]);
            final ScriptedBridge.Frame begun = connection.read();
            assertThat(begun.isBegin()).isTrue();
            assertThat(connection.read().stream()).isEqualTo(begun.stream());

            connection.reset(begun.stream(), "scripted: no memory left");
            second.getOutputStream().write(1);
            second.getOutputStream().flush();
            final ScriptedBridge.Frame other = connection.read();
            connection.write(ScriptedBridge.DATA, ScriptedBridge.TURN, other.stream(), new byte[1]);
            // This thread reads for the first socket, too.
            assertThat(second.getInputStream().read()).isZero();

            assertThatThrownBy(() -> first.getOutputStream().write(new byte[LONG]))
                    .hasMessage("scripted: no memory left");
            assertThatThrownBy(() -> first.getOutputStream().write(new byte[LONG]))
                    .hasMessage("scripted: no memory left");
            pool.close();
            assertThat(connection.isAtEnd()).isTrue();
        }
    }

    @Test
    void shouldConnectByTheConfiguredFactoryWhenTheHostTakesNoSharedConnection() throws Exception {
        final AtomicInteger made = new AtomicInteger();
        final FutureTask<Void> closing = started(() -> {
            bridge.accept().close();
            return null;
        });
        try (PooledSocketFactory pool =
                        new PooledSocketFactory(PoolConfig.defaults().sockets(new Counting(made)));
                Socket socket = pool.createSocket("127.0.0.1", bridge.port())) {
            closing.get();
            assertThat(socket.isConnected()).isTrue();
            assertThat(pool.counters().plainConnections()).isEqualTo(1);
            assertThat(made).hasValue(2);
        }
    }

    @Test
    @SuppressWarnings("try") // Closed early, as is tested.
    void shouldNotTakeABridgeForAnotherHostWhenItTakesNoConnectionForNow() throws Exception {
        final FutureTask<ScriptedBridge.Connection> accepted = started(() -> bridge.connected(NEVER));
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            pool.createSocket("127.0.0.1", bridge.port()).close();
            accepted.get().close();
            pool.close();
            final FutureTask<Void> closing = started(() -> {
                final Socket full = bridge.accept();
                full.getInputStream().readNBytes(24);
                full.close();
                return null;
            });

            assertThatThrownBy(() -> pool.createSocket("127.0.0.1", bridge.port()))
                    .isInstanceOf(NotSharedException.class);

            closing.get();
            assertThat(pool.counters().plainConnections()).isZero();
        }
    }

    /** By the number of attempts, not by time: one would follow another. */
    @Test
    void shouldFailTogetherWhenNobodyAnswers() throws Exception {
        final int count = 20;
        final AtomicInteger attempts = new AtomicInteger();
        final Thread accepting = new Thread(() -> {
            try {
                while (true) {
                    bridge.accept();
                    attempts.incrementAndGet();
                }
            } catch (final IOException e) {
                // Nobody comes any more.
                return;
            }
        });
        accepting.start();
        try (PooledSocketFactory pool =
                new PooledSocketFactory(PoolConfig.defaults().connectTimeoutMs(2_000))) {
            final CyclicBarrier together = new CyclicBarrier(count);
            final List<FutureTask<Throwable>> callers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                callers.add(started(() -> {
                    together.await();
                    try {
                        pool.createSocket("127.0.0.1", bridge.port()).close();
                        return new AssertionError("connected");
                    } catch (final IOException e) {
                        return e;
                    }
                }));
            }
            for (final FutureTask<Throwable> each : callers) {
                assertThat(each.get()).isInstanceOf(SocketTimeoutException.class);
            }
        }
        bridge.close();
        accepting.join();
        assertThat(attempts.get()).isBetween(1, count / 4);
    }

    @Test
    void shouldEndAtTheDeadlineOfTheCallWhenThereIsNoConnection() throws Exception {
        final PoolConfig config = PoolConfig.defaults().connectTimeoutMs(60_000);
        final ConnectionPool pool =
                new ConnectionPool("127.0.0.1", bridge.port(), config, new PoolCounters(), () -> {});

        assertThatThrownBy(() -> pool.open(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50)))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void shouldGoOnWithWhatThereIsWhenThereCanBeNoMoreConnections() throws Exception {
        final AtomicInteger refused = new AtomicInteger();
        final FutureTask<Void> accepting = started(() -> {
            try (ScriptedBridge.Connection only = bridge.connected(NEVER)) {
                while (true) {
                    bridge.accept().close();
                    refused.incrementAndGet();
                    assertThat(only.socket.isConnected()).isTrue();
                }
            } catch (final IOException e) {
                return null;
            }
        });
        final PoolCounters counters = new PoolCounters();
        final ConnectionPool pool = new ConnectionPool(
                "127.0.0.1", bridge.port(), PoolConfig.defaults().callersPerConnection(1), counters, () -> {});
        pool.prepare();
        for (int i = 0; i < 64; i++) {
            pool.onSent(true);
        }

        for (int i = 0; i < 10; i++) {
            assertThat(pool.open(soonNs())).isNotNull();
        }
        assertThat(Harness.await(() -> refused.get() == 1)).isTrue();
        for (int i = 0; i < 64; i++) {
            pool.onSent(true);
        }
        for (int i = 0; i < 10; i++) {
            assertThat(pool.open(soonNs())).isNotNull();
        }

        // It is not tried again at once.
        assertThat(refused).hasValue(1);
        assertThat(counters.openConnections()).isEqualTo(1);
        pool.close();
        bridge.close();
        accepting.get();
    }

    @Test
    void shouldCloseAConnectionInTimeWhenTheBridgeWouldSoon() throws Exception {
        final FutureTask<ScriptedBridge.Connection> accepted = started(() -> bridge.connected(200));
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults());
                Socket socket = pool.createSocket("127.0.0.1", bridge.port());
                ScriptedBridge.Connection connection = accepted.get()) {
            assertThat(socket.isConnected()).isTrue();
            assertThat(connection.isAtEnd()).isTrue();
            assertThat(Harness.await(() -> pool.counters().openConnections() == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldNoticeThatABridgeIsGoneWhenNobodyReads() throws Exception {
        final FutureTask<ScriptedBridge.Connection> accepted = started(() -> bridge.connected(NEVER));
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults());
                Socket socket = pool.createSocket("127.0.0.1", bridge.port())) {
            assertThat(socket.isConnected()).isTrue();
            accepted.get().close();

            assertThat(Harness.await(() -> pool.counters().openConnections() == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldBeginOnAnotherConnectionWhenTheFirstIsDeadAlready() throws Exception {
        final FutureTask<ScriptedBridge.Connection> dead = started(() -> bridge.connected(NEVER));
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults());
                Socket socket = pool.createSocket("127.0.0.1", bridge.port())) {
            final FutureTask<byte[]> other = started(() -> {
                final ScriptedBridge.Connection known = dead.get();
                known.read();
                known.close();
                final ScriptedBridge.Connection connection = bridge.connected(NEVER);
                final ScriptedBridge.Frame begun = connection.read();
                connection.write(ScriptedBridge.DATA, ScriptedBridge.FLUSH, begun.stream(), new byte[] {0x4E});
                return begun.payload();
            });
            socket.getOutputStream().write(HEAD);
            socket.getOutputStream().flush();

            assertThat(socket.getInputStream().read()).isEqualTo(0x4E);
            assertThat(other.get()).isEqualTo(HEAD);
        }
    }

    /** A call may have been served: it is the caller's to call again. */
    @Test
    void shouldFailWhenTheConnectionEndsAfterACallWasSent() throws Exception {
        final FutureTask<ScriptedBridge.Connection> accepted = started(() -> bridge.connected(NEVER));
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults());
                Socket socket = pool.createSocket("127.0.0.1", bridge.port())) {
            final FutureTask<Void> ending = started(() -> {
                final ScriptedBridge.Connection connection = accepted.get();
                connection.write(
                        ScriptedBridge.DATA, ScriptedBridge.FLUSH, connection.read().stream(), new byte[] {0x4E});
                connection.read();
                connection.close();
                return null;
            });
            socket.getOutputStream().write(HEAD);
            socket.getOutputStream().flush();
            assertThat(socket.getInputStream().read()).isEqualTo(0x4E);
            socket.getOutputStream().write("PPPPPPP".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();

            assertThatThrownBy(() -> socket.getInputStream().read())
                    .hasMessageContaining("the other side has closed the connection");
            ending.get();
        }
    }

    private static long soonNs() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    }

    private static <T> FutureTask<T> started(final java.util.concurrent.Callable<T> action) {
        final FutureTask<T> task = new FutureTask<>(action);
        final Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Counts what it makes. */
    private static final class Counting extends SocketFactory {
        private final AtomicInteger made;

        Counting(final AtomicInteger made) {
            this.made = made;
        }

        @Override
        public Socket createSocket() {
            made.incrementAndGet();
            return new Socket();
        }

        @Override
        public Socket createSocket(final String host, final int port) {
            throw new UnsupportedOperationException("is not connected here");
        }

        @Override
        public Socket createSocket(final String host, final int port, final InetAddress from, final int fromPort) {
            throw new UnsupportedOperationException("is not connected here");
        }

        @Override
        public Socket createSocket(final InetAddress host, final int port) {
            throw new UnsupportedOperationException("is not connected here");
        }

        @Override
        public Socket createSocket(final InetAddress host, final int port, final InetAddress from, final int fromPort) {
            throw new UnsupportedOperationException("is not connected here");
        }
    }
}
