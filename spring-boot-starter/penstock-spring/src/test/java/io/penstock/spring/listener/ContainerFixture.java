package io.penstock.spring.listener;

import io.penstock.client.Bookmark;
import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.Stat;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.util.backoff.FixedBackOff;

/** Containers of a broker in memory, whose shared client can be lost for good. */
final class ContainerFixture implements AutoCloseable {
    private static final String NAME = "desk";

    private final BookmarkStore bookmarks = BookmarkStore.inMemory();
    private final TestBroker broker;
    private final PenstockConnection connection;
    private final PenstockListenerContainerFactory factory;
    private final PenstockClient client;
    private final List<PenstockListenerContainer> started = new ArrayList<>();
    private final List<Object> events = new CopyOnWriteArrayList<>();

    ContainerFixture() {
        this(TestBroker.inproc());
    }

    ContainerFixture(final TestBroker broker) {
        this.broker = broker;
        connection = new PenstockConnection(purpose -> purpose.isEmpty()
                ? ClientConfig.builder(broker.endpoint())
                        .name(NAME)
                        .bookmarkStore(bookmarks)
                        .build()
                : broker.builder().build());
        factory = new PenstockListenerContainerFactory(connection);
        factory.getSettings().setRecoveryBackOff(new FixedBackOff(5, Long.MAX_VALUE));
        client = broker.client();
    }

    TestBroker broker() {
        return broker;
    }

    PenstockConnection connection() {
        return connection;
    }

    ContainerSettings settings() {
        return factory.getSettings();
    }

    PenstockClient client() {
        return client;
    }

    Bookmark bookmark(final String durable) {
        return bookmarks.last(durable);
    }

    List<Object> events() {
        return events;
    }

    PenstockListenerContainer make(
            final String id, final ListenerSubscription.Builder to, final PenstockMessageListener listener) {
        final PenstockListenerContainer container =
                factory.createContainer(new PenstockListenerEndpoint(id, to.build(), listener));
        container.setApplicationEventPublisher(events::add);
        started.add(container);
        return container;
    }

    PenstockListenerContainer start(
            final String id, final ListenerSubscription.Builder to, final PenstockMessageListener listener) {
        final PenstockListenerContainer container = make(id, to, listener);
        container.start();
        return container;
    }

    void publish(final String topic, final int from, final int to) {
        for (int i = from; i < to; i++) {
            client.publish(topic, "{\"id\":" + i + "}");
        }
        client.flush();
    }

    /** Another client takes the name of the shared one, which does not reconnect. */
    void loseClient() {
        final PenstockClient lost = connection.client();
        try (PenstockClient other = PenstockClient.connect(
                ClientConfig.builder(broker.endpoint()).name(NAME).build())) {
            Eventually.await("the client has ended, and not " + other.broker(), lost::isClosed);
        }
    }

    /** How many subscriptions the broker has. */
    long subscriptionCount() {
        return client.stats("io-").stream()
                .filter(stat -> stat.name().endsWith("subscriptions"))
                .mapToLong(Stat::value)
                .sum();
    }

    @Override
    public void close() {
        started.forEach(PenstockListenerContainer::stop);
        connection.close();
        client.close();
        broker.close();
    }

    /** Waits in each call until it is opened. */
    static final class Gate implements PenstockMessageListener {
        private final CountDownLatch opened = new CountDownLatch(1);
        private final AtomicInteger entered = new AtomicInteger();
        private final List<String> seen = new CopyOnWriteArrayList<>();

        void open() {
            opened.countDown();
        }

        int entered() {
            return entered.get();
        }

        List<String> seen() {
            return seen;
        }

        @Override
        public void onDeliveries(final List<Delivery> deliveries) throws InterruptedException {
            entered.incrementAndGet();
            opened.await();
            deliveries.forEach(each -> seen.add(each.message().text()));
        }
    }
}
