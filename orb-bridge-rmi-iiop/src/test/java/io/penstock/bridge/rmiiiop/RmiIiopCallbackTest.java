package io.penstock.bridge.rmiiiop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are called: objects that a client's ORB has exported. */
@Timeout(60)
class RmiIiopCallbackTest {
    private static final long WAIT_S = 20;

    private static Harness harness;

    @BeforeAll
    static void start() throws Exception {
        harness = new Harness(RmiIiopConfig.onPort(0));
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    @Test
    void shouldCallAListenerWhenMessagesCome() throws Exception {
        final Recorder recorder = new Recorder();
        final PenstockBroker broker = harness.guest();
        final long subscription = broker.subscribeWithCallback(
                SubscribeRequest.topic("grün-日本"), Callback.at(harness.exported(recorder)));

        for (final int length : new int[] {1, 1000, 100_000, 1 << 20}) {
            final String text = "\"" + "x".repeat(length) + "\"";
            broker.publish(Publication.of("grün-日本", text.getBytes(UTF_8)), false);

            final Call call = recorder.next();
            assertThat(call.subscription()).isEqualTo(subscription);
            final Delivery delivery = call.messages().get(0);
            assertThat(delivery.topic()).isEqualTo("grün-日本");
            assertThat(new String(delivery.data(), UTF_8)).isEqualTo(text);
            assertThat(delivery.timestampNs()).isPositive();
        }
        broker.unsubscribe(subscription);
        assertThat(Harness.await(() -> harness.server().counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                .isTrue();
    }

    @Test
    void shouldEndASubscriptionWhenItsListenerThrows() throws Exception {
        final long failedBefore = failedCount();
        final Recorder recorder = new Recorder();
        recorder.failure = new IllegalStateException("as it is");
        final PenstockBroker broker = harness.guest();
        broker.subscribeWithCallback(SubscribeRequest.topic("t"), Callback.at(harness.exported(recorder)));

        broker.publish(Publication.of("t", "1".getBytes(UTF_8)), false);

        assertThat(Harness.await(() -> harness.server().counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                .isTrue();
        assertThat(failedCount()).isEqualTo(failedBefore + 1);
    }

    @Test
    void shouldServeOthersWhenAListenerDoesNotReturn() throws Exception {
        final Recorder stuck = new Recorder();
        stuck.gate.drainPermits();
        final Recorder other = new Recorder();
        final PenstockBroker broker = harness.guest();
        final long[] subscriptions = {
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), Callback.at(harness.exported(stuck))),
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), Callback.at(harness.exported(other)))
        };

        for (int n = 0; n < 100; n++) {
            broker.publish(Publication.of("t", String.valueOf(n).getBytes(UTF_8)), false);
        }

        int count = 0;
        while (count < 100) {
            count += other.next().messages().size();
        }
        stuck.gate.release(1000);
        count = 0;
        while (count < 100) {
            count += stuck.next().messages().size();
        }
        for (final long each : subscriptions) {
            broker.unsubscribe(each);
        }
    }

    /** It takes the connection, and says nothing. */
    @Test
    void shouldServeOthersWhenAListenerIsNone() throws Exception {
        final long failedBefore = failedCount();
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            final Recorder recorder = new Recorder();
            final PenstockBroker broker = harness.guest();
            broker.subscribeWithCallback(
                    SubscribeRequest.topic("t"),
                    Callback.at("corbaloc:iiop:1.2@127.0.0.1:" + silent.getLocalPort() + "/Listener"));
            final long heard =
                    broker.subscribeWithCallback(SubscribeRequest.topic("t"), Callback.at(harness.exported(recorder)));

            broker.publish(Publication.of("t", "1".getBytes(UTF_8)), false);

            assertThat(recorder.next().messages()).hasSize(1);
            silent.accept().close();
            assertThat(Harness.await(() -> failedCount() == failedBefore + 1)).isTrue();
            broker.unsubscribe(heard);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "example.org", "999.1.1.1"})
    void shouldRefuseAListenerWhenElsewhere(final String host) {
        final long refusedBefore = refusedCount();
        final Callback elsewhere = Callback.at("corbaloc:iiop:1.2@" + host + ":1/Listener");

        assertThatThrownBy(() -> harness.guest().subscribeWithCallback(SubscribeRequest.topic("t"), elsewhere))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("NOT_AUTHORIZED")
                .hasMessageContaining(host);
        assertThat(refusedCount()).isEqualTo(refusedBefore + 1);
    }

    @Test
    void shouldTakeAListenerElsewhereWhenItsHostIsConfigured() throws Exception {
        final RmiIiopConfig config = RmiIiopConfig.onPort(0).callbackHosts(List.of("192.0.2.1"));
        try (Harness open = new Harness(config)) {
            final long subscription = open.guest()
                    .subscribeWithCallback(
                            SubscribeRequest.topic("t"), Callback.at("corbaloc:iiop:1.2@192.0.2.1:1/Listener"));

            open.guest().unsubscribe(subscription);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "IOR:00", "IOR:xy", "corbaloc:iiop:1.1@127.0.0.1:1/Listener"})
    void shouldRefuseAListenerWhenItsReferenceIsNone(final String reference) {
        final long refusedBefore = refusedCount();
        assertThatThrownBy(() ->
                        harness.guest().subscribeWithCallback(SubscribeRequest.topic("t"), Callback.at(reference)))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("NOT_SUPPORTED");
        assertThat(refusedCount()).isEqualTo(refusedBefore + 1);
    }

    @Test
    void shouldRefuseAListenerWhenItIsExportedForRmi() throws Exception {
        final Recorder recorder = new Recorder();
        final MessageListener stub = (MessageListener) UnicastRemoteObject.exportObject(recorder, 0);
        try {
            assertThatThrownBy(
                            () -> harness.guest().subscribeWithCallback(SubscribeRequest.topic("t"), Callback.of(stub)))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("NOT_SUPPORTED")
                    .hasMessageContaining("PortableRemoteObject");
        } finally {
            UnicastRemoteObject.unexportObject(recorder, true);
        }
    }

    @Test
    void shouldNotifyAListenerWhenItFallsBehind() throws Exception {
        try (Harness small = new Harness(RmiIiopConfig.onPort(0), withQueueOf(8))) {
            final Recorder recorder = new Recorder();
            recorder.gate.drainPermits();
            final PenstockBroker broker = small.guest();
            // One that follows state is sent all changes, whatever waits.
            broker.subscribeWithCallback(SubscribeRequest.topic("state").sow(), Callback.at(small.exported(recorder)));
            final Publication[] batch = new Publication[1000];
            Arrays.fill(batch, Publication.of("state", "{\"id\":1}".getBytes(UTF_8)));
            while (small.server().counter(BridgeCounter.FELL_BEHIND) == 0) {
                broker.publishBatch(batch, false);
            }

            recorder.gate.release(1000);

            assertThat(recorder.ends.poll(WAIT_S, TimeUnit.SECONDS)).startsWith("16 FELL_BEHIND subscription: ");
        }
    }

    private static long failedCount() {
        return harness.server().counter(BridgeCounter.CALLBACKS_FAILED);
    }

    private static long refusedCount() {
        return harness.server().counter(BridgeCounter.CALLBACKS_REFUSED);
    }

    private static BridgeConfig withQueueOf(final int countMax) {
        final BridgeConfig all = BridgeConfig.defaults();
        return new BridgeConfig(
                all.rmi(),
                all.iiop(),
                all.sessionCountMax(),
                all.subscriptionCountMax(),
                all.queryCountMax(),
                all.messageLengthMax(),
                all.batchCountMax(),
                all.batchLengthMax(),
                countMax,
                all.queueLengthMax(),
                all.heldLengthMax(),
                all.leaseMs(),
                all.callTimeoutMs(),
                all.waitMsMax(),
                all.callbackTimeoutMs(),
                all.callbackThreadCountMax(),
                all.bookmarks());
    }

    /** A call of a listener. */
    private record Call(long subscription, List<Delivery> messages) {}

    /** Remembers its calls. */
    private static final class Recorder implements MessageListener {
        private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        private final Semaphore gate = new Semaphore(1000);
        private volatile @Nullable RuntimeException failure;

        @Override
        public void onMessages(final long subscription, final Delivery[] messages) {
            gate.acquireUninterruptibly();
            final RuntimeException known = failure;
            if (known != null) {
                throw known;
            }
            if (messages.length > 0) {
                calls.add(new Call(subscription, List.of(messages)));
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {
            ends.add(code + " " + name + " " + text);
        }

        Call next() throws InterruptedException, IOException {
            final Call call = calls.poll(WAIT_S, TimeUnit.SECONDS);
            if (call == null) {
                throw new IOException("was not called");
            }
            return call;
        }
    }
}
