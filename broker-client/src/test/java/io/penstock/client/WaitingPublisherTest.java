package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.session.CommandFrame;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits for room gets some. */
@Timeout(30)
class WaitingPublisherTest {
    private final ClientFixture fixture = new ClientFixture(
            "waiting-publisher-test",
            config -> config.ringLength(ClientConfig.RING_LENGTH_MIN)
                    .publishTimeout(Duration.ofMinutes(1))
                    .stagingLength(0));

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A message that is shorter would fit, but for the client's own thread it has to wait. */
    @Test
    void shouldTakeNoRoomFromOneThatHasWaitedForLong() throws Exception {
        fixture.loggedOn();
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[60_000]);
        while (fixture.client.tryPublish("orders", payload, 0, payload.capacity())) {
            Thread.onSpinWait();
        }
        final Thread first = new Thread(() -> fixture.client.publish("orders", payload, 0, payload.capacity()));
        first.start();
        while (first.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(tryElsewhere()).as("while the other one is new").isTrue();

        fixture.clock.advanceMillis(1000);
        while (tryElsewhere()) {
            LockSupport.parkNanos(5_000_000);
        }
        assertThat(fixture.client.tryPublish("orders", payload, 0, 1)).isTrue();

        fixture.poll();
        first.join();
        assertThat(tryElsewhere()).isTrue();
    }

    /** A payload of 64 KiB goes by a slot, with its topic: who waits for one keeps nobody from the ring. */
    @Test
    void shouldLetShortMessagesPassOneThatWaitsForASlot() throws Exception {
        fixture.loggedOn();
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[CommandFrame.LENGTH_MAX]);
        while (fixture.client.tryPublish("orders", payload, 0, payload.capacity())) {
            Thread.onSpinWait();
        }
        final Thread first = new Thread(() -> fixture.client.publish("orders", payload, 0, payload.capacity()));
        first.start();
        while (first.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        fixture.clock.advanceMillis(1000);
        for (int i = 0; i < 100; i++) {
            assertThat(tryElsewhere()).isTrue();
            LockSupport.parkNanos(1_000_000);
        }

        fixture.poll();
        first.join();
    }

    private boolean tryElsewhere() throws Exception {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[1]);
        return CompletableFuture.supplyAsync(() -> fixture.client.tryPublish("orders", payload, 0, 1))
                .get();
    }
}
