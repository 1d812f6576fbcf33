package io.penstock.broker.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WakerTest {
    private static final int ROUND_COUNT = Integer.getInteger("penstock.seeds", 1) * 20_000;
    private static final long LOST_AFTER_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    @Test
    @Timeout(20)
    void shouldNotWaitWhenWokenBefore() {
        final Waker waker = new Waker();
        waker.run();
        final long startNs = System.nanoTime();
        waker.await(LONG_NS);

        assertThat(System.nanoTime() - startNs).isLessThan(LONG_NS);
    }

    @Test
    @Timeout(20)
    void shouldWaitAgainWhenAWakeUpWasUsed() {
        final Waker waker = new Waker();
        waker.run();
        waker.run();
        waker.await(LONG_NS);
        final long startNs = System.nanoTime();
        long waitedNs = 0;
        // A wait may end early for no reason, but not always.
        for (int i = 0; i < 100 && waitedNs < TimeUnit.MILLISECONDS.toNanos(1); i++) {
            waker.await(TimeUnit.MILLISECONDS.toNanos(1));
            waitedNs = System.nanoTime() - startNs;
        }

        assertThat(waitedNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    @Timeout(240)
    void shouldNeverLoseAWakeUp() throws InterruptedException {
        final Waker waker = new Waker();
        final AtomicLong stored = new AtomicLong();
        final AtomicLong seen = new AtomicLong();
        final AtomicBoolean running = new AtomicBoolean(true);
        final Thread agent = new Thread(() -> {
            while (running.get()) {
                final long next = stored.getAcquire();
                if (next == seen.getPlain()) {
                    waker.await(LONG_NS);
                } else {
                    seen.setRelease(next);
                }
            }
        });
        agent.setDaemon(true);
        agent.start();
        for (long i = 1; i <= 2L * ROUND_COUNT; i += 2) {
            stored.setRelease(i);
            waker.run();
            stored.setRelease(i + 1);
            waker.run();
            final long deadlineNs = System.nanoTime() + LOST_AFTER_NS;
            while (seen.getAcquire() < i + 1) {
                assertThat(System.nanoTime()).as("lost in round %d", i / 2).isLessThan(deadlineNs);
                Thread.onSpinWait();
            }
        }
        running.set(false);
        waker.run();
        agent.join();
    }
}
