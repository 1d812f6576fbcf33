package io.penstock.broker;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Brokers with state and their clients, drawn from seeds and compared with a model that keeps everything. One seed with
 * {@code -Dpenstock.seed=N}, more of them with {@code -Dpenstock.seeds=N}.
 */
class StateModelTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 1000);

    @Test
    void shouldDoWhatTheModelDoesWhenAnythingHappens() {
        final Map<String, Long> histogram = new TreeMap<>();
        final Long only = Long.getLong("penstock.seed");
        final long first = only == null ? 1 : only;
        for (long seed = first; seed < first + (only == null ? SEEDS : 1); seed++) {
            run(seed, histogram);
        }
        System.out.println("state model: " + histogram);
    }

    private static void run(final long seed, final Map<String, Long> histogram) {
        final StateModelRun run = new StateModelRun(seed, histogram);
        try (run) {
            run.run();
        } catch (final Throwable failed) {
            throw new AssertionError(
                    "seed " + seed + " (again with -Dpenstock.seed=" + seed + "): " + failed.getMessage() + "\n  "
                            + run.story(),
                    failed);
        }
    }
}
