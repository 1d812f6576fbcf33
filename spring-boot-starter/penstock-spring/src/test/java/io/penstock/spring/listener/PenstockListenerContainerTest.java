package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import io.penstock.spring.endpoint.PenstockListenerContainerFactory;
import io.penstock.spring.endpoint.PenstockListenerEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PenstockListenerContainerTest {
    private final TestBroker broker = TestBroker.inproc();
    private final PenstockConnection connection = new PenstockConnection(broker.clients());
    private final PenstockListenerContainerFactory factory = new PenstockListenerContainerFactory(connection);
    private final PenstockClient client = broker.client();
    private final List<PenstockListenerContainer> started = new ArrayList<>();
    private final List<Object> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        started.forEach(PenstockListenerContainer::stop);
        connection.close();
        client.close();
        broker.close();
    }

    private PenstockListenerContainer start(
            final String id, final ListenerSubscription.Builder to, final PenstockMessageListener listener) {
        final PenstockListenerContainer container =
                factory.createContainer(new PenstockListenerEndpoint(id, to.build(), listener));
        container.setApplicationEventPublisher(events::add);
        started.add(container);
        container.start();
        return container;
    }

    private void publish(final String topic, final int from, final int to) {
        for (int i = from; i < to; i++) {
            client.publish(topic, "{\"id\":" + i + "}");
        }
        client.flush();
    }

    /** Waits in each call until it is opened. */
    private static final class Gate implements PenstockMessageListener {
        private final CountDownLatch opened = new CountDownLatch(1);
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void onDeliveries(final List<Delivery> deliveries) throws InterruptedException {
            opened.await();
            count.addAndGet(deliveries.size());
        }
    }

    @Test
    void shouldHoldNoMoreThanItsCreditWhenTheListenerIsSlow() {
        final Gate slow = new Gate();
        final PenstockListenerContainer container =
                start("slow", ListenerSubscription.topic("orders").credit(64 * 10), slow);

        publish("orders", 0, 1000);

        Eventually.await("its credit is used up", () -> container.getQueuedCount() >= 8);
        // Those with credit, and one that took more than was left; its thread may not have taken any yet.
        assertThat(container.getQueuedCount()).isLessThanOrEqualTo(12);
        slow.opened.countDown();
        Eventually.await("all came", () -> slow.count.get() == 1000);
    }

    @Test
    void shouldNotHoldUpOthersWhenAListenerIsSlow() {
        final Gate slow = new Gate();
        start("slow", ListenerSubscription.topic("orders").credit(1024), slow);
        final AtomicInteger fast = new AtomicInteger();
        start("fast", ListenerSubscription.topic("orders"), deliveries -> fast.addAndGet(deliveries.size()));

        publish("orders", 0, 20_000);

        Eventually.await("the fast one has all", () -> fast.get() == 20_000);
        assertThat(slow.count.get()).isZero();
        slow.opened.countDown();
        Eventually.await("the slow one has all", () -> slow.count.get() == 20_000);
    }

    @Test
    void shouldNotHoldUpOthersWhenAListenerThatFollowsStateIsSlow() {
        publish("quotes", 0, 5000);
        final Gate slow = new Gate();
        final PenstockListenerContainer container =
                start("slow", ListenerSubscription.topic("quotes").sow(true).credit(1024), slow);
        final AtomicInteger fast = new AtomicInteger();
        start("fast", ListenerSubscription.topic("quotes"), deliveries -> fast.addAndGet(deliveries.size()));

        publish("quotes", 0, 5000);

        Eventually.await("the fast one has all", () -> fast.get() == 5000);
        assertThat(slow.count.get()).isZero();
        assertThat(container.getQueuedCount()).isLessThan(40);
        slow.opened.countDown();
        Eventually.await("the slow one has the state", () -> slow.count.get() >= 5000);
    }

    @Test
    void shouldKeepTheOrderOfEachKeyWhenThereAreSeveralThreads() {
        factory.getSettings().setConcurrency(4);
        final Map<String, List<String>> seen = new ConcurrentHashMap<>();
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        start("keys", ListenerSubscription.topic("quotes"), deliveries -> {
            threads.add(Thread.currentThread());
            deliveries.forEach(each -> seen.computeIfAbsent(each.message().key(), key -> new CopyOnWriteArrayList<>())
                    .add(each.message().text()));
        });

        final int rounds = 50;
        for (int round = 0; round < rounds; round++) {
            for (int id = 0; id < 20; id++) {
                client.publish("quotes", "{\"id\":" + id + ",\"n\":" + round + "}");
            }
        }

        Eventually.await(
                "all came", () -> seen.size() == 20 && seen.values().stream().allMatch(each -> each.size() == rounds));
        for (int id = 0; id < 20; id++) {
            final List<String> expected = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                expected.add("{\"id\":" + id + ",\"n\":" + round + "}");
            }
            assertThat(seen.get("{\"id\":" + id + "}")).isEqualTo(expected);
        }
        assertThat(threads).hasSizeBetween(2, 4);
    }

    @Test
    void shouldCallNobodyUntilItIsResumedWhenPaused() {
        final AtomicInteger count = new AtomicInteger();
        final PenstockListenerContainer container =
                start("paused", ListenerSubscription.topic("orders"), deliveries -> count.addAndGet(deliveries.size()));
        publish("orders", 0, 10);
        Eventually.await("the first came", () -> count.get() == 10);

        container.pause();
        publish("orders", 0, 10);
        Eventually.await("they wait", () -> container.getQueuedCount() == 10);
        assertThat(count.get()).isEqualTo(10);
        assertThat(container.isPaused()).isTrue();
        assertThat(container.isRunning()).isTrue();

        container.resume();
        Eventually.await("they came", () -> count.get() == 20);
    }

    @Test
    void shouldFinishWhatItHoldsWhenStopped() {
        final Gate slow = new Gate();
        final PenstockListenerContainer container = start("slow", ListenerSubscription.topic("orders"), slow);
        publish("orders", 0, 100);
        Eventually.await("they wait", () -> container.getQueuedCount() == 99);

        final CountDownLatch stopped = new CountDownLatch(1);
        container.stop(stopped::countDown);
        Eventually.await("it stops", () -> !container.isRunning());
        slow.opened.countDown();

        Eventually.await("it has stopped", () -> stopped.getCount() == 0);
        assertThat(slow.count.get()).isEqualTo(100);
        publish("orders", 0, 10);
        assertThat(slow.count.get()).isEqualTo(100);
    }

    @Test
    void shouldInterruptTheListenerWhenItTakesTooLongToStop() {
        factory.getSettings().setShutdownTimeout(Duration.ofMillis(50));
        final Gate stuck = new Gate();
        final PenstockListenerContainer container = start("stuck", ListenerSubscription.topic("orders"), stuck);
        publish("orders", 0, 100);
        Eventually.await("they wait", () -> container.getQueuedCount() > 0);

        container.stop();

        assertThat(container.getState()).isEqualTo(ContainerState.STOPPED);
        assertThat(stuck.count.get()).isZero();
    }

    @Test
    void shouldRunAgainWhenStartedAfterAStop() {
        final AtomicInteger count = new AtomicInteger();
        final PenstockListenerContainer container =
                start("again", ListenerSubscription.topic("orders"), deliveries -> count.addAndGet(deliveries.size()));
        container.stop();
        container.start();
        publish("orders", 0, 5);

        Eventually.await("they came", () -> count.get() == 5);
    }

    @Test
    void shouldPublishAnEventWhenNothingComes() {
        factory.getSettings().setIdleEventInterval(Duration.ofMillis(20));
        start("idle", ListenerSubscription.topic("orders"), deliveries -> {});

        Eventually.await(
                "an event",
                () -> events.stream()
                        .anyMatch(each -> each instanceof ContainerIdleEvent idle
                                && idle.container().getListenerId().equals("idle")
                                && idle.idleTime().toMillis() >= 10));
    }

    @Test
    void shouldUseVirtualThreadsWhenTheJvmHasThem() {
        final List<String> seen = new CopyOnWriteArrayList<>();
        start(
                "threads",
                ListenerSubscription.topic("orders"),
                deliveries -> seen.add(Thread.currentThread().toString()));
        publish("orders", 0, 1);

        Eventually.await("it came", () -> seen.size() == 1);
        assertThat(seen.get(0).contains("VirtualThread"))
                .isEqualTo(Runtime.version().feature() >= 21);
        assertThat(seen.get(0)).contains("penstock-threads-");
    }

    @Test
    void shouldHandOverListsWhenTheListenerTakesBatches() {
        final List<Integer> sizes = new CopyOnWriteArrayList<>();
        factory.getSettings().setBatchSize(10);
        final PenstockListenerContainer container =
                start("batch", ListenerSubscription.topic("orders"), new PenstockMessageListener() {
                    @Override
                    public void onDeliveries(final List<Delivery> deliveries) {
                        sizes.add(deliveries.size());
                    }

                    @Override
                    public boolean isBatch() {
                        return true;
                    }
                });
        container.pause();
        publish("orders", 0, 25);
        Eventually.await("they wait", () -> container.getQueuedCount() == 25);
        container.resume();

        Eventually.await("all came", () -> sizes.stream().mapToInt(each -> each).sum() == 25);
        assertThat(sizes).containsExactly(10, 10, 5);
    }

    @Test
    void shouldGiveCreditBackOnlyWhenAcknowledgedByHand() {
        factory.getSettings().setAckMode(AckMode.MANUAL);
        final List<Delivery> open = new CopyOnWriteArrayList<>();
        start("manual", ListenerSubscription.topic("orders").credit(640), deliveries -> open.addAll(deliveries));
        publish("orders", 0, 100);

        Eventually.await("its credit is used up", () -> open.size() >= 8);
        client.flush();
        assertThat(open.size()).isLessThanOrEqualTo(12);
        // Not those that come for the credit of the first ones.
        final List<Delivery> taken = List.copyOf(open);
        final int before = taken.size();
        taken.forEach(Delivery::acknowledge);
        taken.forEach(Delivery::acknowledge);

        Eventually.await("more came", () -> open.size() > before);
        assertThat(open.size()).isLessThanOrEqualTo(2 * before + 4);
    }

    @Test
    void shouldSubscribeWhenTheBrokerAppearsAfterTheStart() {
        broker.stop();
        factory.getSettings().setRecoveryBackOff(new org.springframework.util.backoff.FixedBackOff(50, Long.MAX_VALUE));
        final AtomicInteger count = new AtomicInteger();
        final PenstockListenerContainer container =
                start("late", ListenerSubscription.topic("orders"), deliveries -> count.addAndGet(deliveries.size()));
        assertThat(container.getState()).isEqualTo(ContainerState.SUBSCRIBING);
        assertThat(events).hasAtLeastOneElementOfType(ContainerFailedEvent.class);

        broker.start();
        Eventually.await("it is subscribed", () -> container.getState() == ContainerState.RUNNING);
        try (PenstockClient another = broker.client()) {
            another.publish(Publication.to("orders").text("{}"));
            Eventually.await("it came", () -> count.get() == 1);
        }
    }
}
