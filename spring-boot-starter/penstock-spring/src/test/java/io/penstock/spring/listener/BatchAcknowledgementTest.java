package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Bookmark;
import io.penstock.spring.Eventually;
import io.penstock.spring.LogCapture;
import io.penstock.spring.listener.ContainerFixture.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When messages of a run count as processed, and as lost. */
@Timeout(180)
class BatchAcknowledgementTest {
    private final ContainerFixture fixture = new ContainerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ListenerSubscription.Builder durable(final String name) {
        return ListenerSubscription.topic("orders").durable(name).from("beginning");
    }

    private void hold(final PenstockListenerContainer container, final int count) {
        container.pause();
        fixture.publish("orders", 0, count);
        Eventually.await("they wait", () -> container.getQueuedCount() == count);
    }

    @Test
    void shouldCountAsProcessedOnlyAfterTheRunWhenTheModeIsBatch() throws Exception {
        fixture.settings().setAckMode(AckMode.BATCH);
        final List<Bookmark> notes = new CopyOnWriteArrayList<>();
        final PenstockListenerContainer container =
                fixture.start("run", durable("run"), deliveries -> notes.add(fixture.bookmark("run")));
        hold(container, 5);
        final Bookmark before = fixture.bookmark("run");
        container.resume();

        Eventually.await("all are noted", () -> fixture.bookmark("run").sequence(0) >= before.sequence(0) + 5);
        assertThat(notes).hasSize(5).containsOnly(before);
    }

    @Test
    void shouldCountAsProcessedAtOnceWhenTheModeIsRecord() {
        final List<Bookmark> notes = new CopyOnWriteArrayList<>();
        final PenstockListenerContainer container =
                fixture.start("record", durable("record"), deliveries -> notes.add(fixture.bookmark("record")));
        hold(container, 3);
        container.resume();

        Eventually.await("all came", () -> notes.size() == 3);
        assertThat(notes).doesNotHaveDuplicates();
    }

    @Test
    void shouldSayHowManyAreLostWhenARunIsNotFinished() {
        fixture.settings().setAckMode(AckMode.BATCH);
        fixture.settings().setShutdownTimeout(Duration.ofMillis(50));
        try (LogCapture log = new LogCapture(PenstockListenerContainer.class)) {
            final Gate gate = new Gate();
            final PenstockListenerContainer container =
                    fixture.start("lost", ListenerSubscription.topic("orders"), gate);
            hold(container, 10);
            container.resume();
            Eventually.await("the first is being handled", () -> gate.entered() == 1);

            container.stop();

            assertThat(log.texts())
                    .anyMatch(text -> text.contains("has stopped with 10 messages that were not processed"));
        }
    }

    @Test
    void shouldBringMessagesAgainWhenTheErrorHandlerStopsTheContainer() {
        fixture.settings().setErrorHandler(failure -> PenstockErrorHandler.Decision.STOP);
        final CountDownLatch called = new CountDownLatch(1);
        final PenstockListenerContainer container = fixture.start("decided", durable("decided"), deliveries -> {
            called.countDown();
            throw new IllegalStateException("for a test");
        });
        fixture.publish("orders", 0, 3);

        Eventually.await("it has stopped", () -> container.getState() == ContainerState.STOPPED);
        assertThat(called.getCount()).isZero();
        Eventually.await("its subscription is gone", () -> fixture.subscriptionCount() == 0);
        final List<String> seen = new CopyOnWriteArrayList<>();
        fixture.settings().setErrorHandler(null);
        fixture.start(
                "decided-2",
                durable("decided"),
                deliveries -> seen.add(deliveries.get(0).message().text()));
        Eventually.await("all came again", () -> seen.size() == 3);
    }
}
