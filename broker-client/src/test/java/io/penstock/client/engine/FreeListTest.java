package io.penstock.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
class FreeListTest {
    @Test
    void shouldGiveWhatItHas() {
        final FreeList<String> free = new FreeList<>(2);
        assertThat(free.take()).isNull();
        free.give("a");
        free.give("b");
        assertThat(free.take()).isEqualTo("a");
        free.give("a");
        assertThat(free.take()).isEqualTo("b");
        assertThat(free.take()).isEqualTo("a");
        assertThat(free.take()).isNull();
    }

    /** More threads than processors, so that some stand still in the middle. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void shouldLoseNothingWhenThreadsTakeAndGive(final int count) throws InterruptedException {
        final FreeList<Integer> free = new FreeList<>(count);
        for (int i = 0; i < count; i++) {
            free.give(i);
        }
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(new Thread(() -> {
                int taken = 0;
                while (taken < 100_000) {
                    final Integer element = free.take();
                    if (element != null) {
                        taken++;
                        free.give(element);
                    } else {
                        Thread.onSpinWait();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread each : threads) {
            each.join();
        }
        final List<Integer> left = new ArrayList<>();
        Integer element = free.take();
        while (element != null) {
            left.add(element);
            element = free.take();
        }
        assertThat(left).hasSize(count).doesNotHaveDuplicates();
    }
}
