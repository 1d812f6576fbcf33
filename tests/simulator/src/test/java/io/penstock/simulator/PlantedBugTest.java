package io.penstock.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bugs that are planted are found; else the simulator would prove nothing. */
class PlantedBugTest {
    private static final int SEED_COUNT_MAX = 1_000;

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource(PlantedBug.class)
    void shouldFindEveryPlantedBug(final PlantedBug bug) {
        int seed = 1;
        while (seed <= SEED_COUNT_MAX && !isFoundBy(bug, seed)) {
            seed++;
        }
        assertThat(seed).as("seeds until %s is found", bug).isLessThanOrEqualTo(SEED_COUNT_MAX);
    }

    private static boolean isFoundBy(final PlantedBug bug, final int seed) {
        try {
            new Simulation(seed, bug.plant()).run();
            return false;
        } catch (final Violation e) {
            System.out.println(bug + " is found by seed " + seed + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            return true;
        }
    }
}
