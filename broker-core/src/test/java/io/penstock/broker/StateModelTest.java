package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Brokers with state and their clients, drawn from seeds and compared with a model that keeps everything. One seed with
 * {@code -Dpenstock.seed=N}, more of them with {@code -Dpenstock.seeds=N}.
 */
class StateModelTest {
    /** The second JDK of a build does fewer than the first. */
    private static final int SEEDS =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 250 : 700);

    /** Seeds that reach everything there is. */
    private static final int SEEDS_OF_ALL = 500;

    private static final String[] REACHED = {
        "turnsToCursor",
        "turnsToLive",
        "fellBehind",
        "resyncs",
        "stateExpired",
        "stateRefused",
        "stateDeleted",
        "deliveriesRefused",
        "subscriptions ended",
        "replaces of slow clients",
        "replaces with nothing missed",
        "queries of slow clients",
        "snapshots too old",
        "rows of views",
        "views without all rows",
        "queries of views",
        "subscribes to views",
        "patterns",
        "patterns with state",
        "patterns sent anew",
        "topics declared",
        "large topics",
        "columnLength",
        "refusals",
        "closes"
    };

    @Test
    void shouldDoWhatTheModelDoesWhenAnythingHappens() {
        final Map<String, Long> histogram = new TreeMap<>();
        final Long only = Long.getLong("penstock.seed");
        final long first = only == null ? 1 : only;
        for (long seed = first; seed < first + (only == null ? SEEDS : 1); seed++) {
            run(seed, histogram);
        }
        System.out.println("state model: " + histogram);
        if (only == null && SEEDS >= SEEDS_OF_ALL) {
            assertThat(histogram).containsKeys(REACHED);
            for (final String each : REACHED) {
                assertThat(histogram.get(each)).as(each).isPositive();
            }
        }
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
