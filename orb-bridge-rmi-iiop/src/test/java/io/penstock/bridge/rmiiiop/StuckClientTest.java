package io.penstock.bridge.rmiiiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.corba.ee.impl.util.RepositoryId;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.omg.CORBA.NO_PERMISSION;

/** Clients that do not read, or cannot be taken, and what was refused. */
@Timeout(60)
class StuckClientTest {
    private static final int LENGTH = 64 << 20;

    private final BridgeCounters counters = new BridgeCounters();

    @Test
    void shouldCloseAConnectionWhenTheClientDoesNotRead() throws Exception {
        final RmiIiopConfig config = RmiIiopConfig.onPort(0).limits(1, 1 << 20, 100);
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ClientServerSocket server = new ClientServerSocket(
                        config, counters, new CallRoom(config, counters), new InetSocketAddress(loopback, 0));
                Socket client = new Socket(loopback, server.getLocalPort());
                Socket socket = server.accept()) {
            final AtomicReference<Exception> failure = new AtomicReference<>();
            final Thread writer = new Thread(() -> {
                try {
                    socket.getOutputStream().write(new byte[LENGTH]);
                } catch (final IOException e) {
                    failure.set(e);
                }
            });
            writer.start();

            assertThat(Harness.await(() -> {
                        server.closeStuck(System.nanoTime());
                        return socket.isClosed();
                    }))
                    .isTrue();

            writer.join();
            assertThat(failure.get()).isNotNull();
            assertThat(client.isConnected()).isTrue();
            assertThat(counters.get(BridgeCounter.CONNECTIONS_OPEN)).isZero();
        }
    }

    /** The ORB closes a server socket that has failed once. */
    @Test
    void shouldTakeTheNextWhenOneHasFailed() throws Exception {
        final RmiIiopConfig config = RmiIiopConfig.onPort(0);
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        final CallRoom calls = new CallRoom(config, counters);
        try (ClientServerSocket server =
                new ClientServerSocket(config, counters, calls, new InetSocketAddress(loopback, 0))) {
            server.setSoTimeout(1);
            final FutureTask<Socket> accepting = new FutureTask<>(server::accept);
            final Thread acceptor = new Thread(accepting);
            acceptor.start();

            // It pauses only when one has failed.
            assertThat(Harness.await(() -> acceptor.getState() == Thread.State.TIMED_WAITING || accepting.isDone()))
                    .isTrue();
            assertThat(accepting.isDone()).isFalse();

            try (Socket client = new Socket(loopback, server.getLocalPort());
                    Socket socket = accepting.get()) {
                assertThat(socket.getPort()).isEqualTo(client.getLocalPort());
            }
        }
    }

    @Test
    void shouldForgetAnIdWhenItsClassIsRefused() {
        final String id = "RMI:unknown.Refused:0000000000000001";
        RepositoryId.cache.getId(id);

        assertThatThrownBy(() -> new DeclaredClasses(counters).loadClass(null, "x".repeat(1000)))
                .isInstanceOfSatisfying(
                        NO_PERMISSION.class, e -> assertThat(e.getMessage()).hasSizeLessThan(500));

        assertThat(RepositoryId.cache).doesNotContainKey(id);
    }
}
