package io.penstock.bridge.rmiiiop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of many calls, by a client's ORB. */
@Timeout(60)
class RmiIiopLimitTest {
    private static final int WAIT_MS = 30_000;
    private static final int CONNECTIONS = 8;

    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        callers.shutdownNow();
    }

    @Test
    void shouldServeOthersWhenManyWaitForMessages() throws Exception {
        try (Harness harness = harness(2, 4)) {
            final PenstockBroker greedy = harness.guest();
            final List<Future<Delivery[]>> waiting = new ArrayList<>();
            for (int n = 0; n < 2; n++) {
                final long subscription = greedy.subscribe(SubscribeRequest.topic("t" + n));
                waiting.add(callers.submit(() -> greedy.next(subscription, 1, WAIT_MS)));
            }
            assertThat(Harness.await(() -> harness.server().calls().waitCount() == 2))
                    .isTrue();

            final long third = greedy.subscribe(SubscribeRequest.topic("t2"));
            assertThatThrownBy(() -> greedy.next(third, 1, WAIT_MS))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("LIMIT_REACHED")
                    .hasMessageContaining("waitCountMax");
            assertThat(harness.server().counter(BridgeCounter.LIMITS_REACHED)).isOne();
            assertThat(greedy.next(third, 1, 0)).isEmpty();

            final PenstockBroker other = harness.otherGuest();
            assertThat(other.next(other.subscribe(SubscribeRequest.topic("x")), 1, 1))
                    .isEmpty();
            assertThat(other.echo(new byte[100_000])).hasSize(100_000);
            for (int n = 0; n < 3; n++) {
                other.publish(Publication.of("t" + n, "10".repeat(n + 1).getBytes(UTF_8)), false);
            }
            assertThat(waiting.get(0).get()).hasSize(1);
            assertThat(waiting.get(1).get()).hasSize(1);
            assertThat(greedy.next(third, 1, WAIT_MS)[0].data()).hasSize(6);
            assertThat(Harness.await(() -> harness.server().calls().length() == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldHaveFewThreadsWhenManyCallAtOnce() throws Exception {
        try (Harness harness = harness(4, 1)) {
            final List<Future<Boolean>> done = new ArrayList<>();
            final int threadsBefore = harness.server().threadCount();
            for (int n = 0; n < 4; n++) {
                final PenstockBroker broker = harness.otherGuest();
                for (int caller = 0; caller < 10; caller++) {
                    done.add(callers.submit(echoes(broker, n * 10 + caller)));
                }
            }
            for (final Future<Boolean> each : done) {
                assertThat(each.get()).isTrue();
            }
            assertThat(harness.server().threadCount()).isLessThanOrEqualTo(threadsBefore + 4 + CONNECTIONS + 16);
            assertThat(Harness.await(() -> harness.server().calls().callCount() == 0))
                    .isTrue();
            assertThat(Harness.await(() -> harness.server().calls().length() == 0))
                    .isTrue();
        }
    }

    private static Callable<Boolean> echoes(final PenstockBroker broker, final int seed) {
        final Random random = new Random(seed);
        return () -> {
            for (int n = 0; n < 20; n++) {
                final byte[] data = new byte[random.nextInt(200_000)];
                random.nextBytes(data);
                if (!Arrays.equals(broker.echo(data), data)) {
                    return false;
                }
            }
            return true;
        };
    }

    /** The ORB would have a thread wait for the rest of each. */
    @Test
    void shouldHaveNoThreadsWhenCallsAreNotComplete() throws Exception {
        try (Harness harness = harness(2, 1)) {
            harness.guest().echo(new byte[1]);
            final int threadsBefore = harness.server().threadCount();
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), harness.server().port())) {
                for (byte id = 0; id < 16; id++) {
                    final byte[] begin = {'G', 'I', 'O', 'P', 1, 2, 2, 0, 0, 0, 0, 8, 0, 0, 0, id, 3, 0, 0, 0};
                    socket.getOutputStream().write(begin);
                }
                assertThat(Harness.await(() -> harness.server().calls().length() >= 16 * 20))
                        .isTrue();

                assertThat(harness.server().calls().callCount()).isZero();
                assertThat(harness.server().threadCount()).isLessThanOrEqualTo(threadsBefore + 2);
                assertThat(harness.guest().echo(new byte[100_000])).hasSize(100_000);
            }
            assertThat(Harness.await(() -> harness.server().calls().length() == 0))
                    .isTrue();
        }
    }

    /** The connection is not idle: a byte comes in each 20 ms. */
    @Test
    void shouldEndAConnectionWhenTheRestOfACallComesSlowly() throws Exception {
        final RmiIiopConfig config = RmiIiopConfig.onPort(0).limits(CONNECTIONS, 1 << 20, 1000);
        try (Harness harness = new Harness(config);
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), harness.server().port())) {
            final byte[] begin = {'G', 'I', 'O', 'P', 1, 2, 0, 0, 0, 1, 0, 0, 1, 2, 3};
            final OutputStream out = socket.getOutputStream();
            out.write(begin);

            assertThatThrownBy(() -> {
                        for (int n = begin.length; n < 1 << 16; n++) {
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                            out.write(n);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(Harness.await(() -> harness.server().calls().length() == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldNotBeginWhenAnAnswerWouldNotFit() {
        final RmiIiopConfig config =
                RmiIiopConfig.onPort(0).limits(1, 1024, 100).calls(1, 1, 1 << 20);

        assertThatThrownBy(() -> RmiIiopServer.launch(config, BridgeConfig.defaults(), "inproc:none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("callsLengthMax: too short for an answer");
        assertThatThrownBy(() -> config.calls(1, 1, 2048))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("callsLengthMax: out of bounds: 2048");
    }

    private static Harness harness(final int callCountMax, final int waitCountMax) throws Exception {
        return new Harness(RmiIiopConfig.onPort(0)
                .limits(CONNECTIONS, 1 << 20, 60_000)
                .calls(callCountMax, waitCountMax, 128L << 20));
    }
}
