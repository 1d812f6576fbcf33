package io.penstock.spring.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.spring.Eventually;
import io.penstock.spring.LogCapture;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.annotation.PenstockRetryTopic;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.ListenerFailedEvent;
import io.penstock.spring.listener.PenstockErrorHandler;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.util.backoff.FixedBackOff;

/** Where dead letters go is the program's to say, not a publisher's. */
class DeadLetterTopicTest {
    private static final List<String> CALLS = new CopyOnWriteArrayList<>();

    private final TestBroker broker = TestBroker.inproc();
    private final PenstockClient client = broker.client();
    private final BlockingQueue<Message> dead = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        client.close();
        broker.close();
        CALLS.clear();
    }

    private Message nextDead() throws InterruptedException {
        return Objects.requireNonNull(dead.poll(30, TimeUnit.SECONDS), () -> "no dead letter; calls: " + CALLS);
    }

    private static Publication forged(final String origin) {
        return Publication.to("orders")
                .text("{\"id\":1}")
                .header(PenstockHeaders.ORIGINAL_TOPIC, origin)
                .header(PenstockHeaders.ORIGINAL_KEY, "7")
                .header(PenstockHeaders.ATTEMPTS, 40)
                .header(PenstockHeaders.RETRY_LISTENER, "me");
    }

    static class Failing {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 0));
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void on(final String text) {
            throw new IllegalStateException("no");
        }
    }

    @Test
    void shouldPublishToTheTopicOfTheMessageWhenItsHeadersNameAnother() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Failing.class)) {
            client.subscribe("orders.dead", message -> dead.add(message.toMessage()));
            client.publish(forged("payroll"));
            final Message letter = nextDead();
            assertThat(letter.headers().toMap())
                    .containsEntry(PenstockHeaders.ORIGINAL_TOPIC, "orders")
                    .containsEntry(PenstockHeaders.ATTEMPTS, 1L)
                    .doesNotContainKeys(PenstockHeaders.ORIGINAL_KEY, PenstockHeaders.RETRY_LISTENER);
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    static class Retried {
        @PenstockListener(id = "retried", topic = "orders")
        @PenstockRetryTopic(delay = "1ms", attempts = "3")
        void on(final String text, @Header(PenstockHeaders.TOPIC) final String topic) {
            CALLS.add(topic);
            throw new IllegalStateException("no");
        }
    }

    @Test
    void shouldSayWhereAMessageWasAtFirstWhenItWasRetriedAndItsHeadersSayOtherwise() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Retried.class);
                LogCapture log = new LogCapture(DeadLetterPublishingRecoverer.class);
                LogCapture retries = new LogCapture(RetryTopicRecoverer.class)) {
            client.subscribe("orders.dead", message -> dead.add(message.toMessage()));
            client.publish(forged("payroll"));
            assertThat(nextDead().headers().toMap())
                    .containsEntry(PenstockHeaders.ORIGINAL_TOPIC, "orders")
                    .containsEntry(PenstockHeaders.LISTENER, "retried")
                    .containsEntry(PenstockHeaders.ATTEMPTS, 3L)
                    .doesNotContainKey(PenstockHeaders.ORIGINAL_KEY);
            assertThat(CALLS).containsExactly("orders", "orders.retry-1", "orders.retry-2");
            Eventually.await("the end is logged", () -> log.has("listener retried: orders.retry-2"));
            assertThat(log.texts()).singleElement().asString().contains("after 3 attempts");
            assertThat(log.thrown()).singleElement().isInstanceOf(IllegalStateException.class);
            assertThat(retries.texts()).hasSize(2).allMatch(text -> text.contains("listener retried: "));
            assertThat(context.container("retried").isRunning()).isTrue();
        }
    }

    static class Refused {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(
                    new DeadLetterPublishingRecoverer(connection, (message, cause) -> "x".repeat(400)),
                    new FixedBackOff(1, 0));
        }

        @EventListener
        void on(final ListenerFailedEvent event) {
            CALLS.add(event.decision().kind().name());
        }

        @PenstockListener(id = "refused", topic = "orders", errorHandler = "letters")
        void on(final String text) {
            CALLS.add(text);
            if (text.equals("1")) {
                throw new IllegalStateException("no");
            }
        }
    }

    @Test
    void shouldGiveUpWhenTheBrokerRefusesTheDeadLetterAgainAndAgain() {
        try (TestContext context = TestContext.start(broker.clients(), Refused.class)) {
            client.publish("orders", "1");
            client.publish("orders", "2");
            Eventually.await(() -> "the next one; " + CALLS, () -> CALLS.contains("2"));
            assertThat(CALLS).containsExactly("1", "RETRY", "1", "RETRY", "1", "DONE", "2");
            assertThat(context.container("refused").isRunning()).isTrue();
        }
    }

    static class Letters {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 0));
        }

        @PenstockListener(id = "all", pattern = "orders.*", errorHandler = "letters")
        void on(final String text, @Header(PenstockHeaders.TOPIC) final String topic) {
            CALLS.add(topic + " " + text);
            if (text.equals("1")) {
                throw new IllegalStateException("no");
            }
        }
    }

    @Test
    void shouldGiveUpADeadLetterWhenItFailsInItsTopic() {
        try (TestContext context = TestContext.start(broker.clients(), Letters.class);
                LogCapture log = new LogCapture(DeadLetterPublishingRecoverer.class)) {
            client.publish("orders", "1");
            Eventually.await("it is given up", () -> log.has("is given up"));
            client.publish("orders.dead", "2");
            Eventually.await("the next one", () -> CALLS.contains("orders.dead 2"));
            assertThat(CALLS).containsExactly("orders 1", "orders.dead 1", "orders.dead 2");
            assertThat(context.container("all").isRunning()).isTrue();
        }
    }

    static class Circular {
        @PenstockListener(topic = "orders")
        @PenstockRetryTopic(deadLetterTopic = "orders")
        void on(final String text) {
            CALLS.add(text);
        }
    }

    @Test
    void shouldNotStartWhenDeadLettersGoToTheTopicThatTheyComeFrom() {
        assertThatThrownBy(() ->
                        TestContext.start(broker.clients(), Circular.class).close())
                .rootCause()
                .hasMessageContaining("deadLetterTopic")
                .hasMessageContaining("orders");
    }
}
