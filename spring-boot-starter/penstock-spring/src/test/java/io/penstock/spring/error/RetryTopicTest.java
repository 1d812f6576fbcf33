package io.penstock.spring.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.spring.ClientConfigSource;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.annotation.PenstockRetryTopic;
import io.penstock.spring.endpoint.PenstockListenerConfigurer;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;

/** Retries come to the listener that failed, and to no other one of the topic. */
class RetryTopicTest {
    private static final List<String> CALLS = new CopyOnWriteArrayList<>();

    private final BlockingQueue<Message> dead = new LinkedBlockingQueue<>();

    @AfterEach
    void forget() {
        CALLS.clear();
    }

    private Message nextDead() throws InterruptedException {
        final Message message = dead.poll(30, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no dead letter has come; calls: " + CALLS);
        }
        return message;
    }

    static class Two {
        @PenstockListener(id = "it's failing", topic = "orders")
        @PenstockRetryTopic(delay = "1ms")
        void failing(final String text, @Header(PenstockHeaders.TOPIC) final String topic) {
            CALLS.add("failing " + topic);
            throw new IllegalStateException("not this one");
        }

        @PenstockListener(id = "working", topic = "orders")
        @PenstockRetryTopic(delay = "1ms")
        void working(final String text, @Header(PenstockHeaders.TOPIC) final String topic) {
            CALLS.add("working " + topic);
        }
    }

    @Test
    void shouldRetryWithTheListenerThatFailedWhenAnotherOneHasTheSameTopic() throws Exception {
        try (TestBroker broker = TestBroker.inproc();
                PenstockClient client = broker.client();
                TestContext context = TestContext.start(broker.clients(), Two.class)) {
            client.subscribe("orders.dead", message -> dead.add(message.toMessage()));
            for (int i = 0; i < 10; i++) {
                client.publish("orders", "{\"id\":" + i + "}");
            }
            for (int i = 0; i < 10; i++) {
                nextDead();
            }
            Eventually.await("all are handled", () -> CALLS.size() >= 40);
            for (final String id : List.of("working.retry-1", "working.retry-2")) {
                assertThat(context.container(id).getQueuedCount()).isZero();
            }
            assertThat(CALLS)
                    .hasSize(40)
                    .containsOnly(
                            "failing orders", "failing orders.retry-1", "failing orders.retry-2", "working orders");
            assertThat(dead).isEmpty();
        }
    }

    /** Fails in a program alone that is told to. */
    static class Program {
        static final AtomicReference<String> FAILING = new AtomicReference<>("");

        private final String name;

        Program(final ClientConfigSource clients) {
            name = clients.name();
        }

        @PenstockListener(id = "desk", topic = "orders", durable = "desk", from = "beginning")
        @PenstockRetryTopic(delay = "1ms", attempts = "2")
        void on(final String text, @Header(PenstockHeaders.TOPIC) final String topic) {
            CALLS.add(name + " " + topic);
            if (name.equals(FAILING.get())) {
                throw new IllegalStateException("not here");
            }
        }
    }

    /** Named configurations, each with a store of its own. */
    private record Named(TestBroker broker, String name, Path directory) implements ClientConfigSource {
        @Override
        public ClientConfig config(final String purpose) {
            final ClientConfig.Builder builder = broker.builder().name(purpose.isEmpty() ? name : name + "/" + purpose);
            return purpose.isEmpty()
                    ? builder.bookmarkStore(BookmarkStore.inFile(directory.resolve(name), 1))
                            .build()
                    : builder.build();
        }
    }

    private static TestContext start(final ClientConfigSource source) {
        return TestContext.start(
                source, context -> context.registerBean(ClientConfigSource.class, () -> source), Program.class);
    }

    @Test
    void shouldRetryInTheProgramThatFailedWhenAnotherOneHasTheSameListener(@TempDir final Path directory)
            throws Exception {
        Program.FAILING.set("one");
        try (TestBroker broker = TestBroker.journaled(directory.resolve("journal"));
                PenstockClient client = broker.client();
                TestContext one = start(new Named(broker, "one", directory));
                TestContext two = start(new Named(broker, "two", directory))) {
            client.subscribe("orders.dead", message -> dead.add(message.toMessage()));
            client.publish("orders", "{\"id\":1}");
            assertThat(nextDead().headers().text(PenstockHeaders.RETRY_LISTENER))
                    .isEqualTo("one/desk");
            // A retry for the other one shows that it has seen all before it.
            client.publish(Publication.to("orders.retry-1")
                    .text("{\"id\":2}")
                    .header(PenstockHeaders.RETRY_LISTENER, "two/desk"));
            Eventually.await("the other's retry came", () -> CALLS.contains("two orders.retry-1"));
            assertThat(CALLS)
                    .containsExactlyInAnyOrder("one orders", "one orders.retry-1", "two orders", "two orders.retry-1");
            assertThat(one.connection().isConnected() && two.connection().isConnected())
                    .isTrue();
        }
    }

    static class Anonymous {
        @PenstockListener(id = "desk", topic = "orders")
        @PenstockRetryTopic(delay = "1ms", attempts = "2")
        void on(final String text, @Header(PenstockHeaders.TOPIC) final String topic) {
            CALLS.add(topic);
            throw new IllegalStateException("nowhere");
        }
    }

    @Test
    void shouldRetryOnceInEachWhenTwoProgramsHaveNoName() throws Exception {
        try (TestBroker broker = TestBroker.inproc();
                PenstockClient client = broker.client();
                TestContext one = TestContext.start(broker.clients(), Anonymous.class);
                TestContext two = TestContext.start(broker.clients(), Anonymous.class)) {
            client.subscribe("orders.dead", message -> dead.add(message.toMessage()));
            client.publish("orders", "{\"id\":1}");
            nextDead();
            nextDead();
            assertThat(CALLS).containsExactlyInAnyOrder("orders", "orders", "orders.retry-1", "orders.retry-1");
            assertThat(one.connection().isConnected() && two.connection().isConnected())
                    .isTrue();
        }
    }

    /** Its retries come in batches. */
    static class Batch {
        @Bean
        static PenstockListenerConfigurer configurer(final PenstockConnection connection) {
            final PenstockListenerContainerFactory factory = new PenstockListenerContainerFactory(connection);
            factory.getSettings().setShutdownTimeout(Duration.ofMillis(1));
            return registrar -> registrar.setContainerFactory(factory);
        }

        @PenstockListener(id = "batch", topic = "orders", batch = true)
        @PenstockRetryTopic(delay = "1ms", attempts = "2")
        void on(final List<String> texts) {
            CALLS.addAll(texts);
        }
    }

    @Test
    void shouldHandleWhatIsDueWhenOthersOfTheBatchAreNot() {
        try (TestBroker broker = TestBroker.inproc();
                PenstockClient client = broker.client();
                TestContext context = TestContext.start(broker.clients(), Batch.class)) {
            final String owner =
                    context.container("batch.retry-1").getSubscription().filter();
            context.container("batch.retry-1").pause();
            final String listener = owner.substring(owner.indexOf("= '") + 3, owner.length() - 1);
            for (int i = 0; i < 2; i++) {
                client.publish(Publication.to("orders.retry-1")
                        .text(Integer.toString(i))
                        .header(PenstockHeaders.RETRY_LISTENER, listener)
                        .header(PenstockHeaders.DUE, i * Long.MAX_VALUE));
            }
            Eventually.await(
                    "they wait", () -> context.container("batch.retry-1").getQueuedCount() == 2);
            context.container("batch.retry-1").resume();

            Eventually.await("the first came", () -> CALLS.contains("0"));
            assertThat(CALLS).containsExactly("0");
        }
    }
}
