package io.penstock.spring.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.observation.SendContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

class PenstockTemplateTest {
    /** A payload. */
    record Quote(int id, double price) {}

    private final TestBroker broker = TestBroker.inproc();
    private final PenstockConnection connection = new PenstockConnection(broker.clients());
    private final PenstockTemplate template = new PenstockTemplate(connection);
    private final PenstockClient client = broker.client();
    private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();

    @BeforeEach
    void subscribe() {
        client.subscribe("orders", message -> received.add(message.toMessage()));
    }

    @AfterEach
    void close() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.clear();
        }
        connection.close();
        client.close();
        broker.close();
    }

    private Message next() throws InterruptedException {
        final Message message = received.poll(30, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message has come");
        }
        return message;
    }

    @Test
    void shouldSendJsonWhenThePayloadIsAnObject() throws Exception {
        final Ack ack = template.send("orders", new Quote(7, 10.5)).get(30, TimeUnit.SECONDS);

        final Message message = next();
        assertThat(ack.type()).isEqualTo(AckType.PROCESSED);
        assertThat(message.bookmark()).isEqualTo(ack.bookmark());
        assertThat(message.text()).isEqualTo("{\"id\":7,\"price\":10.5}");
        assertThat(message.headers().isEmpty()).isTrue();
    }

    @Test
    void shouldSendToTheDefaultTopicWhenNoneIsGiven() throws Exception {
        template.setDefaultTopic("orders");
        template.send("{\"id\":1}").get(30, TimeUnit.SECONDS);

        assertThat(next().text()).isEqualTo("{\"id\":1}");
    }

    @Test
    void shouldNameTheRemedyWhenThereIsNoDefaultTopic() {
        assertThatThrownBy(() -> template.send("{}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("template.defaultTopic")
                .hasMessageContaining("set it");
    }

    @Test
    void shouldSendHeadersWhenTheyAreGiven() throws Exception {
        template.to("orders")
                .header("region", "EU")
                .header("attempt", 3)
                .acknowledgement(AckType.RECEIVED)
                .send("{}")
                .get(30, TimeUnit.SECONDS);
        template.send(
                        "orders",
                        MessageBuilder.withPayload("{}")
                                .setHeader("region", "US")
                                .build())
                .join();

        final Message first = next();
        assertThat(first.headers().text("region")).isEqualTo("EU");
        assertThat(first.headers().number("attempt", 0)).isEqualTo(3);
        final Message second = next();
        assertThat(second.headers().toMap()).isEqualTo(Map.of("region", "US"));
    }

    @Test
    void shouldSendKeyExpirationAndDeltaWhenTheyAreGiven() throws Exception {
        template.to("named").key("a").send(Map.of("x", 1, "y", 2)).get(30, TimeUnit.SECONDS);
        template.to("named")
                .key("a")
                .delta()
                .expiration(Duration.ofSeconds(2))
                .send(Map.of("y", 3))
                .get(30, TimeUnit.SECONDS);

        @SuppressWarnings("rawtypes") // A class has no type arguments.
        final List<Map> records = template.query("named", "y = 3", Map.class);
        assertThat(records).hasSize(1);
        assertThat(records.get(0).get("x")).isEqualTo(1);
        Eventually.await(
                "the record has expired",
                () -> template.query("named", "", Map.class).isEmpty());
    }

    @Test
    void shouldRefuseAnAcknowledgementThatMessagesDoNotHave() {
        assertThatThrownBy(() -> template.setAckType(AckType.STATS)).hasMessageContaining("template.ackType");
    }

    @Test
    void shouldNameTheTypeWhenNoConverterTakesIt() {
        template.setMessageConverter(PenstockConverters.of());

        assertThatThrownBy(() -> template.send("orders", new Quote(1, 1)))
                .isInstanceOf(MessageConversionException.class)
                .hasMessageContaining(Quote.class.getName())
                .hasMessageContaining("jackson-databind");
    }

    @Test
    void shouldFailTheFutureWhenTheBrokerRefusesTheMessage() {
        assertThatThrownBy(() -> template.send("orders", "no json").get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PenstockException.class);
    }

    @Test
    void shouldConvertRecordsWhenAQueryIsAsked() throws Exception {
        template.send("quotes", new Quote(1, 10)).join();
        template.send("quotes", new Quote(2, 20)).get(30, TimeUnit.SECONDS);

        assertThat(template.query("quotes", "price > 15", Quote.class)).containsExactly(new Quote(2, 20));
        final List<String> keys = new CopyOnWriteArrayList<>();
        template.query(SowRequest.topic("quotes").orderBy("id"), Quote.class, record -> keys.add(record.key()));
        assertThat(keys).containsExactly("{\"id\":1}", "{\"id\":2}");
    }

    @Test
    void shouldFollowTheStateWhenAskedTo() throws Exception {
        template.send("quotes", new Quote(1, 10)).get(30, TimeUnit.SECONDS);
        final List<Quote> seen = new CopyOnWriteArrayList<>();
        try (Subscription subscription =
                template.follow(SubscribeRequest.topic("quotes"), Quote.class, record -> seen.add(record.payload()))) {
            assertThat(subscription.isActive()).isTrue();
            template.send("quotes", new Quote(1, 11)).get(30, TimeUnit.SECONDS);
            Eventually.await("both came", () -> seen.size() == 2);
        }
        assertThat(seen).containsExactly(new Quote(1, 10), new Quote(1, 11));
    }

    @Test
    void shouldConvertTheReplyWhenARequestIsAnswered() throws Exception {
        client.subscribe("price", message -> client.reply(message, "{\"id\":7,\"price\":3}"));

        assertThat(template.request("price", Map.of("id", 7), Quote.class).get(30, TimeUnit.SECONDS))
                .isEqualTo(new Quote(7, 3));
        assertThatThrownBy(() -> template.request("nobody", "{}", Quote.class).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(PenstockException.class);
    }

    private static void begin() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
    }

    private static void complete(final int status) {
        final List<TransactionSynchronization> all = TransactionSynchronizationManager.getSynchronizations();
        TransactionSynchronizationManager.clear();
        TransactionSynchronizationUtils.invokeAfterCompletion(all, status);
    }

    @Test
    void shouldSendInOrderAfterTheCommitWhenSynchronized() throws Exception {
        template.setTransactionSynchronized(true);
        begin();
        final CompletableFuture<Ack> first = template.send("orders", "{\"id\":1}");
        final CompletableFuture<Ack> second = template.send("orders", "{\"id\":2}");
        client.flush();
        assertThat(received).isEmpty();
        assertThat(first).isNotDone();

        complete(TransactionSynchronization.STATUS_COMMITTED);

        assertThat(next().text()).isEqualTo("{\"id\":1}");
        assertThat(next().text()).isEqualTo("{\"id\":2}");
        assertThat(first.get(30, TimeUnit.SECONDS).type()).isEqualTo(AckType.PROCESSED);
        assertThat(second.get(30, TimeUnit.SECONDS).type()).isEqualTo(AckType.PROCESSED);
    }

    @Test
    void shouldSendNothingWhenTheTransactionIsRolledBack() throws Exception {
        template.setTransactionSynchronized(true);
        begin();
        final CompletableFuture<Ack> lost = template.send("orders", "{\"id\":1}");
        complete(TransactionSynchronization.STATUS_ROLLED_BACK);
        template.send("orders", "{\"id\":2}").join();

        assertThat(next().text()).isEqualTo("{\"id\":2}");
        assertThatThrownBy(() -> lost.get(30, TimeUnit.SECONDS))
                .hasMessageContaining("orders")
                .hasMessageContaining("rolled back");
    }

    @Test
    void shouldSendAtOnceInATransactionUnlessSynchronized() throws Exception {
        begin();
        template.send("orders", "{\"id\":1}").join();

        assertThat(next().text()).isEqualTo("{\"id\":1}");
    }

    @Test
    void shouldObserveSendsAndAddTheTraceWhenThereIsARegistry() throws Exception {
        final List<String> stopped = new CopyOnWriteArrayList<>();
        final ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<SendContext>() {
            @Override
            public boolean supportsContext(final Observation.Context context) {
                return context instanceof SendContext;
            }

            @Override
            public void onStart(final SendContext context) {
                context.getSetter().set(context.getCarrier(), "traceparent", "00-1-2-01");
            }

            @Override
            public void onStop(final SendContext context) {
                final @Nullable Throwable error = context.getError();
                stopped.add(context.getName() + " " + context.topic() + (error == null ? "" : " failed"));
            }
        });
        template.setObservationRegistry(registry);

        template.send("orders", "{}").get(30, TimeUnit.SECONDS);
        final CompletableFuture<Ack> refused = template.send("orders", "no json");

        assertThat(next().headers().text("traceparent")).isEqualTo("00-1-2-01");
        assertThatThrownBy(() -> refused.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(PenstockException.class);
        assertThat(stopped).containsExactly("penstock.send orders", "penstock.send orders failed");
    }
}
