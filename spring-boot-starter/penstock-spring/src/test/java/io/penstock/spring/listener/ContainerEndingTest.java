package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.spring.Eventually;
import io.penstock.spring.TestBroker;
import io.penstock.spring.listener.ContainerFixture.Gate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.backoff.FixedBackOff;

/** Subscriptions and clients that end while a container runs, and containers that stop in unusual ways. */
@Timeout(180)
class ContainerEndingTest {
    private final ContainerFixture fixture = new ContainerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static List<String> texts(final int from, final int to) {
        return IntStream.range(from, to).mapToObj(id -> "{\"id\":" + id + "}").toList();
    }

    private static PenstockMessageListener into(final List<String> seen) {
        return deliveries -> deliveries.forEach(each -> seen.add(each.message().text()));
    }

    private void loseClient(final PenstockListenerContainer container) {
        fixture.events().clear();
        fixture.loseClient();
        Eventually.await(
                "it knows", () -> fixture.events().stream().anyMatch(each -> each instanceof ContainerFailedEvent));
        Eventually.await("it is subscribed again", () -> container.getState() == ContainerState.RUNNING);
    }

    @Test
    void shouldGoOnAfterTheLastMessageWhenTheClientIsLost(@TempDir final Path directory) {
        try (ContainerFixture journaled = new ContainerFixture(TestBroker.journaled(directory))) {
            final List<String> seen = new CopyOnWriteArrayList<>();
            journaled.publish("orders", 0, 10);
            journaled.start("log", ListenerSubscription.topic("orders").from("beginning"), into(seen));
            Eventually.await("the log came", () -> seen.size() == 10);

            journaled.loseClient();
            journaled.publish("orders", 10, 20);

            Eventually.await("the rest came", () -> seen.contains("{\"id\":19}"));
            assertThat(seen).isEqualTo(texts(0, 20));
        }
    }

    @Test
    void shouldSubscribeAgainAndKeepWhatWaitsWhenItIsPaused() {
        final List<String> seen = new CopyOnWriteArrayList<>();
        final PenstockListenerContainer container =
                fixture.start("paused", ListenerSubscription.topic("orders"), into(seen));
        container.pause();
        fixture.publish("orders", 0, 10);
        Eventually.await("they wait", () -> container.getQueuedCount() == 10);

        loseClient(container);
        fixture.publish("orders", 10, 20);
        Eventually.await("all wait", () -> container.getQueuedCount() == 20);
        container.resume();

        Eventually.await("all came", () -> seen.size() == 20);
        assertThat(seen).isEqualTo(texts(0, 20));
    }

    @Test
    void shouldHoldNoMoreThanItsCreditWhenThePausedOneSubscribesAgain() {
        final AtomicInteger count = new AtomicInteger();
        final PenstockListenerContainer container = fixture.start(
                "bound",
                ListenerSubscription.topic("orders").credit(64 * 10),
                deliveries -> count.addAndGet(deliveries.size()));
        container.pause();
        fixture.publish("orders", 0, 100);
        Eventually.await("its credit is used up", () -> container.getQueuedCount() >= 8);

        loseClient(container);
        fixture.publish("orders", 0, 100);
        loseClient(container);
        fixture.publish("orders", 0, 100);

        // Those with credit, and one of each subscription that took more than was left.
        assertThat(container.getQueuedCount()).isLessThanOrEqualTo(14);
        container.resume();
        Eventually.await("those of the last subscription came", () -> count.get() >= 100);
    }

    @Test
    void shouldGetEachMessageOnceWhenADurableOneIsPausedAndLosesItsClient() {
        final List<String> seen = new CopyOnWriteArrayList<>();
        fixture.settings().setAckMode(AckMode.BATCH);
        final PenstockListenerContainer container = fixture.start(
                "durable",
                ListenerSubscription.topic("orders").durable("durable").from("beginning"),
                into(seen));
        fixture.publish("orders", 0, 5);
        Eventually.await("the first came", () -> seen.size() == 5);
        container.pause();
        fixture.publish("orders", 5, 20);
        Eventually.await("they wait", () -> container.getQueuedCount() == 15);

        loseClient(container);
        Eventually.await("they wait again", () -> container.getQueuedCount() == 15);
        container.resume();

        Eventually.await("all came", () -> seen.contains("{\"id\":19}"));
        assertThat(seen).isEqualTo(texts(0, 20));
    }

    @Test
    void shouldStopWhenItIsStoppedByItsListenerWhileItStops() throws Exception {
        final CountDownLatch called = new CountDownLatch(1);
        final CountDownLatch stopping = new CountDownLatch(1);
        fixture.settings().setShutdownTimeout(Duration.ofSeconds(60));
        final PenstockListenerContainer[] container = new PenstockListenerContainer[1];
        container[0] = fixture.make("self", ListenerSubscription.topic("orders"), deliveries -> {
            called.countDown();
            stopping.await();
            container[0].stop();
        });
        container[0].start();
        fixture.publish("orders", 0, 1);
        called.await();

        final CountDownLatch stopped = new CountDownLatch(1);
        container[0].stop(stopped::countDown);
        Eventually.await("it stops", () -> !container[0].isRunning());
        stopping.countDown();

        assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldNotWaitForItsListenerWhenThatWaitsForTheStop() {
        final CountDownLatch stopped = new CountDownLatch(1);
        fixture.settings().setShutdownTimeout(Duration.ofSeconds(60));
        final PenstockListenerContainer[] container = new PenstockListenerContainer[1];
        final List<Boolean> seen = new CopyOnWriteArrayList<>();
        container[0] = fixture.make("waits", ListenerSubscription.topic("orders"), deliveries -> {
            container[0].stop(stopped::countDown);
            seen.add(stopped.await(30, TimeUnit.SECONDS));
        });
        container[0].start();
        fixture.publish("orders", 0, 1);

        Eventually.await("the listener has waited", () -> seen.size() == 1);
        assertThat(seen).containsExactly(true);
    }

    @Test
    void shouldStopAndRecoverWhenItsExecutorHasNoOtherThread() throws Exception {
        final ThreadPoolTaskExecutor one = new ThreadPoolTaskExecutor();
        one.setCorePoolSize(1);
        one.initialize();
        try {
            fixture.settings().setExecutor(one);
            final List<String> seen = new CopyOnWriteArrayList<>();
            final PenstockListenerContainer container =
                    fixture.start("pool", ListenerSubscription.topic("orders"), into(seen));
            loseClient(container);
            fixture.publish("orders", 0, 1);
            Eventually.await("it came", () -> seen.size() == 1);

            final CountDownLatch stopped = new CountDownLatch(1);
            container.stop(stopped::countDown);
            assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            one.shutdown();
        }
    }

    /** Refuses a third one. */
    @SuppressWarnings("serial") // Is never written.
    private static final class TwoThreads extends SimpleAsyncTaskExecutor {
        private final AtomicInteger threads;

        TwoThreads(final AtomicInteger threads) {
            this.threads = threads;
        }

        @Override
        public void execute(final Runnable task) {
            if (threads.get() == 2) {
                throw new RejectedExecutionException("no third thread");
            }
            threads.incrementAndGet();
            super.execute(() -> {
                try {
                    task.run();
                } finally {
                    threads.decrementAndGet();
                }
            });
        }
    }

    @Test
    void shouldLeaveNothingBehindWhenItsExecutorRefusesAThread() {
        final AtomicInteger threads = new AtomicInteger();
        fixture.settings().setExecutor(new TwoThreads(threads));
        fixture.settings().setConcurrency(3);
        final PenstockListenerContainer container =
                fixture.make("refused", ListenerSubscription.topic("orders"), deliveries -> {});

        assertThatThrownBy(container::start).hasMessageContaining("no third thread");

        assertThat(container.isRunning()).isFalse();
        Eventually.await("its threads have ended", () -> threads.get() == 0);
    }

    @Test
    void shouldLeaveNoSubscriptionWhenTheListenerThrowsAnErrorOfTheJvm() {
        final PenstockListenerContainer container =
                fixture.start("error", ListenerSubscription.topic("orders"), deliveries -> {
                    throw new OutOfMemoryError("for a test");
                });
        assertThat(fixture.subscriptionCount()).isEqualTo(1);

        fixture.publish("orders", 0, 1);

        Eventually.await("it has stopped", () -> container.getState() == ContainerState.STOPPED);
        Eventually.await("its subscription is gone", () -> fixture.subscriptionCount() == 0);
        Eventually.await(
                "it is told",
                () -> fixture.events().stream()
                        .anyMatch(event -> event instanceof ContainerFailedEvent failed
                                && failed.reason().getCause() instanceof OutOfMemoryError));
    }

    @Test
    void shouldGoOnWhenTheListenerThrowsAnErrorThatAMessageMayCause() {
        final List<String> seen = new CopyOnWriteArrayList<>();
        final List<Error> errors = List.of(
                new StackOverflowError("for a test"),
                new ExceptionInInitializerError("for a test"),
                new NoClassDefFoundError("for a test"),
                new AssertionError("for a test"),
                new ServiceConfigurationError("for a test"),
                new Error("for a test"));
        final AtomicInteger next = new AtomicInteger();
        fixture.settings().setErrorHandler(new DefaultErrorHandler(new FixedBackOff(1, 0)));
        final PenstockListenerContainer container =
                fixture.start("errors", ListenerSubscription.topic("orders"), deliveries -> {
                    if (next.get() < errors.size()) {
                        throw errors.get(next.getAndIncrement());
                    }
                    into(seen).onDeliveries(deliveries);
                });
        fixture.publish("orders", 0, errors.size() + 1);

        Eventually.await("the last came", () -> seen.size() == 1);
        assertThat(fixture.events())
                .filteredOn(ListenerFailedEvent.class::isInstance)
                .hasSize(errors.size());
        assertThat(container.isRunning()).isTrue();
    }

    @Test
    void shouldRunAgainWhenTheListenerThrewAnErrorOfTheJvm() {
        final List<String> seen = new CopyOnWriteArrayList<>();
        final AtomicInteger errors = new AtomicInteger(1);
        final PenstockListenerContainer container =
                fixture.start("again", ListenerSubscription.topic("orders"), deliveries -> {
                    if (errors.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("for a test");
                    }
                    into(seen).onDeliveries(deliveries);
                });
        fixture.publish("orders", 0, 1);
        Eventually.await("its subscription is gone", () -> fixture.subscriptionCount() == 0);

        Eventually.await("it has stopped and runs again", () -> {
            container.start();
            return fixture.subscriptionCount() == 1;
        });
        fixture.publish("orders", 1, 2);

        Eventually.await("it came", () -> seen.size() == 1);
        assertThat(seen).isEqualTo(texts(1, 2));
    }

    @Test
    void shouldStopWhenTheClientIsLostAtTheSameTime() {
        for (int i = 0; i < 20; i++) {
            final PenstockListenerContainer container =
                    fixture.start("race-" + i, ListenerSubscription.topic("orders"), deliveries -> {});
            final Thread loss = new Thread(fixture::loseClient);
            loss.start();
            container.stop();
            assertThat(container.getState()).isEqualTo(ContainerState.STOPPED);
            Eventually.await("the client is lost", () -> !loss.isAlive());
            assertThat(container.getState()).isEqualTo(ContainerState.STOPPED);
        }
        Eventually.await("no subscription is left", () -> fixture.subscriptionCount() == 0);
    }

    @Test
    void shouldAcknowledgeWhatIsProcessedWhenItStopsWhilePausedInABatch() throws Exception {
        fixture.settings().setAckMode(AckMode.BATCH);
        fixture.settings().setShutdownTimeout(Duration.ofMillis(100));
        final ListenerSubscription.Builder durable =
                ListenerSubscription.topic("orders").durable("batch").from("beginning");
        final Gate gate = new Gate();
        final PenstockListenerContainer container = fixture.start("batch", durable, gate);
        container.pause();
        fixture.publish("orders", 0, 10);
        Eventually.await("they wait", () -> container.getQueuedCount() == 10);
        container.resume();
        Eventually.await("the first is being handled", () -> gate.entered() == 1);
        container.pause();
        gate.open();
        Eventually.await("it is handled", () -> gate.seen().size() == 1);

        container.stop();
        final List<String> seen = new CopyOnWriteArrayList<>();
        fixture.start("batch-2", durable, into(seen));

        Eventually.await("the others came", () -> seen.contains("{\"id\":9}"));
        assertThat(seen).isEqualTo(texts(1, 10));
    }
}
