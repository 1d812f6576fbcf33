package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.RecordingListener;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.client.Topic;
import io.penstock.orb.Callback;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one client does, or fails to do, costs no other. */
@Timeout(60)
class IsolationTest {
    /** Long enough for a client that returns, however slow the machine is. */
    private static final int CALLBACK_TIMEOUT_MS = 4000;

    private final List<MessageListener> exported = new ArrayList<>();
    private final CountDownLatch isOver = new CountDownLatch(1);

    @AfterEach
    void unexport() throws Exception {
        isOver.countDown();
        for (final MessageListener each : exported) {
            UnicastRemoteObject.unexportObject(each, true);
        }
    }

    @Test
    void shouldServeOthersAndEndASubscriptionWhenItsClientDoesNotReturn() throws Exception {
        try (Harness harness = Harness.of(config(2, CALLBACK_TIMEOUT_MS))) {
            final PenstockBroker broker = harness.lookup();
            final Semaphore called = new Semaphore(0);
            for (int i = 0; i < 2; i++) {
                broker.subscribeWithCallback(SubscribeRequest.topic("t"), callback(new Stuck(called)));
            }
            final RecordingListener other = new RecordingListener();
            final long subscription = broker.subscribeWithCallback(SubscribeRequest.topic("u"), callback(other));
            final long taken = broker.subscribe(SubscribeRequest.topic("t"));

            broker.publish(BridgeTck.publication("t", "{}"), false);
            // As many threads as there are wait for clients now.
            assertThat(called.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
            broker.publish(BridgeTck.publication("t", "{}"), false);
            broker.publish(BridgeTck.publication("u", "{\"a\":1}"), false);

            assertThat(broker.next(taken, 10, 20_000)).isNotEmpty();
            assertThat(other.awaitText()).isEqualTo("{\"a\":1}");
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_TIMED_OUT) == 2
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 2))
                    .isTrue();
            broker.unsubscribe(subscription);
        }
    }

    @Test
    void shouldReplaceAThreadWhenASubscriptionEndsWhileItsClientDoesNotReturn() throws Exception {
        try (Harness harness = Harness.of(config(1, CALLBACK_TIMEOUT_MS))) {
            final PenstockBroker broker = harness.lookup();
            final Semaphore called = new Semaphore(0);
            final long stuck = broker.subscribeWithCallback(SubscribeRequest.topic("t"), callback(new Stuck(called)));
            broker.publish(BridgeTck.publication("t", "{}"), false);
            assertThat(called.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
            broker.unsubscribe(stuck);

            final RecordingListener other = new RecordingListener();
            final long subscription = broker.subscribeWithCallback(SubscribeRequest.topic("u"), callback(other));
            broker.publish(BridgeTck.publication("u", "{\"a\":1}"), false);

            assertThat(other.awaitText()).isEqualTo("{\"a\":1}");
            // Its thread is replaced before it is counted.
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_TIMED_OUT) == 1))
                    .isTrue();
            broker.unsubscribe(subscription);
        }
    }

    @Test
    void shouldEndASubscriptionWhenItsClientIsGone() throws Exception {
        try (Harness harness = Harness.of(config(2, 10_000))) {
            final PenstockBroker broker = harness.lookup();
            final RecordingListener listener = new RecordingListener();
            broker.subscribeWithCallback(SubscribeRequest.topic("t").leaseMs(60), callback(listener));

            UnicastRemoteObject.unexportObject(listener, true);
            exported.clear();

            // Without a message: it is asked whether it is there.
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 1
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldEndTheSubscriptionAndSayWhyWhenMoreWaitsThanMay() throws Exception {
        try (Harness harness = Harness.start()) {
            final PenstockBroker broker = harness.lookup();
            harness.client().declareTopic(Topic.json("state").key("id"));
            final int count = harness.config().queueCountMax() + 1;
            // One that follows state is sent all changes, whatever waits.
            final long subscription =
                    broker.subscribe(SubscribeRequest.topic("state").sow());
            for (int id = 0; id < count; id++) {
                harness.client().publish("state", "{\"id\":" + id + "}");
            }
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.FELL_BEHIND) == 1))
                    .isTrue();

            int takenCount = 0;
            while (takenCount < count - 1) {
                takenCount += broker.next(subscription, 1000, 0).length;
            }
            BridgeTck.assertRefused(ErrorCode.FELL_BEHIND, () -> broker.next(subscription, 1, 0));
        }
    }

    @Test
    void shouldRefuseFurtherSubscriptionsWhenThereAreTooMany() throws Exception {
        try (Harness harness = Harness.of(config(3, 10_000))) {
            final PenstockBroker broker = harness.lookup();
            final List<Long> subscriptions = new ArrayList<>();
            for (int i = 0; i < harness.config().subscriptionCountMax(); i++) {
                subscriptions.add(broker.subscribe(SubscribeRequest.topic("t")));
            }

            BridgeTck.assertRefused(ErrorCode.LIMIT_REACHED, () -> broker.subscribe(SubscribeRequest.topic("t")));

            broker.unsubscribe(subscriptions.get(0));
            broker.subscribe(SubscribeRequest.topic("t"));
            assertThat(harness.counter(BridgeCounter.LIMITS_REACHED)).isOne();
        }
    }

    private Callback callback(final MessageListener listener) throws Exception {
        exported.add(listener);
        return Callback.of((MessageListener) UnicastRemoteObject.exportObject(listener, 0));
    }

    private static BridgeConfig config(final int callbackThreadCountMax, final int callbackTimeoutMs) {
        final BridgeConfig all = BridgeConfig.defaults();
        return new BridgeConfig(
                RmiConfig.none().port(0),
                IiopConfig.none(),
                all.sessionCountMax(),
                50,
                all.queryCountMax(),
                all.messageLengthMax(),
                all.batchCountMax(),
                all.batchLengthMax(),
                all.queueCountMax(),
                all.queueLengthMax(),
                all.heldLengthMax(),
                60_000,
                all.callTimeoutMs(),
                all.waitMsMax(),
                callbackTimeoutMs,
                callbackThreadCountMax,
                "");
    }

    /** Does not return before the test is over. */
    private final class Stuck implements MessageListener {
        private final Semaphore called;

        Stuck(final Semaphore called) {
            this.called = called;
        }

        @Override
        public void onMessages(final long subscription, final Delivery[] deliveries) {
            called.release();
            try {
                isOver.await();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {}
    }
}
