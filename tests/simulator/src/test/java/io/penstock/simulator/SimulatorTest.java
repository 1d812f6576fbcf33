package io.penstock.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Brokers on simulated clocks, disks and networks; everything follows from a seed. */
class SimulatorTest {
    private static final long SEED_FIRST = Long.getLong("penstock.seed", 1);
    private static final int SEED_COUNT_DEFAULT = 500;
    private static final int SEED_COUNT =
            Integer.getInteger("penstock.seeds", System.getProperty("penstock.seed") == null ? SEED_COUNT_DEFAULT : 1);

    @Test
    void shouldKeepItsPromisesWhateverFails() {
        final Reached reached = new Reached();
        final long startNs = System.nanoTime();
        for (long seed = SEED_FIRST; seed < SEED_FIRST + SEED_COUNT; seed++) {
            final Simulation simulation = run(seed);
            reached.addAll(simulation.reached());
            assertThat(simulation.operationCount()).isGreaterThanOrEqualTo(2_000);
            assertThat(simulation.faultCount()).isGreaterThanOrEqualTo(5);
            assertThat(simulation.restartCount()).isPositive();
        }
        final long ms = (System.nanoTime() - startNs) / 1_000_000;
        System.out.println(SEED_COUNT + " seeds from " + SEED_FIRST + " in " + ms + " ms\n" + reached);
        if (SEED_COUNT >= SEED_COUNT_DEFAULT) {
            for (final Reached.State state : Reached.State.values()) {
                assertThat(reached.count(state) > 0 || !state.isRequired)
                        .as("%s is reached", state)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldDoTheSameTwice() {
        assertThat(run(SEED_FIRST).trace().hash())
                .isEqualTo(run(SEED_FIRST).trace().hash());
    }

    private static Simulation run(final long seed) {
        final Simulation simulation = new Simulation(seed, Plant.NONE);
        try {
            simulation.run();
        } catch (final Throwable e) {
            throw new AssertionError(
                    "seed " + seed + " (again with -Dpenstock.seed=" + seed + "): " + e + "\n"
                            + simulation.trace().last(),
                    e);
        }
        return simulation;
    }
}
