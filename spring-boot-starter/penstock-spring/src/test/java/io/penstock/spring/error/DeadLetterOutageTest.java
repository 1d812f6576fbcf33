package io.penstock.spring.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.AckType;
import io.penstock.client.LogPlace;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRequest;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.PenstockErrorHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.util.backoff.FixedBackOff;

/** A broker that goes away while a message fails. */
class DeadLetterOutageTest {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final CountDownLatch IS_AWAY = new CountDownLatch(1);

    static class Failing {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(
                    new DeadLetterPublishingRecoverer(
                            connection, (message, cause) -> "orders.dead", Duration.ofMillis(20)),
                    new FixedBackOff(1, 0));
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void on(final String text) throws InterruptedException {
            if (text.equals("2")) {
                CALLS.incrementAndGet();
                if (!IS_AWAY.await(30, TimeUnit.SECONDS)) {
                    throw new AssertionError("the broker was not stopped");
                }
            }
            throw new IllegalStateException("no");
        }
    }

    @Test
    void shouldPublishOneDeadLetterWhenTheBrokerIsAwayForSeveralAttempts(@TempDir final Path directory)
            throws Exception {
        try (TestBroker broker = TestBroker.journaled(directory);
                TestContext context = TestContext.start(broker.clients(), Failing.class)) {
            final List<String> dead = new CopyOnWriteArrayList<>();
            try (PenstockClient client = broker.client()) {
                client.publish("orders", "1");
                Eventually.await(
                        "the topic of dead letters is known",
                        () -> client.topics("orders.dead").size() == 1);
                client.publish("orders", "2", AckType.PROCESSED).get(30, TimeUnit.SECONDS);
                Eventually.await("the second one came", () -> CALLS.get() == 1);
            }
            broker.stop();
            IS_AWAY.countDown();
            Eventually.await("it was tried again and again", () -> CALLS.get() >= 4);
            broker.start();
            try (PenstockClient client = broker.client()) {
                client.subscribe(
                        ReplayRequest.topic("orders.dead").from(LogPlace.BEGINNING),
                        message -> dead.add(message.toMessage().text()));
                Eventually.await("the letter is there", () -> dead.contains("2"));
                // One that is published after it comes after all copies of it.
                Eventually.await(
                        "the listener is connected", () -> context.connection().isConnected());
                client.publish("orders", "3");
                Eventually.await("and the next one", () -> dead.contains("3"));
            }
            assertThat(dead).containsExactly("1", "2", "3");
        }
    }
}
