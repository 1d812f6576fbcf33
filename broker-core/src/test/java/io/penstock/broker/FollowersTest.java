package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Subscriptions with the state while the broker keeps hardly any former versions, drawn from seeds: each one shows the
 * state as it is once nothing changes any more, or its client was notified that it has ended. One seed with {@code
 * -Dpenstock.seed=N}, more of them with {@code -Dpenstock.seeds=N}.
 */
class FollowersTest {
    private static final int SEEDS =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 10 : 30);

    @Test
    void shouldShowTheStateOrHaveEndedWhenFormerVersionsAreFew() {
        final Map<String, Long> histogram = new TreeMap<>();
        final Long only = Long.getLong("penstock.seed");
        final long first = only == null ? 1 : only;
        for (long seed = first; seed < first + (only == null ? SEEDS : 1); seed++) {
            try (FollowersRun run = new FollowersRun(seed, histogram)) {
                run.run();
            } catch (final AssertionError failed) {
                throw new AssertionError(
                        "seed " + seed + " (again with -Dpenstock.seed=" + seed + "): " + failed.getMessage(), failed);
            }
        }
        System.out.println("followers: " + histogram);
        assertThat(histogram).containsKeys("follow", "resyncs", "turnsToCursor", "replaces", "reconnects", "views");
    }
}
