package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LogonTurnsTest {
    private final ArrayDeque<Runnable> given = new ArrayDeque<>();
    private boolean isFull;
    private final LogonTurns turns = new LogonTurns(task -> {
        if (isFull) {
            throw new RejectedExecutionException("full");
        }
        given.add(task);
    });
    private final List<String> checked = new ArrayList<>();

    private void check(final String address, final String what) {
        turns.execute(address, false, () -> checked.add(what));
    }

    @Test
    void shouldGiveThreadsAFewOfAnAddressAtATime() {
        for (int i = 0; i < 10; i++) {
            check("a", "a" + i);
        }
        check("b", "b0");
        turns.execute("a", true, () -> checked.add("known"));
        assertThat(given).hasSize(LogonTurns.RUNNING_COUNT_MAX + 2);

        while (!given.isEmpty()) {
            given.remove().run();
        }
        assertThat(checked).containsExactly("a0", "a1", "b0", "known", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9");
    }

    @Test
    void shouldRejectWhatIsTooMuchOfAnAddressAlone() {
        for (int i = 0; i < LogonTurns.RUNNING_COUNT_MAX + LogonTurns.WAITING_COUNT_MAX; i++) {
            check("a", "a");
        }
        assertThatThrownBy(() -> check("a", "too many")).isInstanceOf(RejectedExecutionException.class);
        check("b", "b");
        while (!given.isEmpty()) {
            given.remove().run();
        }
        check("a", "again");
        given.remove().run();

        assertThat(checked)
                .hasSize(LogonTurns.RUNNING_COUNT_MAX + LogonTurns.WAITING_COUNT_MAX + 2)
                .contains("b")
                .endsWith("again");
    }

    /** All that wait are checked by the thread that had its turn, when no other is to be had. */
    @Test
    void shouldCheckThoseThatWaitWhenThreadsAreRejectedAtTheEndOfACheck() {
        for (int i = 0; i < 10; i++) {
            check("a", "a" + i);
        }
        isFull = true;
        given.remove().run();
        assertThat(checked).containsExactly("a0", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9");
        given.remove().run();
        assertThat(checked).hasSize(10).endsWith("a1");

        // Nothing is left of those that have gone.
        isFull = false;
        check("a", "b0");
        check("a", "b1");
        assertThat(given).hasSize(LogonTurns.RUNNING_COUNT_MAX);
        check("a", "b2");
        assertThat(given).hasSize(LogonTurns.RUNNING_COUNT_MAX);
    }

    /** An address that always has some waiting keeps its thread for long, and that thread does not come to its stack's end. */
    @Test
    void shouldCheckHoweverManyComeMeanwhileWhenNoOtherThreadIsToBeHad() {
        final int count = 100_000;
        check("a", "first");
        check("a", "second");
        turns.execute("a", false, () -> comeAgain(count));
        isFull = true;
        given.remove().run();
        given.remove().run();

        assertThat(checked).hasSize(count + 2);
        isFull = false;
        check("a", "again");
        given.remove().run();
        assertThat(checked).endsWith("again");
    }

    private void comeAgain(final int count) {
        checked.add("one of many");
        if (count > 1) {
            turns.execute("a", false, () -> comeAgain(count - 1));
        }
    }

    @Test
    void shouldGiveBackTheTurnOfAFirstOneThatIsRejected() {
        isFull = true;
        for (int i = 0; i < 3 * LogonTurns.RUNNING_COUNT_MAX; i++) {
            assertThatThrownBy(() -> check("a", "rejected")).isInstanceOf(RejectedExecutionException.class);
        }
        isFull = false;
        for (int i = 0; i < 2 * LogonTurns.RUNNING_COUNT_MAX; i++) {
            check("a", "a" + i);
        }
        assertThat(given).hasSize(LogonTurns.RUNNING_COUNT_MAX);
        while (!given.isEmpty()) {
            given.remove().run();
        }
        assertThat(checked).containsExactly("a0", "a1", "a2", "a3");
    }

    /** Those that came to wait while a thread was asked for would have nobody to go on for them. */
    @Test
    @Timeout(20)
    void shouldCheckThoseThatCameToWaitBehindFirstOnesThatWereRejected() throws InterruptedException {
        final CountDownLatch done = new CountDownLatch(3);
        final List<LogonTurns> own = new ArrayList<>();
        final AtomicInteger asked = new AtomicInteger();
        own.add(new LogonTurns(task -> {
            // Within the first request the second one takes the other turn, and within that three come to wait.
            switch (asked.incrementAndGet()) {
                case 1 ->
                    assertThatThrownBy(() -> own.get(0).execute("a", false, () -> checked.add("second")))
                            .isInstanceOf(RejectedExecutionException.class);
                case 2 -> {
                    for (int i = 0; i < 3; i++) {
                        own.get(0).execute("a", false, done::countDown);
                    }
                }
                default -> {}
            }
            throw new RejectedExecutionException("full");
        }));

        assertThatThrownBy(() -> own.get(0).execute("a", false, () -> checked.add("first")))
                .isInstanceOf(RejectedExecutionException.class);
        done.await();
        assertThat(checked).isEmpty();
    }

    @Test
    void shouldGoOnWhenACheckFails() {
        for (int i = 0; i < 4; i++) {
            turns.execute("a", false, () -> {
                throw new IllegalStateException("a check");
            });
        }
        check("a", "last");
        for (int i = 0; i < 4; i++) {
            assertThatThrownBy(given.remove()::run).isInstanceOf(IllegalStateException.class);
        }
        given.remove().run();

        assertThat(checked).containsExactly("last");
    }
}
