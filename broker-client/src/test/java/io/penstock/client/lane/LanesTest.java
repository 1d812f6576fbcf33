package io.penstock.client.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.MessageView;
import io.penstock.client.RecordKind;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lanes with an executor of several threads. */
@Timeout(60)
class LanesTest {
    private static final int KEYS = 13;
    private static final int MESSAGES = 50_000;

    private final AtomicReference<@Nullable String> wrong = new AtomicReference<>();
    private final AtomicLong[] lastOfKey = new AtomicLong[KEYS];
    private final AtomicInteger[] callsOfKey = new AtomicInteger[KEYS];
    private final AtomicInteger doneCount = new AtomicInteger();

    private static MessageView message(final int key, final long number) {
        return new MessageView()
                .wrap(RecordKind.MESSAGE, "t", key, number, 0, new UnsafeBuffer(new byte[0]), 0, 0, 0, 0, 0);
    }

    private final class Checking implements LaneHandler {
        private final int retriedOf;

        Checking(final int retriedOf) {
            this.retriedOf = retriedOf;
        }

        @Override
        public long onMessage(final MessageView message, final int attempt) {
            final int key = message.shard();
            final boolean isRetried = message.sequence() % retriedOf == 0 && attempt == 1;
            if (callsOfKey[key].incrementAndGet() != 1) {
                wrong.set("two calls at once for key " + key);
            }
            final long last = lastOfKey[key].get();
            if (last >= message.sequence()) {
                wrong.set(message.sequence() + " after " + last);
            }
            if (!isRetried) {
                lastOfKey[key].set(message.sequence());
                doneCount.incrementAndGet();
            }
            callsOfKey[key].decrementAndGet();
            return isRetried ? 1_000 : DONE;
        }

        @Override
        public void onFailure(final String what, final Throwable cause) {
            wrong.set(what + " " + cause);
        }
    }

    @Test
    void shouldKeepTheOrderOfEachKeyAndPutBarriersBetween() throws InterruptedException {
        for (int key = 0; key < KEYS; key++) {
            lastOfKey[key] = new AtomicLong();
            callsOfKey[key] = new AtomicInteger();
        }
        final long seed = System.nanoTime();
        final SplittableRandom random = new SplittableRandom(seed);
        final ExecutorService executor = Executors.newFixedThreadPool(4);
        final CountDownLatch isDone = new CountDownLatch(1);
        final Lanes lanes = new Lanes(executor, new Checking(1_000), 8);
        for (int number = 1; number <= MESSAGES; number++) {
            final int key = random.nextInt(KEYS);
            lanes.add(key, message(key, number));
            if (random.nextInt(500) == 0) {
                final int before = number;
                lanes.addBarrier(() -> {
                    if (doneCount.get() != before) {
                        wrong.set("barrier after " + before + " with " + doneCount + " done");
                    }
                });
            }
        }
        lanes.addBarrier(isDone::countDown);
        assertThat(isDone.await(50, TimeUnit.SECONDS)).as("seed %d", seed).isTrue();
        executor.shutdown();
        assertThat(wrong.get()).as("seed %d", seed).isNull();
        assertThat(doneCount).as("seed %d", seed).hasValue(MESSAGES);
    }

    @Test
    void shouldNotStandStillWhenThreadsAddBarriersAtOnce() throws InterruptedException {
        final ExecutorService executor = Executors.newFixedThreadPool(2);
        final Lanes lanes = new Lanes(executor, new Checking(1), 8);
        final int barriersEach = 2_000;
        final CountDownLatch passed = new CountDownLatch(2 * barriersEach);
        final Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < barriersEach; k++) {
                    lanes.addBarrier(passed::countDown);
                }
            });
            threads[i].start();
        }
        for (final Thread thread : threads) {
            thread.join();
        }
        assertThat(passed.await(50, TimeUnit.SECONDS)).isTrue();
        executor.shutdown();
    }

    @Test
    void shouldGoOnWhenAHandlerOrAnEventThrowsAnError() throws InterruptedException {
        final ExecutorService executor = Executors.newFixedThreadPool(2);
        final Queue<String> failures = new ConcurrentLinkedQueue<>();
        final CountDownLatch isDone = new CountDownLatch(1);
        final Lanes lanes = new Lanes(
                executor,
                new LaneHandler() {
                    @Override
                    public long onMessage(final MessageView message, final int attempt) {
                        throw new AssertionError("message " + message.sequence());
                    }

                    @Override
                    public void onFailure(final String what, final Throwable cause) {
                        failures.add(what + ": " + cause.getMessage());
                    }
                },
                8);
        lanes.add(1, message(1, 7));
        lanes.addBarrier(() -> {
            throw new AssertionError("event");
        });
        lanes.add(2, message(2, 8));
        lanes.addBarrier(isDone::countDown);
        assertThat(isDone.await(50, TimeUnit.SECONDS)).isTrue();
        executor.shutdown();
        assertThat(failures)
                .containsExactly(
                        "its handler threw: message 7", "its handler threw: event", "its handler threw: message 8");
    }
}
