package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.spring.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.backoff.FixedBackOff;

/** Listeners, and what they call, interrupt the thread that calls them. */
@Timeout(180)
class LaneInterruptTest {
    private final ContainerFixture fixture = new ContainerFixture();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<PenstockListenerContainer> containers = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void onDeliveries(final List<Delivery> deliveries) {
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        deliveries.forEach(each -> seen.add(each.message().text()));
        Thread.currentThread().interrupt();
    }

    @Test
    void shouldGoOnWhenTheListenerLeavesItsThreadInterrupted() {
        fixture.start("interrupts", ListenerSubscription.topic("orders"), this::onDeliveries);
        fixture.publish("orders", 0, 1);
        Eventually.await("the first came", () -> seen.size() == 1);
        fixture.publish("orders", 1, 5);

        Eventually.await("all came", () -> seen.size() == 5);
    }

    @Test
    void shouldGoOnWithTheRunWhenTheListenerLeavesItsThreadInterruptedAndIsPaused() {
        fixture.settings().setAckMode(AckMode.BATCH);
        final PenstockListenerContainer container =
                fixture.start("run", ListenerSubscription.topic("orders"), deliveries -> {
                    onDeliveries(deliveries);
                    if (seen.size() == 1) {
                        pauseAll();
                    }
                });
        containers.add(container);
        container.pause();
        fixture.publish("orders", 0, 5);
        Eventually.await("they wait", () -> container.getQueuedCount() == 5);
        container.resume();
        Eventually.await("the first came", () -> seen.size() == 1);
        Eventually.await("it is paused", container::isPaused);
        container.resume();

        Eventually.await("all came", () -> seen.size() == 5);
    }

    private void pauseAll() {
        containers.forEach(PenstockListenerContainer::pause);
    }

    @Test
    void shouldRetryWhenTheListenerThrowsAndLeavesItsThreadInterrupted() {
        fixture.settings().setErrorHandler(new DefaultErrorHandler(new FixedBackOff(10, 2)));
        fixture.start("throws", ListenerSubscription.topic("orders"), deliveries -> {
            onDeliveries(deliveries);
            if (seen.size() < 3) {
                throw new InterruptedException("of a library");
            }
        });
        fixture.publish("orders", 0, 1);
        Eventually.await("it came three times", () -> seen.size() == 3);
        fixture.publish("orders", 1, 2);

        Eventually.await("the next came", () -> seen.size() == 4);
    }

    @Test
    void shouldFinishWhatItHoldsWhenTheListenerThrowsWhileItStops() {
        fixture.settings().setErrorHandler(new DefaultErrorHandler(new FixedBackOff(1, 0)));
        fixture.settings().setShutdownTimeout(Duration.ofSeconds(100));
        final CountDownLatch opened = new CountDownLatch(1);
        final PenstockListenerContainer container =
                fixture.start("stops", ListenerSubscription.topic("orders"), deliveries -> {
                    deliveries.forEach(each -> seen.add(each.message().text()));
                    opened.await();
                    throw new InterruptedException("of a library");
                });
        fixture.publish("orders", 0, 3);
        Eventually.await("they wait", () -> container.getQueuedCount() == 2);
        final CountDownLatch stopped = new CountDownLatch(1);
        container.stop(stopped::countDown);
        Eventually.await("it stops", () -> !container.isRunning());
        opened.countDown();

        Eventually.await("it has stopped", () -> stopped.getCount() == 0);
        assertThat(seen).hasSize(3);
    }

    @Test
    void shouldBringAMessageAgainWhenTheStopInterruptsItsListener() {
        // One that would give the message up.
        fixture.settings().setErrorHandler(failure -> PenstockErrorHandler.Decision.DONE);
        fixture.settings().setShutdownTimeout(Duration.ofMillis(50));
        final ListenerSubscription.Builder durable =
                ListenerSubscription.topic("orders").durable("interrupted").from("beginning");
        final CountDownLatch never = new CountDownLatch(1);
        final CountDownLatch left = new CountDownLatch(1);
        final PenstockListenerContainer container = fixture.start("stuck", durable, deliveries -> {
            deliveries.forEach(each -> seen.add(each.message().text()));
            try {
                never.await();
            } catch (final InterruptedException e) {
                left.countDown();
                throw new IllegalStateException("of a library", e);
            }
        });
        fixture.publish("orders", 0, 1);
        Eventually.await("it is being handled", () -> seen.size() == 1);
        container.stop();
        Eventually.await("the listener has been interrupted", () -> left.getCount() == 0);

        final List<String> again = new CopyOnWriteArrayList<>();
        fixture.start(
                "again",
                durable,
                deliveries ->
                        deliveries.forEach(each -> again.add(each.message().text())));
        fixture.publish("orders", 1, 2);

        Eventually.await("the last came", () -> again.contains("{\"id\":1}"));
        assertThat(again).containsExactly("{\"id\":0}", "{\"id\":1}");
    }
}
