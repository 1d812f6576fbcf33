package io.penstock.broker.shard.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumberTableTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SEEDS = 20;
    private static final int STEPS = 20_000;

    @Test
    void shouldHaveWhatWasPutAndNotRemovedWhenThingsComeAndGo() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            final NumberTable<String> table = new NumberTable<>();
            final Map<Long, String> expected = new HashMap<>();
            // Few and many in turn, so that it is divided and made whole again.
            for (int step = 0; step < STEPS; step++) {
                final long number = random.nextLong(700) << (random.nextInt(2) * 40);
                final boolean isGrowing = step / 4_000 % 2 == 0;
                if (random.nextInt(10) < (isGrowing ? 8 : 1)) {
                    assertThat(table.put(number, "v" + step)).isEqualTo(expected.put(number, "v" + step));
                } else {
                    assertThat(table.remove(number)).isEqualTo(expected.remove(number));
                }
                assertThat(table.size()).isEqualTo(expected.size());
                assertThat(table.isEmpty()).isEqualTo(expected.isEmpty());
                final long asked = random.nextLong(700);
                assertThat(table.get(asked)).isEqualTo(expected.get(asked));
                assertThat(table.containsKey(asked)).isEqualTo(expected.containsKey(asked));
            }
            final List<String> all = new ArrayList<>();
            table.forEach(all::add);
            assertThat(all).containsExactlyInAnyOrderElementsOf(expected.values());
            assertThat(table.allMatch(all::contains)).isTrue();
            assertThat(table.allMatch(value -> !value.equals(all.get(0)))).isFalse();
            for (final long number : List.copyOf(expected.keySet())) {
                table.remove(number);
            }
            assertThat(table.isEmpty()).isTrue();
            assertThat(table.allMatch(value -> false)).isTrue();
        }
    }

    @Test
    void shouldMoveFewAtOnceWhenThereAreMany() {
        final NumberTable<String> table = new NumberTable<>();
        long most = 0;
        for (int number = 0; number < 100_000; number++) {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            table.put(number, "");
            most = Math.max(most, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(most).isLessThan(128 * 1024);
    }
}
