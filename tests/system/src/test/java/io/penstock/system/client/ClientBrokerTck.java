package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerConfig;
import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Administration;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.Disconnect;
import io.penstock.client.DisconnectHandler;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.Stat;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import io.penstock.client.TopicInfo;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program may expect of client and broker together, whatever is between them. */
@Timeout(60)
abstract class ClientBrokerTck extends BrokerFixture {
    ClientBrokerTck(final BrokerConfig.Builder config) {
        super(config);
    }

    @Test
    void shouldDeliverWhatMatchesInOrder() {
        final PenstockClient client = connect();
        try (MessageStream stream =
                client.stream(SubscribeRequest.topic("orders").filter("n > 97"))) {
            for (int i = 0; i < 100; i++) {
                client.publish("orders", "{\"n\":" + i + "}");
            }
            assertThat(texts(stream, 2)).containsExactly("{\"n\":98}", "{\"n\":99}");
            assertThat(stream.poll(Duration.ZERO)).isNull();
        }
    }

    @Test
    void shouldDeliverAcrossClientsWithPositions() {
        final PenstockClient publisher = connect();
        try (MessageStream stream = connect().stream(SubscribeRequest.pattern("order.*"))) {
            publisher.publish("orders", "{}");
            publisher.publish("trades", "{}");
            publisher.publish("order-two", "{}");
            final List<Message> messages = List.of(taken(stream), taken(stream));
            assertThat(messages)
                    .as("there is no order between topics")
                    .extracting(Message::topic)
                    .containsExactlyInAnyOrder("orders", "order-two");
            assertThat(messages).allSatisfy(message -> {
                assertThat(message.sequence()).isPositive();
                assertThat(message.timestampNs()).isPositive();
            });
        }
    }

    @Test
    void shouldAcknowledgeEachOfManyPublishes() {
        final PenstockClient client = connect();
        final List<CompletableFuture<Ack>> futures = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            futures.add(client.publish("orders", "{\"n\":" + i + "}", AckType.PROCESSED));
        }
        CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]))
                .orTimeout(LONG.toSeconds(), TimeUnit.SECONDS)
                .join();
        assertThat(futures)
                .allSatisfy(future -> assertThat(future.join().type()).isEqualTo(AckType.PROCESSED));
    }

    @Test
    void shouldFailOnlyThePublishThatIsRefused() {
        final PenstockClient client = connect();
        final CompletableFuture<Ack> first = client.publish("orders", "{}", AckType.PROCESSED);
        final CompletableFuture<Ack> second = client.publish("orders", "{", AckType.PROCESSED);
        final CompletableFuture<Ack> third = client.publish("orders", "{}", AckType.PROCESSED);
        assertThat(first.join().type()).isEqualTo(AckType.PROCESSED);
        assertThat(third.join().type()).isEqualTo(AckType.PROCESSED);
        assertThat(second)
                .failsWithin(LONG)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(PenstockException.class)
                .withMessageContaining("orders");
    }

    @Test
    void shouldReportRefusedPublishesWithoutAck() throws InterruptedException {
        final BlockingQueue<PenstockException> errors = new LinkedBlockingQueue<>();
        final PenstockClient client = connect(builder().onPublishError(errors::add));
        client.publish("orders", "not JSON");
        final PenstockException error = errors.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(error).isNotNull();
        assertThat(error.errorCode()).isEqualTo(ErrorCode.BAD_MESSAGE);
    }

    @Test
    void shouldApplyARepeatedPublisherSequenceOnce() {
        final PenstockClient publisher = connect(builder().name("desk"));
        try (MessageStream stream = connect().stream("orders")) {
            assertThat(publish(publisher, 1).isDuplicate()).isFalse();
            assertThat(publish(publisher, 2).isDuplicate()).isFalse();
            assertThat(publish(publisher, 2).isDuplicate()).isTrue();
            assertThat(publish(publisher, 1).isDuplicate()).isTrue();
            assertThat(publish(publisher, 3).isDuplicate()).isFalse();
            assertThat(texts(stream, 3)).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
        }
        publisher.close();
        assertThat(connect(builder().name("desk")).publisherSequence()).isEqualTo(3);
    }

    @Test
    void shouldTakeSequencesAgainWhenAnAdministratorResetsThePublisher() {
        final PenstockClient publisher = connect(builder().name("reset-desk"));
        publish(publisher, 900);
        assertThat(publish(publisher, 3).isDuplicate()).isTrue();
        final Administration administration = Administration.of(connect());
        administration.resetPublisher("reset-desk", "", 2);
        assertThat(publish(publisher, 2).isDuplicate()).isTrue();
        assertThat(publish(publisher, 3).isDuplicate()).isFalse();
        assertThatThrownBy(() -> administration.resetPublisher("nobody", "", 2))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("no such publisher: client nobody of anonymous");
    }

    @Test
    void shouldDeleteATopicAndGoOnWithTheNextOneOfItsName() throws InterruptedException {
        final PenstockClient client = connect();
        final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        client.subscribe("orders", "", message -> messages.add(message.topic()));
        publish(client, 1);
        assertThat(messages.poll(LONG.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo("orders");
        final Administration administration = Administration.of(client);
        administration.deleteTopic("orders");
        assertThat(publish(client, 2).isDuplicate()).isFalse();
        assertThat(messages.poll(LONG.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo("orders");
        administration.deleteTopic("orders");
        assertThatThrownBy(() -> administration.deleteTopic("orders"))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.NOT_FOUND))
                .hasMessageContaining("no such topic: orders");
    }

    private static Ack publish(final PenstockClient publisher, final long sequence) {
        final byte[] payload = ("{\"n\":" + sequence + "}").getBytes(StandardCharsets.UTF_8);
        final CompletableFuture<Ack> ack = publisher.publish(
                Publication.to("orders").bytes(payload).publisherSequence(sequence), AckType.PROCESSED);
        assertThat(ack).succeedsWithin(LONG);
        return ack.join();
    }

    @Test
    void shouldRefuseASubscriptionWithThePosition() {
        final PenstockClient client = connect();
        assertThatThrownBy(() -> client.subscribe("orders", "price > AND", message -> {}))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_FILTER))
                .hasMessageContaining("price > AND");
        assertThatThrownBy(() -> client.stream(SubscribeRequest.pattern("a(")))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_PATTERN));
    }

    @Test
    void shouldCallNoHandlerAfterCloseReturned() {
        final PenstockClient client = connect();
        final List<String> texts = new ArrayList<>();
        final Subscription subscription = client.subscribe("orders", message -> texts.add(message.text()));
        client.publish("orders", "{}");
        client.flush();
        subscription.close();
        final int count = texts.size();
        for (int i = 0; i < 100; i++) {
            client.publish("orders", "{}");
        }
        client.flush(LONG);
        assertThat(texts).hasSize(count);
    }

    @Test
    void shouldCarryLongMessagesBothWays() {
        final PenstockClient client = connect();
        client.declareTopic("blobs", "binary");
        try (MessageStream stream = client.stream("blobs")) {
            final Random random = new Random(7);
            for (final int length : new int[] {0, 1, 65_000, 65_536, 300_000, 5_000_000}) {
                final byte[] payload = new byte[length];
                random.nextBytes(payload);
                assertThat(client.publish("blobs", payload, AckType.PROCESSED)).succeedsWithin(LONG);
                assertThat(taken(stream).bytes()).isEqualTo(payload);
            }
        }
    }

    @Test
    void shouldRefuseTheLongestMessageAndOneByte() {
        final PenstockClient client = connect();
        assertThatThrownBy(() -> client.publish("orders", new byte[16 * 1024 * 1024 + 1]))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("too long");
    }

    @Test
    void shouldDeliverEverythingToASlowReaderThatFitsTheWindow() {
        final PenstockClient publisher = connect();
        final PenstockClient reader = connect(builder().streamLimit(10).streamLength(1_000));
        try (MessageStream stream = reader.stream("orders")) {
            for (int i = 0; i < 50_000; i++) {
                publisher.publish("orders", "{\"n\":" + i + "}");
            }
            publisher.flush(LONG);
            for (int i = 0; i < 50_000; i++) {
                assertThat(taken(stream).text()).isEqualTo("{\"n\":" + i + "}");
            }
        }
    }

    @Test
    void shouldListTopicsAndCountersAndMeasureTheRoundTrip() {
        final PenstockClient client = connect();
        client.declareTopic("orders", "json");
        client.publish("orders", "{}");
        client.flush();
        assertThat(client.topics("ord")).singleElement().satisfies(topic -> {
            assertThat(topic.name()).isEqualTo("orders");
            assertThat(topic.format()).isEqualTo("json");
            assertThat(topic.messages()).isEqualTo(1);
        });
        assertThat(client.topics("none")).isEmpty();
        assertThat(client.stats("")).extracting(Stat::name).isNotEmpty().doesNotHaveDuplicates();
        assertThat(client.ping()).isPositive().isLessThan(LONG);
        assertThat(client.topics("")).extracting(TopicInfo::name).contains("orders");
    }

    @Test
    void shouldRefuseAnotherFormat() {
        final PenstockClient client = connect();
        client.declareTopic("orders", "json");
        client.declareTopic("orders", "json");
        assertThatThrownBy(() -> client.declareTopic("orders", "binary"))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_FORMAT));
    }

    @Test
    void shouldReplaceTheOlderClientOfTheSameName() throws InterruptedException {
        final BlockingQueue<Disconnect> disconnects = new LinkedBlockingQueue<>();
        final PenstockClient older = connect(builder().name("desk").onDisconnect(disconnect -> {
            disconnects.add(disconnect);
            return DisconnectHandler.RECONNECT.onDisconnect(disconnect);
        }));
        final PenstockClient newer = connect(builder().name("desk"));
        final Disconnect disconnect = disconnects.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(disconnect).isNotNull();
        assertThat(disconnect.errorCode()).isEqualTo(ErrorCode.REPLACED);
        newer.flush();
        older.close();
        assertThat(newer.isConnected()).isTrue();
        assertThatThrownBy(() -> older.publish("orders", "{}")).isInstanceOf(ConnectionException.class);
    }

    @Test
    void shouldReconnectToARestartedBrokerAndSubscribeAgain() throws InterruptedException {
        final BlockingQueue<Integer> reconnects = new LinkedBlockingQueue<>();
        final ClientConfig.Builder config = builder()
                .reconnectDelay(Duration.ofMillis(20), Duration.ofMillis(50))
                .onDisconnect(new DisconnectHandler() {
                    @Override
                    public boolean onDisconnect(final Disconnect disconnect) {
                        return true;
                    }

                    @Override
                    public void onReconnect(final int attempt) {
                        reconnects.add(attempt);
                    }
                });
        final BrokerConfig again = BrokerConfig.builder()
                .listen(broker().endpoints().get(0).toString())
                .build();
        final PenstockClient client = connect(config);
        try (MessageStream stream = client.stream("orders")) {
            broker().close();
            launch(again);
            assertThat(reconnects.poll(LONG.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            client.publish("orders", "{\"n\":1}");
            assertThat(taken(stream).text()).isEqualTo("{\"n\":1}");
        }
    }

    @Test
    void shouldSendEverythingBeforeItCloses() {
        try (MessageStream stream = connect().stream("orders")) {
            final PenstockClient publisher = connect();
            for (int i = 0; i < 10_000; i++) {
                publisher.publish("orders", "{\"n\":" + i + "}");
            }
            publisher.close();
            assertThat(texts(stream, 10_000)).last().isEqualTo("{\"n\":9999}");
        }
    }

    @Test
    void shouldEndTheStreamWithTheReasonWhenBrokerIsGone() {
        final PenstockClient client = connect();
        try (MessageStream stream = client.stream("orders")) {
            client.publish("orders", "{}");
            client.flush();
            broker().close();
            assertThat(stream.poll(LONG)).isNotNull();
            assertThatThrownBy(() -> stream.poll(LONG)).isInstanceOf(ConnectionException.class);
        }
        assertThat(client.isClosed()).isTrue();
    }
}
