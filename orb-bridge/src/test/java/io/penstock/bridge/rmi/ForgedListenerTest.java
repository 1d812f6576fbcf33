package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client answers that is called, or does not read, makes nothing and holds nothing in the bridge. */
@Timeout(60)
class ForgedListenerTest {
    private static final int QUIET_MS = 300;

    @Test
    void shouldMakeNothingWhenAListenerAnswersWithAnObject() throws Exception {
        Made.COUNT.set(0);
        assertEndsQuietly(ForgedListener.thrown(new Made(), new byte[0]));

        assertThat(Made.COUNT).hasValue(0);
    }

    @Test
    void shouldCallNobodyWhenAListenerAnswersWithAStub() throws Exception {
        try (ServerSocket elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertEndsQuietly(
                    ForgedListener.thrown(ForgedRef.stub("127.0.0.1", elsewhere.getLocalPort()), new byte[0]));

            elsewhere.setSoTimeout(QUIET_MS);
            assertThatThrownBy(elsewhere::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void shouldTakeNoMemoryWhenAListenerAnswersWithALongArray() throws Exception {
        // An array of 2^31 - 1 longs.
        assertEndsQuietly(ForgedListener.thrown(null, new byte[] {
            0x75,
            0x72,
            0,
            2,
            '[',
            'J',
            0x78,
            0x20,
            0x04,
            (byte) 0xB5,
            0x12,
            (byte) 0xB1,
            0x75,
            (byte) 0x93,
            2,
            0,
            0,
            0x70,
            0x78,
            0x70,
            0x7F,
            (byte) 0xFF,
            (byte) 0xFF,
            (byte) 0xFF
        }));
    }

    @Test
    void shouldEndTheSubscriptionWhenAListenerDoesNotSpeakRmi() throws Exception {
        assertEndsQuietly(new byte[] {'H', 'T', 'T', 'P', '/', '1', '.', '1', ' ', '4', '0', '0'});
        assertEndsQuietly(new byte[] {0x51, 0x52, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        assertEndsQuietly(new byte[] {0x51, (byte) 0xAC, (byte) 0xED, 0, 5, 0x77, 1, 1, 0x79, 0x79, 0x79, 0x79});
    }

    private static void assertEndsQuietly(final byte[] answer) throws Exception {
        try (Harness harness = Harness.start();
                ForgedListener listener = new ForgedListener(answer)) {
            final PenstockBroker broker = harness.lookup();
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), listener.callback());
            broker.publish(BridgeTck.publication("t", "{}"), false);

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 1
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                    .isTrue();
            assertThat(listener.connectionCount()).isOne();
            assertThat(broker.echo(new byte[3])).hasSize(3);
        }
    }

    @Test
    void shouldFreeTheThreadWhenAListenerDoesNotRead() throws Exception {
        final int length = 16 * 1024 * 1024;
        try (Harness harness = Harness.of(config());
                ForgedListener listener = new ForgedListener(null)) {
            final PenstockBroker broker = harness.lookup();
            broker.subscribeWithCallback(SubscribeRequest.topic("bytes"), listener.callback());
            broker.publish(Publication.of("bytes", new byte[length]), false);

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_TIMED_OUT) == 1
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0
                            && harness.bridge().isIdle()))
                    .isTrue();

            // Only what the system has kept of it.
            assertThat(listener.readRest()).isLessThan(length);
        }
    }

    @Test
    void shouldStartNoThreadForEachAddressWhenListenersAreMany() throws Exception {
        final List<ForgedListener> listeners = new ArrayList<>();
        try (Harness harness = Harness.start()) {
            final PenstockBroker broker = harness.lookup();
            for (int i = 0; i < 20; i++) {
                listeners.add(new ForgedListener(null));
            }
            // A former server may have had one of these ports, and its clients' threads may still be there.
            final Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
            for (final ForgedListener each : listeners) {
                broker.subscribeWithCallback(SubscribeRequest.topic("t"), each.callback());
            }

            final List<String> threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !before.contains(thread))
                    .map(Thread::getName)
                    .filter(name -> listeners.stream().anyMatch(each -> name.contains(":" + each.port())))
                    .toList();
            assertThat(threads).isEmpty();
            // Nobody is called before there is something to say.
            assertThat(listeners).allMatch(each -> each.connectionCount() == 0);
        } finally {
            for (final ForgedListener each : listeners) {
                each.close();
            }
        }
    }

    @Test
    void shouldCloseTheConnectionWhenItIsNotUsed() throws Exception {
        try (Harness harness = Harness.start();
                ForgedListener listener = new ForgedListener(returned())) {
            final PenstockBroker broker = harness.lookup();
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), listener.callback());
            broker.publish(BridgeTck.publication("t", "{}"), false);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS) == 1))
                    .isTrue();

            assertThat(Harness.await(
                            () -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 0 && listener.closedCount() == 1))
                    .isTrue();
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isOne();
            broker.publish(BridgeTck.publication("t", "{}"), false);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS) == 2))
                    .isTrue();
            assertThat(listener.connectionCount()).isEqualTo(2);
        }
    }

    private static byte[] returned() throws IOException {
        final byte[] answer = ForgedListener.thrown(null, new byte[0]);
        answer[7] = 1;
        return answer;
    }

    private static BridgeConfig config() {
        final BridgeConfig all = BridgeConfig.defaults();
        return new BridgeConfig(
                RmiConfig.none().port(0),
                IiopConfig.none(),
                all.sessionCountMax(),
                all.subscriptionCountMax(),
                all.queryCountMax(),
                all.messageLengthMax(),
                all.batchCountMax(),
                all.batchLengthMax(),
                all.queueCountMax(),
                all.queueLengthMax(),
                all.heldLengthMax(),
                all.leaseMs(),
                all.callTimeoutMs(),
                all.waitMsMax(),
                500,
                all.callbackThreadCountMax(),
                "");
    }

    /** Counts how often one is made of bytes. */
    private static final class Made implements Serializable {
        private static final long serialVersionUID = 1L;
        private static final AtomicInteger COUNT = new AtomicInteger();

        private final @Nullable String text = null;

        private void readObject(final ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            COUNT.incrementAndGet();
        }

        @Override
        public String toString() {
            return "made of " + text;
        }
    }
}
