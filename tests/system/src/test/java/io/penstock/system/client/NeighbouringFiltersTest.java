package io.penstock.system.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.BrokerConfig;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many filters on one connection, of which each message satisfies another one, beside a subscription to all of it. */
@Timeout(300)
class NeighbouringFiltersTest extends BrokerFixture {
    private static final int FILTER_COUNT = 10;
    private static final int MESSAGE_COUNT = Integer.getInteger("penstock.messages", 1_500_000);
    private static final String PAD = ",\"pad\":\"" + "x".repeat(70) + "\"}";
    private static final Duration ALL_LIMIT = Duration.ofMinutes(2);

    private final Queue<String> ends = new ConcurrentLinkedQueue<>();

    NeighbouringFiltersTest() {
        super(BrokerConfig.builder().listen("tcp://127.0.0.1:0"));
    }

    @Test
    void shouldKeepUpWithAPublisherThatIsNotHeldBack() throws InterruptedException {
        final PenstockClient subscriber = connect();
        final List<Expectation> expectations = new ArrayList<>();
        for (int i = 0; i < FILTER_COUNT; i++) {
            final Expectation expectation = new Expectation(i, FILTER_COUNT);
            expectations.add(expectation);
            subscriber.subscribe("t", "n % " + FILTER_COUNT + " = " + i, expectation);
        }
        final Expectation all = new Expectation(0, 1);
        expectations.add(all);
        connect().subscribe("t", all);

        publish(connect());

        for (final Expectation expectation : expectations) {
            final boolean isComplete = expectation.rest.await(ALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(ends).isEmpty();
            assertThat(isComplete).isTrue();
        }
    }

    private static void publish(final PenstockClient publisher) {
        for (int n = 0; n < MESSAGE_COUNT; n++) {
            final UnsafeBuffer message = new UnsafeBuffer(("{\"n\":" + n + PAD).getBytes(UTF_8));
            while (!publisher.tryPublish("t", message, 0, message.capacity())) {
                LockSupport.parkNanos(1_000);
            }
        }
        publisher.flush(ALL_LIMIT);
    }

    /** Every so many messages, from the first one that is meant on, in their order. */
    private final class Expectation implements MessageHandler {
        private final int step;
        private final CountDownLatch rest = new CountDownLatch(1);
        private int next;

        private Expectation(final int first, final int step) {
            next = first;
            this.step = step;
        }

        @Override
        public void onMessage(final MessageView message) {
            final String text = message.text();
            final int n = Integer.parseInt(text, "{\"n\":".length(), text.indexOf(','), 10);
            if (n != next) {
                end(n + " instead of " + next);
            }
            next = n + step;
            if (next >= MESSAGE_COUNT) {
                rest.countDown();
            }
        }

        @Override
        public void onEnd(final Subscription subscription, final PenstockException reason) {
            end(String.valueOf(reason.getMessage()));
        }

        private void end(final String what) {
            ends.add(what);
            rest.countDown();
        }
    }
}
