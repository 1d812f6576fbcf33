package io.penstock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.error.DeadLetterPublishingRecoverer;
import io.penstock.spring.listener.DefaultErrorHandler;
import io.penstock.spring.listener.PenstockErrorHandler;
import io.penstock.spring.template.PenstockRecord;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.util.backoff.FixedBackOff;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

/** What a listener's method is called with, besides what is usual. */
class ListenerArgumentsTest {
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    private final TestBroker broker = TestBroker.inproc();
    private final PenstockClient client = broker.client();

    /** A payload. */
    record Quote(int id, double price) {}

    @AfterEach
    void close() {
        client.close();
        broker.close();
        SEEN.clear();
    }

    private static void awaitSeen(final String... expected) {
        Eventually.await(() -> List.of(expected) + ", and there is " + SEEN, () -> SEEN.size() >= expected.length);
        assertThat(SEEN).containsExactlyInAnyOrder(expected);
    }

    /** What a program knows of a message. */
    record Tenant(String name) {}

    /** Makes a tenant of a header. */
    private static final class Tenants implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(final MethodParameter parameter) {
            return parameter.getParameterType() == Tenant.class;
        }

        @Override
        public Object resolveArgument(final MethodParameter parameter, final Message<?> message) {
            return new Tenant(Objects.toString(message.getHeaders().get("tenant")));
        }
    }

    static class OfATenant {
        @Bean
        static PenstockListenerConfigurer configurer() {
            return registrar -> registrar.addArgumentResolver(new Tenants());
        }

        @PenstockListener(topic = "orders")
        void after(final Quote quote, final Tenant tenant) {
            SEEN.add("after " + quote.id() + " " + tenant.name());
        }

        @PenstockListener(topic = "orders")
        void before(final Tenant tenant, final Quote quote) {
            SEEN.add("before " + quote.id() + " " + tenant.name());
        }

        @PenstockListener(topic = "orders")
        void alone(final Tenant tenant) {
            SEEN.add("alone " + tenant.name());
        }
    }

    @Test
    void shouldAskTheProgramsResolverWhenAParameterIsBesideThePayload() {
        try (TestContext context = TestContext.start(broker.clients(), OfATenant.class)) {
            client.publish(
                    Publication.to("orders").text("{\"id\":7,\"price\":1}").header("tenant", "a"));

            awaitSeen("after 7 a", "before 7 a", "alone a");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    /** An annotation as that of Jakarta, which need not be on the class path. */
    @Retention(RetentionPolicy.RUNTIME)
    @java.lang.annotation.Target({java.lang.annotation.ElementType.PARAMETER, java.lang.annotation.ElementType.TYPE_USE
    })
    @interface Valid {}

    static class ValidBatch {
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

        @PenstockListener(topic = "orders", batch = true, errorHandler = "letters")
        void validated(@Validated final List<Quote> quotes) {
            quotes.forEach(quote -> SEEN.add("validated " + quote.id()));
        }

        @PenstockListener(topic = "orders", batch = true, errorHandler = "letters")
        void elements(final List<@Valid Quote> quotes) {
            quotes.forEach(quote -> SEEN.add("elements " + quote.id()));
        }

        @PenstockListener(topic = "orders", errorHandler = "letters")
        void record(@Validated final PenstockRecord<Quote> record) {
            SEEN.add("record " + record.payload().id());
        }

        @PenstockListener(topic = "orders", batch = true, errorHandler = "letters")
        void all(final List<Quote> quotes) {
            quotes.forEach(quote -> SEEN.add("all " + quote.id()));
        }
    }

    @Test
    void shouldSetAsideTheElementOfABatchThatIsNotValid() {
        final List<String> dead = new CopyOnWriteArrayList<>();
        client.subscribe("orders.dead", message -> dead.add(message.toMessage().text()));
        try (TestContext context = TestContext.start(broker.clients(), ValidBatch.class)) {
            client.publish("orders", "{\"id\":1,\"price\":1}");
            client.publish("orders", "{\"id\":2,\"price\":-1}");
            client.publish("orders", "{\"id\":3,\"price\":1}");

            Eventually.await("the dead letters came", () -> dead.size() == 3);
            awaitSeen(
                    "validated 1",
                    "validated 3",
                    "elements 1",
                    "elements 3",
                    "record 1",
                    "record 3",
                    "all 1",
                    "all 2",
                    "all 3");
            assertThat(dead).containsOnly("{\"id\":2,\"price\":-1}");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    static class Generic {
        @PenstockListener(topic = "orders")
        void list(final List<Quote> quotes) {
            SEEN.add("list " + quotes.get(0).id());
        }

        @PenstockListener(topic = "orders")
        void message(final Message<List<Quote>> message) {
            SEEN.add("message " + message.getPayload().get(0).id());
        }

        @PenstockListener(topic = "orders")
        void record(final PenstockRecord<List<Quote>> record) {
            SEEN.add("record " + record.payload().get(0).id());
        }

        @PenstockListener(topic = "orders", batch = true)
        void batch(final List<List<Quote>> batch) {
            batch.forEach(quotes -> SEEN.add("batch " + quotes.get(0).id()));
        }

        @PenstockListener(topic = "orders", batch = true)
        void records(final List<PenstockRecord<List<Quote>>> batch) {
            batch.forEach(
                    record -> SEEN.add("records " + record.payload().get(0).id()));
        }
    }

    @Test
    void shouldConvertWhatIsInAListWhenThePayloadIsGeneric() {
        try (TestContext context = TestContext.start(broker.clients(), Generic.class)) {
            client.publish("orders", "[{\"id\":7,\"price\":1}]");

            awaitSeen("list 7", "message 7", "record 7", "batch 7", "records 7");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    /** A listener with a type of its own. */
    abstract static class Base<T> {
        @PenstockListener(id = "#{'base'}", topic = "orders")
        void on(final T payload) {
            SEEN.add(payload.toString());
        }

        @PenstockListener(id = "batches", topic = "orders", batch = true)
        void onBatch(final List<T> payloads) {
            payloads.forEach(each -> SEEN.add("batch " + each));
        }
    }

    static class OfQuotes extends Base<Quote> {}

    @Test
    void shouldConvertToTheTypeOfTheSubclassWhenAListenerIsInherited() {
        try (TestContext context = TestContext.start(broker.clients(), OfQuotes.class)) {
            client.publish("orders", "{\"id\":7,\"price\":1}");

            awaitSeen("Quote[id=7, price=1.0]", "batch Quote[id=7, price=1.0]");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    static class IdHeader {
        @PenstockListener(topic = "orders")
        void on(
                final Map<String, Object> fields,
                @Header(name = "tenant", required = false) final @Nullable String tenant) {
            SEEN.add(fields + " " + tenant);
        }
    }

    @Test
    void shouldSendHeadersAsTheyAreNamedWhenTheyAreCalledAsThoseOfSpring() throws Exception {
        final List<Map<String, Object>> headers = new CopyOnWriteArrayList<>();
        client.subscribe("orders", message -> headers.add(message.headers().toMap()));
        try (TestContext context = TestContext.start(broker.clients(), IdHeader.class)) {
            context.template()
                    .to("orders")
                    .header("id", 7)
                    .header("timestamp", "noon")
                    .header("contentType", "text/plain")
                    .send("{}")
                    .join();
            Eventually.await("it came", () -> headers.size() == 1);
            assertThat(headers.get(0)).isEqualTo(Map.of("id", 7L, "timestamp", "noon", "contentType", "text/plain"));
        }
    }
}
