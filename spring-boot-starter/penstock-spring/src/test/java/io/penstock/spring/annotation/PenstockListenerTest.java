package io.penstock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Bookmark;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.client.RecordKind;
import io.penstock.format.header.Headers;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.endpoint.PenstockListenerEndpoint;
import io.penstock.spring.listener.ListenerSubscription;
import io.penstock.spring.template.PenstockRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.SendTo;

class PenstockListenerTest {
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

    static class Payloads {
        @PenstockListener(topic = "orders")
        void object(final Quote quote) {
            SEEN.add("object " + quote.id());
        }

        @PenstockListener(topic = "orders")
        void text(final String text) {
            SEEN.add("text " + text);
        }

        @PenstockListener(topic = "orders")
        void bytes(final byte[] bytes) {
            SEEN.add("bytes " + bytes.length);
        }

        @PenstockListener(topic = "orders")
        void map(final Map<String, Object> fields) {
            SEEN.add("map " + fields.get("id"));
        }

        @PenstockListener(topic = "orders")
        void raw(final io.penstock.client.Message message) {
            SEEN.add("raw " + message.text());
        }

        @PenstockListener(topic = "orders")
        void spring(final Message<Quote> message) {
            SEEN.add("spring " + message.getPayload().id() + " "
                    + message.getHeaders().get(PenstockHeaders.TOPIC));
        }

        @PenstockListener(topic = "orders")
        void record(final PenstockRecord<Quote> record) {
            SEEN.add("record " + record.payload().id());
        }
    }

    @Test
    void shouldConvertThePayloadWhenTheMethodSaysWhatItWants() {
        try (TestContext context = TestContext.start(broker.clients(), Payloads.class)) {
            client.publish("orders", "{\"id\":7,\"price\":1}");

            awaitSeen(
                    "object 7",
                    "text {\"id\":7,\"price\":1}",
                    "bytes 18",
                    "map 7",
                    "raw {\"id\":7,\"price\":1}",
                    "spring 7 orders",
                    "record 7");
            assertThat(context.container("penstockListenerTest.Payloads.object").isRunning())
                    .isTrue();
        }
    }

    static class Details {
        @PenstockListener(topic = "quotes", sow = true, oof = true)
        void onQuote(
                final Quote quote,
                @Header(PenstockHeaders.KEY) final String key,
                @Header("region") final @Nullable String region,
                final Bookmark bookmark,
                final RecordKind kind,
                final Headers headers) {
            SEEN.add(quote.id() + " " + key + " " + region + " " + bookmark.equals(Bookmark.NONE) + " " + kind + " "
                    + headers.count());
        }
    }

    @Test
    void shouldGiveKeyBookmarkKindAndHeadersWhenTheyAreParameters() {
        client.publish(Publication.to("quotes").text("{\"id\":1,\"price\":1}").header("region", "EU"));
        client.flush();
        try (TestContext context = TestContext.start(broker.clients(), Details.class)) {
            awaitSeen("1 {\"id\":1} EU false STATE 1");
            SEEN.clear();
            client.publish(
                    Publication.to("quotes").text("{\"id\":1,\"price\":2}").header("region", "US"));
            awaitSeen("1 {\"id\":1} US false MESSAGE 1");
            SEEN.clear();
            client.sowDelete("quotes", "TRUE");
            awaitSeen("1 {\"id\":1} US false OOF_DELETED 1");
            assertThat(context.connection().isConnected()).isTrue();
        }
    }

    static class Repeated {
        @PenstockListener(id = "cheap", topic = "${the.topic}", filter = "price < #{5 + 5}")
        @PenstockListener(id = "all", pattern = "or.*s")
        void onQuote(final Quote quote) {
            SEEN.add("quote " + quote.id());
        }
    }

    @Test
    void shouldResolvePlaceholdersAndExpressionsWhenAnnotationsAreRepeated() {
        try (TestContext context = TestContext.start(
                broker.clients(),
                changed -> changed.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test", Map.of("the.topic", "orders"))),
                Repeated.class)) {
            client.publish("orders", "{\"id\":1,\"price\":20}");
            client.publish("orders", "{\"id\":2,\"price\":2}");

            awaitSeen("quote 1", "quote 2", "quote 2");
            assertThat(context.container("cheap").getSubscription().filter()).isEqualTo("price < 10");
        }
    }

    @PenstockListener(id = "typed", topic = "orders")
    static class Typed {
        @PenstockHandler
        void onQuote(final Quote quote) {
            SEEN.add("quote " + quote.id());
        }

        @PenstockHandler(type = "cancel")
        void onCancel(final Map<String, Object> fields) {
            SEEN.add("cancel " + fields.get("id"));
        }

        @PenstockHandler(isDefault = true)
        void onOther(final String text) {
            SEEN.add("other " + text);
        }
    }

    @Test
    void shouldChooseTheMethodByTheTypeWhenAClassListens() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Typed.class)) {
            for (final String type : List.of("Quote", Quote.class.getName(), "cancel", "unknown")) {
                client.publish(
                        Publication.to("orders").text("{\"id\":3,\"price\":1}").header(PenstockHeaders.TYPE, type));
            }
            client.publish("orders", "{\"id\":4,\"price\":1}");

            awaitSeen("quote 3", "quote 3", "cancel 3", "other {\"id\":3,\"price\":1}", "other {\"id\":4,\"price\":1}");
            assertThat(context.container("typed").getQueuedCount()).isZero();
        }
    }

    static class Answers {
        @PenstockListener(topic = "price")
        @SendTo("prices")
        Quote price(final Quote asked) {
            return new Quote(asked.id(), 5);
        }
    }

    @Test
    void shouldSendTheResultAsReplyOrToItsTopicWhenAMethodReturnsOne() throws Exception {
        try (TestContext context = TestContext.start(broker.clients(), Answers.class)) {
            final Quote reply = context.template()
                    .request("price", new Quote(9, 0), Quote.class)
                    .get(30, TimeUnit.SECONDS);
            assertThat(reply).isEqualTo(new Quote(9, 5));

            client.publish("price", "{\"id\":8,\"price\":1}");
            Eventually.await(
                    "the result is in prices",
                    () -> context.template().query("prices", "", Quote.class).equals(List.of(new Quote(8, 5))));
        }
    }

    static class Programmatic {
        @Bean
        static PenstockListenerConfigurer configurer() {
            return registrar -> registrar.registerEndpoint(
                    new PenstockListenerEndpoint(
                            "mine",
                            ListenerSubscription.topic("orders").build(),
                            deliveries -> deliveries.forEach(
                                    each -> SEEN.add(each.message().text()))),
                    null);
        }
    }

    @Test
    void shouldRunListenersOfAConfigurerWhenThereIsOne() {
        try (TestContext context = TestContext.start(broker.clients(), Programmatic.class)) {
            client.publish("orders", "{\"id\":1}");
            awaitSeen("{\"id\":1}");
            assertThat(context.container("mine").getListenerId()).isEqualTo("mine");
        }
    }

    static class Conflated {
        @PenstockListener(topic = "quotes", conflation = "50ms", select = "price")
        void onQuote(final Map<String, Object> fields) {
            SEEN.add(fields.toString());
        }
    }

    @Test
    void shouldSelectAndConflateWhenTheListenerSaysSo() {
        try (TestContext context = TestContext.start(broker.clients(), Conflated.class)) {
            client.publish("quotes", "{\"id\":1,\"price\":2,\"text\":\"x\"}");
            awaitSeen("{id=1, price=2}");
            assertThat(context.container("penstockListenerTest.Conflated.onQuote")
                            .getSubscription()
                            .conflationMs())
                    .isEqualTo((int) Duration.ofMillis(50).toMillis());
        }
    }
}
