package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.format.header.Headers;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that does not answer any more keeps nothing of the bridge. */
@Timeout(120)
class SilentBrokerTest {
    private static final int CALL_TIMEOUT_MS = 4000;

    private Broker broker;
    private PenstockClient client;
    private StallingProxy proxy;
    private BridgeService service;

    @BeforeEach
    void start() throws Exception {
        broker =
                Broker.launch(BrokerConfig.builder().listen("tcp://127.0.0.1:0").build());
        proxy = new StallingProxy(broker.endpoints().get(0).getPort());
        client = PenstockClient.connect(
                ClientConfig.builder(broker.endpoints().get(0).toString()).build());
        service = new BridgeService(config(), proxy.endpoint());
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        service.close();
        client.close();
        broker.close();
    }

    @Test
    void shouldKeepNothingOfASubscriptionWhenTheBrokerDoesNotEndIt() throws Exception {
        final long subscription = service.guest().subscribe(SubscribeRequest.topic("t"), null);
        client.publish("t", "{}");
        assertThat(Harness.await(() -> service.heldLength() > 0)).isTrue();
        proxy.stall();

        final BrokerException reason = catchThrowableOfType(
                BrokerException.class, () -> service.guest().unsubscribe(subscription));

        assertThat(reason.name()).isEqualTo("TIMED_OUT");
        assertThat(service.heldLength()).isZero();
        assertThat(service.counters().get(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
    }

    @Test
    void shouldKeepNothingOfASubscriptionWhenACallFailsAndTheBrokerDoesNotEndIt() throws Exception {
        final CountDownLatch isCalled = new CountDownLatch(1);
        final CountDownLatch isStalled = new CountDownLatch(1);
        service.guest().subscribe(SubscribeRequest.topic("t"), new Failing(isCalled, isStalled));
        client.publish("t", "{}");
        assertThat(isCalled.await(20, TimeUnit.SECONDS)).isTrue();
        client.publish("t", "{}");
        assertThat(Harness.await(() -> service.heldLength() > 0)).isTrue();
        proxy.stall();
        isStalled.countDown();

        assertThat(Harness.await(() ->
                        service.heldLength() == 0 && service.counters().get(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                .isTrue();
    }

    @Test
    void shouldNotAskTheBrokerForEachSubscriptionWhenItIsClosed() throws Exception {
        final int count = 10;
        for (int i = 0; i < count; i++) {
            service.guest().subscribe(SubscribeRequest.topic("t" + i), null);
        }
        proxy.stall();

        final long beginNs = System.nanoTime();
        service.close();
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);

        assertThat(tookMs).isLessThan((long) count * CALL_TIMEOUT_MS);
        assertThat(service.counters().get(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
    }

    @Test
    void shouldWaitOnceForAllGuestsWhenTheBrokerDoesNotAnswer() throws Exception {
        final int count = 6;
        final AtomicInteger refusedCount = new AtomicInteger();
        proxy.stall();
        final List<Thread> guests = new ArrayList<>();
        final long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            final Thread guest = new Thread(() -> {
                try {
                    service.guest().publish(Publication.of("t", new byte[] {'{', '}'}), false);
                } catch (final BrokerException e) {
                    refusedCount.incrementAndGet();
                }
            });
            guests.add(guest);
            guest.start();
        }
        for (final Thread each : guests) {
            each.join();
        }
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);

        assertThat(refusedCount).hasValue(count);
        assertThat(tookMs).isLessThan((count - 1L) * CALL_TIMEOUT_MS);
    }

    @Test
    void shouldNotifyWhoeverDoesNotWaitWhenTheBrokerAcknowledges() throws Exception {
        final PublishCommand message = command("{}");
        assertThat(service.guest().tryPublish(message, refusal -> {}))
                .as("before it is connected")
                .isFalse();
        service.guest().connect();

        assertThat(tryPublish(message).get(20, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        assertThat(service.counters().get(BridgeCounter.PUBLISHED)).isOne();
        assertThat(tryPublish(command("{")).get(20, TimeUnit.SECONDS)).isEqualTo("BAD_MESSAGE");

        proxy.stall();
        final CompletableFuture<String> unanswered = tryPublish(message);
        service.close();
        assertThat(unanswered.get(20, TimeUnit.SECONDS)).isEqualTo("NOT_CONNECTED");
        assertThat(service.counters().get(BridgeCounter.PUBLISHED)).isOne();
    }

    private static PublishCommand command(final String text) throws BrokerException {
        return PublishCommand.of(Publication.of("t", text.getBytes(StandardCharsets.UTF_8)), Headers.NONE, false);
    }

    private CompletableFuture<String> tryPublish(final PublishCommand message) throws Exception {
        final CompletableFuture<String> reported = new CompletableFuture<>();
        assertThat(service.guest()
                        .tryPublish(
                                message,
                                refusal -> reported.complete(refusal == null ? "acknowledged" : refusal.name())))
                .isTrue();
        return reported;
    }

    private static BridgeConfig config() {
        final BridgeConfig all = BridgeConfig.defaults();
        return new BridgeConfig(
                RmiConfig.none(),
                IiopConfig.none(),
                all.sessionCountMax(),
                all.subscriptionCountMax(),
                all.queryCountMax(),
                all.messageLengthMax(),
                1,
                all.batchLengthMax(),
                all.queueCountMax(),
                all.queueLengthMax(),
                all.heldLengthMax(),
                all.leaseMs(),
                CALL_TIMEOUT_MS,
                all.waitMsMax(),
                60_000,
                all.callbackThreadCountMax(),
                "");
    }

    /** Fails as soon as the broker is silent. */
    private record Failing(CountDownLatch isCalled, CountDownLatch isStalled) implements Listener {
        @Override
        public void onMessages(final long subscription, final DeliveryWithHeaders[] deliveries) throws Exception {
            isCalled.countDown();
            isStalled.await();
            throw new IllegalStateException("a client that fails");
        }

        @Override
        public void onEnd(final long subscription, final BrokerException reason) {}

        @Override
        public void closeIdle(final long nowNs) {}

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }
}
