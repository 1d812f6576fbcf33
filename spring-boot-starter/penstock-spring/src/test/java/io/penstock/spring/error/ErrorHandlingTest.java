package io.penstock.spring.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.annotation.PenstockRetryTopic;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.DeliveryException;
import io.penstock.spring.listener.PenstockErrorHandler;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.backoff.FixedBackOff;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

class ErrorHandlingTest {
    private static final List<String> CALLS = new CopyOnWriteArrayList<>();
    private static final AtomicInteger FAILING_LETTERS = new AtomicInteger();

    private final TestBroker broker = TestBroker.inproc();
    private final PenstockClient client = broker.client();
    private final BlockingQueue<Message> dead = new LinkedBlockingQueue<>();

    /** A payload. */
    record Quote(int id, double price) {}

    @BeforeEach
    void subscribe() {
        client.subscribe("orders.dead", message -> dead.add(message.toMessage()));
    }

    @AfterEach
    void close() {
        client.close();
        broker.close();
        CALLS.clear();
        FAILING_LETTERS.set(0);
    }

    private Message nextDead() throws InterruptedException {
        final Message message = dead.poll(30, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no dead letter has come; calls: " + CALLS);
        }
        return message;
    }

    static class Failing {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            final DeadLetterPublishingRecoverer recoverer = new DeadLetterPublishingRecoverer(connection);
            return new DefaultErrorHandler(
                    (delivery, listenerId, cause, attempts) -> {
                        if (FAILING_LETTERS.getAndDecrement() > 0) {
                            throw new IllegalStateException("no dead letters now");
                        }
                        recoverer.recover(delivery, listenerId, cause, attempts);
                    },
                    new FixedBackOff(1, 2));
        }

        @PenstockListener(id = "failing", topic = "orders", errorHandler = "letters")
        void on(final Quote quote, @Header(PenstockHeaders.ATTEMPT) final int attempt) {
            CALLS.add(quote.id() + " " + attempt);
            if (quote.price() < 0) {
                throw new IllegalArgumentException("price below 0: " + quote.price());
            }
        }
    }

    @Test
    void shouldRetryAndPublishADeadLetterWithItsCauseWhenTheListenerThrows() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Failing.class)) {
            client.publish(
                    Publication.to("orders").text("{\"id\":1,\"price\":-1}").header("region", "EU"));
            client.publish("orders", "{\"id\":2,\"price\":1}");

            final Message letter = nextDead();
            Eventually.await("the next one came", () -> CALLS.contains("2 1"));
            assertThat(CALLS).containsExactly("1 1", "1 2", "1 3", "2 1");
            assertThat(letter.text()).isEqualTo("{\"id\":1,\"price\":-1}");
            assertThat(letter.headers().toMap())
                    .containsEntry("region", "EU")
                    .containsEntry(PenstockHeaders.ORIGINAL_TOPIC, "orders")
                    .containsEntry(PenstockHeaders.LISTENER, "failing")
                    .containsEntry(PenstockHeaders.EXCEPTION_CLASS, IllegalArgumentException.class.getName())
                    .containsEntry(PenstockHeaders.EXCEPTION_MESSAGE, "price below 0: -1.0")
                    .containsEntry(PenstockHeaders.ATTEMPTS, 3L)
                    .containsKeys(PenstockHeaders.ORIGINAL_BOOKMARK, PenstockHeaders.ORIGINAL_TIMESTAMP);
            assertThat(context.container("failing").getQueuedCount()).isZero();
        }
    }

    @Test
    void shouldPublishADeadLetterAtOnceWhenThePayloadCannotBeConverted() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Failing.class)) {
            client.publish("orders", "{\"id\":\"seven\"}");

            final Message letter = nextDead();
            assertThat(letter.headers().number(PenstockHeaders.ATTEMPTS, 0)).isEqualTo(1);
            assertThat(letter.headers().text(PenstockHeaders.EXCEPTION_CLASS)).contains("Conversion");
            assertThat(CALLS).isEmpty();
            assertThat(context.container("failing").isRunning()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "text/", "a/b;charset=nope", "", "application/json;charset=\"", "*/*"})
    void shouldPublishADeadLetterAtOnceOrReadItWhenTheContentTypeIsNone(final String type) throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Failing.class)) {
            client.publish(Publication.to("orders").text("{\"id\":\"x\"}").header("content-type", type));

            assertThat(nextDead().headers().number(PenstockHeaders.ATTEMPTS, 0)).isEqualTo(1);
            assertThat(context.container("failing").isRunning()).isTrue();
        }
    }

    @Test
    void shouldCallTheListenerAgainWhenTheDeadLetterCannotBeWritten() throws Exception {
        FAILING_LETTERS.set(1);
        try (TestContext context = TestContext.start(broker.clients(), Failing.class)) {
            client.publish("orders", "{\"id\":1,\"price\":-1}");

            assertThat(nextDead().text()).contains("-1");
            assertThat(CALLS).containsExactly("1 1", "1 2", "1 3", "1 4");
            assertThat(context.container("failing").isRunning()).isTrue();
        }
    }

    static class Batch {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 1));
        }

        @PenstockListener(id = "batch", topic = "orders", batch = true, errorHandler = "letters", autoStartup = "false")
        void on(final List<Quote> quotes) {
            CALLS.add(quotes.stream().map(Quote::id).toList().toString());
        }
    }

    static class Attempts {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 1));
        }

        @PenstockListener(
                id = "attempts",
                topic = "orders",
                batch = true,
                errorHandler = "letters",
                autoStartup = "false")
        void on(final List<org.springframework.messaging.Message<Quote>> quotes) {
            final List<Object> attempts = quotes.stream()
                    .map(quote -> Objects.requireNonNull(quote.getHeaders().get(PenstockHeaders.ATTEMPT)))
                    .toList();
            CALLS.add(attempts.toString());
            if (attempts.contains(1)) {
                throw new IllegalStateException("again");
            }
        }
    }

    @Test
    void shouldCountNoAttemptWhenTheListenerWasNotCalledBecauseOfAnother() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Attempts.class)) {
            context.container("attempts").pause();
            context.container("attempts").start();
            client.publish("orders", "{\"id\":1,\"price\":1}");
            client.publish("orders", "{\"id\":\"two\"}");
            client.publish("orders", "{\"id\":\"three\"}");
            Eventually.await("they wait", () -> context.container("attempts").getQueuedCount() == 3);
            context.container("attempts").resume();

            assertThat(nextDead().headers().number(PenstockHeaders.ATTEMPTS, 0)).isEqualTo(1);
            assertThat(nextDead().headers().number(PenstockHeaders.ATTEMPTS, 0)).isEqualTo(1);
            Eventually.await("it came twice", () -> CALLS.size() == 2);
            assertThat(CALLS).containsExactly("[1]", "[2]");
            assertThat(dead).isEmpty();
        }
    }

    static class Named {
        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 1));
        }

        @PenstockListener(id = "named", topic = "orders", batch = true, errorHandler = "letters", autoStartup = "false")
        void on(final List<Delivery> deliveries) {
            CALLS.add(deliveries.stream()
                    .map(delivery -> delivery.message().text())
                    .toList()
                    .toString());
            for (final Delivery delivery : deliveries) {
                if (delivery.message().text().equals("2")) {
                    throw new DeliveryException(delivery, new IllegalStateException("again"));
                }
                if (delivery.message().text().equals("3")) {
                    delivery.acknowledge();
                    throw new IllegalStateException("has the character \u0000");
                }
            }
        }
    }

    @Test
    void shouldSetTheNamedMessageAsideWhenItFailsAgainAndAgain() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Named.class)) {
            pausedWith(context, "1", "2");

            assertThat(nextDead().text()).isEqualTo("2");
            Eventually.await("the other came alone", () -> CALLS.contains("[1]"));
            assertThat(CALLS).containsExactly("[1, 2]", "[1, 2]", "[1]");
            assertThat(dead).isEmpty();
        }
    }

    @Test
    void shouldLeaveOutWhatWasAcknowledgedWhenTheRestFails() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Named.class)) {
            pausedWith(context, "3", "2");

            final Message letter = nextDead();
            assertThat(letter.text()).isEqualTo("2");
            assertThat(CALLS).containsExactly("[3, 2]", "[2]");
            assertThat(dead).isEmpty();
        }
    }

    private void pausedWith(final TestContext context, final String... texts) {
        context.container("named").pause();
        context.container("named").start();
        for (final String text : texts) {
            client.publish("orders", text);
        }
        Eventually.await("they wait", () -> context.container("named").getQueuedCount() == texts.length);
        context.container("named").resume();
    }

    static class Unwritable {
        @PenstockListener(id = "unwritable", topic = "orders", errorHandler = "letters")
        void on(final String text) {
            CALLS.add(text);
            throw new IllegalStateException("has a \u0000 and half of a pair: \ud83d");
        }

        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 0));
        }
    }

    @Test
    void shouldWriteTheDeadLetterWhenTheExceptionSaysWhatNoHeaderCan() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Unwritable.class)) {
            client.publish("orders", "7");

            assertThat(nextDead().headers().text(PenstockHeaders.EXCEPTION_MESSAGE))
                    .isEqualTo("has a \ufffd and half of a pair: \ufffd");
            assertThat(CALLS).containsExactly("7");
            assertThat(context.container("unwritable").isRunning()).isTrue();
        }
    }

    @Test
    void shouldSetOneMessageAsideWhenItIsTheOnlyBadOneOfABatch() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Batch.class)) {
            context.container("batch").pause();
            context.container("batch").start();
            client.publish("orders", "{\"id\":1,\"price\":1}");
            client.publish("orders", "{\"id\":\"two\"}");
            client.publish("orders", "{\"id\":3,\"price\":1}");
            Eventually.await("they wait", () -> context.container("batch").getQueuedCount() == 3);
            context.container("batch").resume();

            assertThat(nextDead().text()).isEqualTo("{\"id\":\"two\"}");
            Eventually.await("the others came", () -> !CALLS.isEmpty());
            assertThat(CALLS).containsExactly("[1, 3]");
        }
    }

    static class Retried {
        @PenstockListener(id = "retried", topic = "orders")
        @PenstockRetryTopic(delay = "50ms", multiplier = "1", exclude = UnsupportedOperationException.class)
        void on(final Quote quote, @Header(PenstockHeaders.TOPIC) final String topic) {
            CALLS.add(quote.id() + " " + topic);
            if (quote.price() < -1) {
                throw new UnsupportedOperationException("never");
            }
            if (quote.price() < 0) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    @Test
    void shouldRetryOnOtherTopicsWithoutHoldingUpOthersWhenRetryTopicsAreAskedFor() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Retried.class)) {
            final long startMs = System.currentTimeMillis();
            client.publish("orders", "{\"id\":1,\"price\":-1}");
            client.publish("orders", "{\"id\":2,\"price\":1}");

            final Message letter = nextDead();
            assertThat(System.currentTimeMillis() - startMs).isGreaterThanOrEqualTo(100);
            Eventually.await("the other came", () -> CALLS.contains("2 orders"));
            assertThat(CALLS)
                    .containsExactlyInAnyOrder("1 orders", "2 orders", "1 orders.retry-1", "1 orders.retry-2")
                    .containsSubsequence("1 orders", "1 orders.retry-1", "1 orders.retry-2");
            assertThat(letter.headers().toMap())
                    .containsEntry(PenstockHeaders.ORIGINAL_TOPIC, "orders")
                    .containsEntry(PenstockHeaders.ATTEMPTS, 3L)
                    .containsEntry(PenstockHeaders.EXCEPTION_MESSAGE, "not yet");
            assertThat(context.container("retried.retry-2").isRunning()).isTrue();
        }
    }

    @Test
    void shouldNotRetryWhenTheExceptionIsExcluded() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Retried.class)) {
            client.publish("orders", "{\"id\":1,\"price\":-2}");

            assertThat(nextDead().headers().number(PenstockHeaders.ATTEMPTS, 0)).isEqualTo(1);
            assertThat(CALLS).containsExactly("1 orders");
            assertThat(context.container("retried").isRunning()).isTrue();
        }
    }

    static class Valid {
        @Bean
        static PenstockListenerConfigurer configurer() {
            return registrar -> registrar.setValidator(new Validator() {
                @Override
                public boolean supports(final Class<?> type) {
                    return type == Quote.class;
                }

                @Override
                public void validate(final Object target, final Errors errors) {
                    if (target instanceof Quote quote && quote.price() < 0) {
                        errors.reject("price", "below 0");
                    }
                }
            });
        }

        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 1));
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void on(@Payload @Validated final Quote quote) {
            CALLS.add("valid " + quote.id());
        }
    }

    @Test
    void shouldPublishADeadLetterAtOnceWhenThePayloadIsNotValid() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Valid.class)) {
            client.publish("orders", "{\"id\":1,\"price\":-1}");
            client.publish("orders", "{\"id\":2,\"price\":1}");

            assertThat(nextDead().headers().toMap()).containsAllEntriesOf(Map.of(PenstockHeaders.ATTEMPTS, 1L));
            Eventually.await("the valid one came", () -> CALLS.contains("valid 2"));
            assertThat(CALLS).doesNotContain("valid 1");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }
}
