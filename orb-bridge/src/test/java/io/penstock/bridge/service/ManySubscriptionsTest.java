package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.SubscribeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As many subscriptions as the bridge has by default. */
@Timeout(120)
class ManySubscriptionsTest {
    private static final int SESSIONS = 20;
    private static final int COUNT = BridgeConfig.SUBSCRIPTION_COUNT_MAX_DEFAULT;
    private static final int TOPICS = 100;
    private static final int WAIT_MS = 20_000;

    /** Of these subscriptions every other one is called for messages, and one does not return. */
    @Test
    void shouldServeEachOfTenThousandWhenOneHangs() throws Exception {
        final AtomicIntegerArray calledFor = new AtomicIntegerArray(COUNT);
        final CountDownLatch isOver = new CountDownLatch(1);
        try (Harness harness = Harness.of(BridgeConfig.defaults());
                BridgeService service = harness.newService()) {
            final List<BridgeSession> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                sessions.add(service.logon(new Credentials("many-" + i, "", "")));
            }
            final long[] subscriptions = new long[COUNT];
            for (int i = 0; i < COUNT; i++) {
                subscriptions[i] = sessions.get(i % SESSIONS)
                        .subscribe(request(i), i % 2 == 0 ? new Counting(calledFor, i, isOver) : null);
            }
            final BrokerException refusal = catchThrowableOfType(
                    BrokerException.class, () -> sessions.get(0).subscribe(request(0), null));

            // One for all subscriptions of each topic, and one for one of them.
            for (int topic = 0; topic < TOPICS; topic++) {
                harness.client().publish(topic(topic), "{\"n\":-1}");
                harness.client().publish(topic(topic), "{\"n\":" + topic + "}");
            }

            for (int i = 0; i < COUNT; i++) {
                final int expected = i < TOPICS ? 2 : 1;
                if (i % 2 == 1) {
                    assertThat(take(sessions.get(i % SESSIONS), subscriptions[i], expected))
                            .isEqualTo(expected);
                } else if (i > 0) {
                    final int number = i;
                    assertThat(Harness.await(() -> calledFor.get(number) == expected))
                            .as("subscription %d was called for %d", i, calledFor.get(i))
                            .isTrue();
                }
            }
            assertThat(refusal.name()).isEqualTo("LIMIT_REACHED");
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isEqualTo(COUNT);
            isOver.countDown();
            sessions.get(1).unsubscribe(subscriptions[1]);
            sessions.get(0).subscribe(request(0), null);
            sessions.forEach(BridgeSession::close);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                    .isTrue();
            assertThat(service.heldLength()).isZero();
        } finally {
            isOver.countDown();
        }
    }

    private static String topic(final int number) {
        return "many-" + number % TOPICS;
    }

    private static SubscribeRequest request(final int number) {
        return SubscribeRequest.topic(topic(number)).filter("n = -1 OR n = " + number);
    }

    private static int take(final BridgeSession session, final long subscription, final int count)
            throws BrokerException {
        int taken = 0;
        while (taken < count) {
            final DeliveryWithHeaders[] deliveries = session.next(subscription, count, WAIT_MS);
            if (deliveries.length == 0) {
                return taken;
            }
            taken += deliveries.length;
        }
        return taken;
    }

    /** Counts what it is called for; the first one does not return before the end. */
    private record Counting(AtomicIntegerArray counts, int index, CountDownLatch isOver) implements Listener {
        @Override
        public void onMessages(final long subscription, final DeliveryWithHeaders[] deliveries)
                throws InterruptedException {
            counts.addAndGet(index, deliveries.length);
            if (index == 0) {
                isOver.await();
            }
        }

        @Override
        public void onEnd(final long subscription, final BrokerException reason) {}

        @Override
        public void closeIdle(final long nowNs) {}

        @Override
        public void abort() {
            isOver.countDown();
        }

        @Override
        public void close() {}
    }
}
