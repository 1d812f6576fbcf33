package io.penstock.orb.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.Delivery;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PoolTest {
    private static final int MANY = 500;
    private static final int CALLS = 20;

    @Test
    void shouldShareFewConnectionsWhenFiveHundredThreadsCall() throws Exception {
        try (Harness harness = Harness.start();
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());

            final AtomicInteger answered = call(broker, MANY, CALLS);

            assertThat(answered).hasValue(MANY * CALLS);
            assertThat(pool.counters().openConnectionsMax()).isBetween(2, MANY / 20);
            assertThat(harness.counter(BridgeCounter.SHARED_CONNECTIONS_OPEN)).isLessThanOrEqualTo(MANY / 20);
            assertThat(harness.counter(BridgeCounter.CONNECTIONS_REFUSED)).isZero();
            assertThat(pool.counters().calls()).isGreaterThanOrEqualTo(MANY * CALLS);
            assertThat(pool.counters().chunks().waits()).isPositive();
        }
    }

    @Test
    void shouldStayWithOneConnectionWhenFewCall() throws Exception {
        try (Harness harness = Harness.start();
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());

            assertThat(call(broker, 10, 50)).hasValue(500);

            assertThat(pool.counters().connections()).isEqualTo(1);
            assertThat(pool.counters().openConnectionsMax()).isEqualTo(1);
            assertThat(harness.counter(BridgeCounter.SHARED_CONNECTIONS_OPEN)).isEqualTo(1);
        }
    }

    @Test
    void shouldCloseWhatNobodyNeedsAndConnectAgainWhenCalled() throws Exception {
        try (Harness harness = Harness.start();
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults()
                        .callersPerConnection(1)
                        .connectionCountMax(4)
                        .idleTimeoutMs(50))) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());
            while (pool.counters().openConnectionsMax() < 2) {
                assertThat(call(broker, 32, CALLS)).hasValue(32 * CALLS);
            }
            assertThat(pool.counters().openConnectionsMax()).isLessThanOrEqualTo(4);

            assertThat(Harness.await(() -> pool.counters().openConnections() == 0))
                    .isTrue();
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.SHARED_CONNECTIONS_OPEN) == 0))
                    .isTrue();

            // Not by those that are open: this one may be closed again already.
            final long before = pool.counters().connections();
            assertThat(broker.echo(new byte[3])).hasSize(3);
            assertThat(pool.counters().connections()).isGreaterThan(before);
        }
    }

    /** One call waits for messages, on the same connection, for as long as it likes. */
    @Test
    void shouldAnswerOthersWhenCallsOfTheSameConnectionWait() throws Exception {
        final RmiConfig rmi =
                new RmiConfig(0, "127.0.0.1", "", 64, 1024, 1, 60_000, List.of(), false, false);
        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi));
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());
            final List<FutureTask<Delivery[]>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                final long subscription = broker.subscribe(SubscribeRequest.topic("bytes"));
                final FutureTask<Delivery[]> next = new FutureTask<>(() -> broker.next(subscription, 1, 20_000));
                waiting.add(next);
                new Thread(next).start();
            }

            assertThat(call(broker, 4, CALLS)).hasValue(4 * CALLS);
            broker.publish(Publication.of("bytes", new byte[5]), false);

            for (final FutureTask<Delivery[]> each : waiting) {
                assertThat(each.get()).hasSize(1);
            }
            assertThat(pool.counters().openConnectionsMax()).isEqualTo(1);
        }
    }

    @Test
    void shouldGiveUpAtTheDeadlineWhenTheBridgeDoesNotAnswer() throws Exception {
        try (Harness harness = Harness.start();
                PooledSocketFactory pool =
                        new PooledSocketFactory(PoolConfig.defaults().callTimeoutMs(4000))) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());
            final long subscription = broker.subscribe(SubscribeRequest.topic("bytes"));

            assertThatThrownBy(() -> broker.next(subscription, 1, 20_000))
                    .isInstanceOf(RemoteException.class)
                    .hasRootCauseMessage("chunk: nothing came in time (the other side is slow, or allow more time)");

            assertThat(pool.counters().timeouts()).isPositive();
            assertThat(broker.echo(new byte[3])).hasSize(3);
            assertThat(pool.counters().connections()).isEqualTo(1);
        }
    }

    @Test
    void shouldGiveUpInTimeWhenTheOtherSideSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                PooledSocketFactory pool =
                        new PooledSocketFactory(PoolConfig.defaults().connectTimeoutMs(50))) {
            assertThatThrownBy(() -> pool.createSocket("127.0.0.1", silent.getLocalPort()))
                    .isInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    @Test
    void shouldTakeAConnectionOfItsOwnWhenTheHostIsNoBridge() throws Exception {
        final Registry registry = LocateRegistry.createRegistry(0);
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final int port = Integer.parseInt(registry.toString().replaceAll(".*:(\\d+)\\].*", "$1"));

            assertThat(LocateRegistry.getRegistry("127.0.0.1", port, pool).list())
                    .isEmpty();

            assertThat(pool.counters().plainConnections()).isPositive();
            assertThat(pool.counters().openConnections()).isZero();
        } finally {
            UnicastRemoteObject.unexportObject(registry, true);
        }
    }

    @Test
    void shouldFailAndGoOnWhenTheBridgeIsGoneAndIsThereAgain() throws Exception {
        try (PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final int port;
            final PenstockBroker broker;
            try (Harness harness = Harness.start()) {
                port = harness.port();
                broker = pool.lookup("127.0.0.1", port);
                assertThat(broker.echo(new byte[3])).hasSize(3);
            }
            assertThatThrownBy(() -> broker.echo(new byte[3])).isInstanceOf(RemoteException.class);

            try (Harness harness = Harness.of(BridgeConfig.onRmiPort(port))) {
                assertThat(pool.lookup("127.0.0.1", harness.port()).echo(new byte[4]))
                        .hasSize(4);
            }
        }
    }

    /** Short calls are answered while long ones go on over the same connection. */
    @Test
    void shouldAnswerShortCallsWhenLongOnesShareTheConnection() throws Exception {
        try (Harness harness = Harness.start();
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());
            final AtomicBoolean isOver = new AtomicBoolean();
            final byte[] large = new byte[10 << 20];
            final CountDownLatch isBegun = new CountDownLatch(1);
            final FutureTask<Integer> longCalls = new FutureTask<>(() -> {
                int count = 0;
                isBegun.countDown();
                do {
                    count += broker.echo(large).length == large.length ? 1 : 0;
                } while (!isOver.get());
                return count;
            });
            new Thread(longCalls).start();
            isBegun.await();

            assertThat(call(broker, 2, 50)).hasValue(100);

            isOver.set(true);
            assertThat(longCalls.get()).isPositive();
            assertThat(pool.counters().openConnectionsMax()).isEqualTo(1);
        }
    }

    /** What may wait for all is less than they send: most of them wait for their turn, and none is given up. */
    @Test
    void shouldAnswerAllWhenLongCallsAreMoreThanMemory() throws Exception {
        final BridgeConfig all = BridgeConfig.onRmiPort(0);
        final BridgeConfig little = new BridgeConfig(
                all.rmi(),
                all.iiop(),
                all.sessionCountMax(),
                all.subscriptionCountMax(),
                all.queryCountMax(),
                all.messageLengthMax(),
                all.batchCountMax(),
                all.batchLengthMax(),
                all.queueCountMax(),
                16 << 20,
                40 << 20,
                all.leaseMs(),
                all.callTimeoutMs(),
                all.waitMsMax(),
                all.callbackTimeoutMs(),
                all.callbackThreadCountMax(),
                "");
        try (Harness harness = Harness.of(little);
                PooledSocketFactory pool = new PooledSocketFactory(PoolConfig.defaults())) {
            final PenstockBroker broker = pool.lookup("127.0.0.1", harness.port());

            assertThat(call(broker, 96, 3, 1 << 20)).hasValue(96 * 3);
        }
    }

    private static AtomicInteger call(final PenstockBroker broker, final int threadCount, final int calls)
            throws Exception {
        return call(broker, threadCount, calls, 1024);
    }

    private static AtomicInteger call(
            final PenstockBroker broker, final int threadCount, final int calls, final int length) throws Exception {
        final AtomicInteger answered = new AtomicInteger();
        final CyclicBarrier together = new CyclicBarrier(threadCount);
        final List<FutureTask<Void>> threads = new ArrayList<>();
        for (int i = 0; i < threadCount; i++) {
            final byte[] data = new byte[length + i];
            final FutureTask<Void> thread = new FutureTask<>(() -> {
                together.await();
                for (int call = 0; call < calls; call++) {
                    if (broker.echo(data).length == data.length) {
                        answered.incrementAndGet();
                    }
                }
                return null;
            });
            threads.add(thread);
            new Thread(thread).start();
        }
        for (final FutureTask<Void> each : threads) {
            each.get();
        }
        return answered;
    }
}
