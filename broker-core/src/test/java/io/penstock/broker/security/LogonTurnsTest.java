package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LogonTurnsTest {
    private final ArrayDeque<Runnable> given = new ArrayDeque<>();
    private final LogonTurns turns = new LogonTurns(given::add);
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
