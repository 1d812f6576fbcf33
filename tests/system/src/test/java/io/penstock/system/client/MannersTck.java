package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.AckType;
import io.penstock.client.BatchException;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionListener;
import io.penstock.client.HandlerOrder;
import io.penstock.client.Message;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageStream;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.protocol.ErrorCode;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers on executors, publishers, batches and fail-over, over each transport. */
@Timeout(60)
abstract class MannersTck extends BrokerFixture {
    private static final int COUNT = 5_000;

    private final String secondEndpoint;
    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private @Nullable Broker second;

    MannersTck(final String endpoint, final String secondEndpoint) {
        super(BrokerConfig.builder().listen(endpoint));
        this.secondEndpoint = secondEndpoint;
    }

    @AfterEach
    void end() {
        executor.shutdownNow();
        if (second != null) {
            second.close();
        }
    }

    private static List<Publication> numbered(final String topic, final int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Publication.to(topic).text("{\"n\":" + i + ",\"key\":" + i % 64 + "}"))
                .toList();
    }

    private static int numberOf(final String text) {
        return Integer.parseInt(text.substring(text.indexOf(':') + 1, text.indexOf(',')));
    }

    private static void await(final CountDownLatch latch) {
        try {
            assertThat(latch.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldHandleKeysAtOnceAndEachInOrderWhenOnAnExecutor() {
        final PenstockClient client = connect();
        client.declareTopic(Topic.json("quotes").key("key"));
        final CountDownLatch others = new CountDownLatch(10);
        final CountDownLatch all = new CountDownLatch(COUNT);
        final AtomicReference<@Nullable String> wrong = new AtomicReference<>();
        final Map<String, Integer> lastOfKey = new HashMap<>();
        client.subscribe(SubscribeRequest.topic("quotes"), MessageHandler.on(executor, HandlerOrder.KEY, message -> {
            final int number = numberOf(message.text());
            if (number == 0) {
                await(others);
            }
            synchronized (lastOfKey) {
                final Integer former = lastOfKey.put(message.key(), number);
                if (former != null && former >= number) {
                    wrong.set(message.text() + " after " + former);
                }
            }
            others.countDown();
            all.countDown();
        }));
        client.publishAll(numbered("quotes", COUNT), AckType.PROCESSED).join();
        await(all);
        assertThat(wrong.get()).isNull();
        assertThat(lastOfKey).hasSize(64);
    }

    @Test
    void shouldHoldUpNothingElseWhenAHandlerOnAnExecutorBlocks() {
        final PenstockClient client = connect(builder().streamLimit(16));
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        final CountDownLatch all = new CountDownLatch(COUNT);
        final BlockingQueue<Integer> numbers = new LinkedBlockingQueue<>();
        client.subscribe(SubscribeRequest.topic("slow"), MessageHandler.on(executor, message -> {
            await(mayGoOn);
            numbers.add(numberOf(message.text()));
            all.countDown();
        }));
        final MessageStream fast = client.stream("fast");
        client.publishAll(numbered("slow", COUNT), AckType.PROCESSED).join();
        client.publish("fast", "{\"n\":1}");
        assertThat(taken(fast).text()).isEqualTo("{\"n\":1}");
        client.ping();
        mayGoOn.countDown();
        await(all);
        assertThat(numbers)
                .containsExactlyElementsOf(IntStream.range(0, COUNT).boxed().toList());
    }

    @Test
    void shouldLetAHandlerOnAnExecutorWaitForTheClient() {
        final PenstockClient client = connect();
        final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        client.subscribe(SubscribeRequest.topic("orders"), MessageHandler.on(executor, message -> {
            client.publish("done", message.text(), AckType.PROCESSED).join();
            client.flush();
            answers.add(message.text());
        }));
        client.publish("orders", "{\"n\":1}");
        assertThat(taken(answers)).isEqualTo("{\"n\":1}");
    }

    private static <T> T taken(final BlockingQueue<T> queue) {
        try {
            final T next = queue.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing came");
            }
            return next;
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldHoldUpNothingElseWhenASubscriberRequestsNothing() {
        final PenstockClient client = connect(builder().streamLimit(16));
        final AtomicReference<Flow.@Nullable Subscription> demand = new AtomicReference<>();
        final CountDownLatch isSubscribed = new CountDownLatch(1);
        final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
        client.publisher(SubscribeRequest.topic("slow")).subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(final Flow.Subscription subscription) {
                demand.set(subscription);
                isSubscribed.countDown();
            }

            @Override
            public void onNext(final Message message) {
                messages.add(message);
            }

            @Override
            public void onError(final Throwable reason) {}

            @Override
            public void onComplete() {}
        });
        await(isSubscribed);
        // Of one connection: the subscription is made before it is answered.
        client.ping();
        client.publishAll(numbered("slow", COUNT), AckType.PROCESSED).join();
        assertThat(messages).isEmpty();
        final Flow.Subscription subscription = Objects.requireNonNull(demand.get());
        subscription.request(COUNT);
        for (int i = 0; i < COUNT; i++) {
            assertThat(numberOf(taken(messages).text())).isEqualTo(i);
        }
        subscription.cancel();
        client.publish("slow", "{\"n\":-1,\"key\":0}");
        client.flush();
        assertThat(messages).isEmpty();
    }

    @Test
    void shouldSayWhichMessagesOfABatchWereRefused() {
        final PenstockClient client = connect();
        client.declareTopic("orders", "json");
        final MessageStream stream = client.stream("orders");
        final CompletableFuture<?> batch = client.publishAll(
                List.of(
                        Publication.to("orders").text("{\"n\":1}"),
                        Publication.to("orders").text("no JSON"),
                        Publication.to("orders").text("{\"n\":3}")),
                AckType.PROCESSED);
        assertThat(batch.handle((ack, reason) -> reason).join()).isInstanceOfSatisfying(BatchException.class, e -> {
            assertThat(e.failed().stream()).containsExactly(1);
            assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_MESSAGE);
        });
        assertThat(texts(stream, 2)).containsExactly("{\"n\":1}", "{\"n\":3}");
    }

    @Test
    void shouldPublishABatchThatIsLongerThanWhatTheClientHolds() {
        final PenstockClient client = connect(builder().inFlightLimit(64));
        // A stream of the same client would hold up its acknowledgements when it is full.
        final MessageStream stream = connect().stream("orders");
        final CompletableFuture<Integer> count =
                client.publishAll(numbered("orders", COUNT), AckType.PROCESSED).thenApply(ack -> ack.count());
        for (int i = 0; i < COUNT; i++) {
            assertThat(numberOf(taken(stream).text())).isEqualTo(i);
        }
        assertThat(count.join()).isEqualTo(COUNT);
    }

    @Test
    void shouldGoToTheOtherServerOfItsEndpointWhenOneIsGone() {
        final Broker other =
                Broker.launch(BrokerConfig.builder().listen(secondEndpoint).build());
        second = other;
        final URI first = broker().endpoints().get(0);
        final URI next = other.endpoints().get(0);
        final BlockingQueue<URI> connected = new LinkedBlockingQueue<>();
        final PenstockClient client = PenstockClient.connect(ClientConfig.builder(first + "," + next)
                .connectionListener(new ConnectionListener() {
                    @Override
                    public void onConnected(final URI server, final int attempt) {
                        connected.add(server);
                    }
                })
                .build());
        try (client) {
            final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
            client.subscribe("orders", (final MessageView message) -> texts.add(message.text()));
            assertThat(taken(connected)).isEqualTo(first);
            broker().close();
            assertThat(taken(connected)).isEqualTo(next);
            client.publish("orders", "{\"n\":1}");
            assertThat(taken(texts)).isEqualTo("{\"n\":1}");
        }
    }
}
