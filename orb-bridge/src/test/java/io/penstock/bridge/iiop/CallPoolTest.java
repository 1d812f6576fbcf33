package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread, which is busy until it is released. */
@Timeout(60)
class CallPoolTest {
    private final CallPool pool = new CallPool(1, Thread::new);
    private final CallPool.Line line = new CallPool.Line();
    private final CountDownLatch isReleased = new CountDownLatch(1);
    private final List<String> made = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void keepBusy() {
        pool.submit(new CallPool.Line(), () -> {
            try {
                isReleased.await();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(Harness.await(() -> pool.threadCount() == 1 && pool.waitingCount() == 0))
                .isTrue();
    }

    @AfterEach
    void stop() {
        isReleased.countDown();
        pool.close();
    }

    private void release(final int count) {
        isReleased.countDown();
        assertThat(Harness.await(() -> made.size() == count && pool.waitingCount() == 0))
                .isTrue();
    }

    @Test
    void shouldKeepNothingOfCallsThatWereTakenBack() {
        for (int i = 0; i < 1000; i++) {
            final Runnable call = () -> made.add("taken back");
            pool.submit(line, call);
            assertThat(pool.withdraw(line, call)).isTrue();
            assertThat(pool.withdraw(line, call)).isFalse();
        }
        assertThat(pool.waitingCount()).isLessThanOrEqualTo(1);
        pool.submit(line, () -> made.add("made"));

        release(1);
        assertThat(made).containsExactly("made");
    }

    @Test
    void shouldQueueNothingMoreWhenALineIsHeldAgainAndAgain() {
        for (int i = 0; i < 100; i++) {
            pool.submit(line, () -> made.add("made"));
        }
        for (int i = 0; i < 100; i++) {
            pool.hold(line, true);
            pool.hold(line, false);
        }
        assertThat(pool.waitingCount()).isLessThanOrEqualTo(1);

        release(100);
    }

    @Test
    void shouldMakeNoCallsOfALineThatIsHeld() {
        pool.submit(line, () -> made.add("held"));
        pool.hold(line, true);
        final CallPool.Line other = new CallPool.Line();
        pool.submit(other, () -> made.add("other"));

        release(1);
        assertThat(made).containsExactly("other");
        pool.hold(line, false);
        assertThat(Harness.await(() -> made.size() == 2)).isTrue();
        assertThat(made).containsExactly("other", "held");
    }

    @Test
    void shouldMakeCallsOfLinesInTurn() {
        final CallPool.Line other = new CallPool.Line();
        for (int i = 0; i < 3; i++) {
            pool.submit(line, () -> made.add("a"));
        }
        pool.submit(other, () -> made.add("b"));

        release(4);
        assertThat(made).containsExactly("a", "b", "a", "a");
    }
}
