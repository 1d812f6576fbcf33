package io.penstock.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.BackPressureException;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RoomLineTest {
    private static final int THREAD_COUNT = 20;

    private final AtomicBoolean isRoom = new AtomicBoolean();

    @Test
    void shouldLetOneAtATimeLookForRoom() throws InterruptedException {
        final RoomLine line = newLine(Duration.ofMinutes(1));
        final AtomicInteger lookingCount = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREAD_COUNT; i++) {
            final AtomicBoolean hasLooked = new AtomicBoolean();
            threads.add(new Thread(() -> line.await("publish", () -> {
                if (!hasLooked.getAndSet(true)) {
                    lookingCount.incrementAndGet();
                }
                return isRoom.get();
            })));
        }
        for (final Thread thread : threads) {
            thread.start();
        }
        // All but the first wait for their turn, and that one may not have looked yet.
        while (line.waitingCount() < THREAD_COUNT - 1 || lookingCount.get() == 0) {
            Thread.onSpinWait();
        }
        assertThat(lookingCount).hasValue(1);
        isRoom.set(true);
        for (final Thread thread : threads) {
            thread.join();
        }
        assertThat(lookingCount).hasValue(THREAD_COUNT);
        assertThat(line.isOverdue()).isFalse();
    }

    @Test
    void shouldThrowInTimeWhenAnotherIsBefore() throws InterruptedException {
        final RoomLine line = newLine(Duration.ofMillis(20));
        final CountDownLatch first = new CountDownLatch(1);
        final Thread before = new Thread(() -> line.await("publish", () -> {
            first.countDown();
            return isRoom.get();
        }));
        before.setUncaughtExceptionHandler((thread, e) -> {});
        before.start();
        first.await();
        assertThatThrownBy(() -> line.await("publish", () -> false))
                .isInstanceOf(BackPressureException.class)
                .hasMessageContaining("publish: no room to hand it over within 20 ms");
        before.join();
    }

    @Test
    void shouldKeepNewcomersBackOnceTheFirstHasWaitedForLong() {
        final RoomLine line = newLine(Duration.ofMinutes(1));
        line.await("publish", line::isOverdue);
        assertThat(line.isOverdue()).isFalse();
    }

    @Test
    void shouldStopWaitingWhenInterrupted() {
        final RoomLine line = newLine(Duration.ofMinutes(1));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> line.await("publish", () -> false))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    private static RoomLine newLine(final Duration timeout) {
        return new RoomLine(
                ClientConfig.builder("inproc:room-line-test")
                        .publishTimeout(timeout)
                        .build(),
                new ClientStatus(1024));
    }
}
