package io.penstock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.PenstockClient;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.error.DeadLetterPublishingRecoverer;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.PenstockErrorHandler;
import io.penstock.spring.template.PenstockRecord;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.Message;
import org.springframework.util.backoff.FixedBackOff;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

/** Payloads that have to be valid, wherever the annotation stands. */
class ListenerValidationTest {
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    private final TestBroker broker = TestBroker.inproc();
    private final PenstockClient client = broker.client();

    /** A payload. */
    record Quote(int id, double price) {}

    /** An annotation as that of Jakarta, which need not be on the class path. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.PARAMETER, ElementType.TYPE_USE})
    @interface Valid {}

    @AfterEach
    void close() {
        client.close();
        broker.close();
        SEEN.clear();
    }

    /** Knows quotes, and nothing else. */
    static final class QuoteValidator implements Validator {
        @Override
        public boolean supports(final Class<?> type) {
            return type == Quote.class;
        }

        @Override
        public void validate(final Object target, final Errors errors) {
            if (((Quote) target).price() < 0) {
                errors.reject("price", "below 0");
            }
        }
    }

    static class Beans {
        @Bean
        static Validator penstockValidator() {
            return new QuoteValidator();
        }

        @Bean
        static PenstockErrorHandler letters(final PenstockConnection connection) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(connection), new FixedBackOff(1, 1));
        }
    }

    static class Single {
        @PenstockListener(topic = "orders", errorHandler = "letters")
        void payload(@Validated final Quote quote) {
            SEEN.add("payload " + quote.id());
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void message(@Valid final Message<Quote> message) {
            SEEN.add("message " + message.getPayload().id());
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void ofMessage(final Message<@Valid Quote> message) {
            SEEN.add("of message " + message.getPayload().id());
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void ofRecord(final PenstockRecord<@Valid Quote> record) {
            SEEN.add("of record " + record.payload().id());
        }

        @PenstockListener(topic = "orders", batch = true, errorHandler = "letters")
        void ofMessages(final List<Message<@Valid Quote>> messages) {
            messages.forEach(each -> SEEN.add("of messages " + each.getPayload().id()));
        }
    }

    static class Lists {
        @PenstockListener(topic = "orders", errorHandler = "letters")
        void list(@Valid final List<Quote> quotes) {
            SEEN.add("list " + quotes.get(0).id());
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void ofList(final List<@Valid Quote> quotes) {
            SEEN.add("of list " + quotes.get(0).id());
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void message(@Validated final Message<List<Quote>> message) {
            SEEN.add("message " + message.getPayload().get(0).id());
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void record(@Validated final PenstockRecord<List<Quote>> record) {
            SEEN.add("record " + record.payload().get(0).id());
        }
    }

    private void assertValidated(
            final Class<?> listeners, final String valid, final String invalid, final String... seen) {
        final List<String> dead = new CopyOnWriteArrayList<>();
        client.subscribe("orders.dead", message -> dead.add(message.toMessage().text()));
        try (TestContext context = TestContext.start(broker.clients(), Beans.class, listeners)) {
            client.publish("orders", invalid);
            client.publish("orders", valid);

            Eventually.await(() -> "all were called, and not " + SEEN, () -> SEEN.size() >= seen.length);
            Eventually.await(() -> "all refused it, and not " + dead, () -> dead.size() >= seen.length);
            assertThat(SEEN).containsExactlyInAnyOrder(seen);
            assertThat(dead).hasSize(seen.length).containsOnly(invalid);
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    @Test
    void shouldSetAsideWhatIsNotValidWhenThePayloadIsAnObject() {
        assertValidated(
                Single.class,
                "{\"id\":1,\"price\":1}",
                "{\"id\":2,\"price\":-1}",
                "payload 1",
                "message 1",
                "of message 1",
                "of record 1",
                "of messages 1");
    }

    @Test
    void shouldCheckEachElementWhenThePayloadIsAList() {
        assertValidated(
                Lists.class,
                "[{\"id\":1,\"price\":1},{\"id\":2,\"price\":2}]",
                "[{\"id\":1,\"price\":1},{\"id\":2,\"price\":-1}]",
                "list 1",
                "of list 1",
                "message 1",
                "record 1");
    }

    static class Unchecked {
        @PenstockListener(topic = "orders")
        void on(final List<@Valid Quote> quotes) {}
    }

    @Test
    void shouldRefuseToStartWhenNothingValidates() {
        assertThatThrownBy(() ->
                        TestContext.start(broker.clients(), Unchecked.class).close())
                .hasMessageContaining("Unchecked.on(")
                .hasMessageContaining("nothing checks it")
                .hasMessageContaining("spring-boot-starter-validation");
    }
}
