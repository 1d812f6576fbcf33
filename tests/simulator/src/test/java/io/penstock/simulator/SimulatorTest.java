package io.penstock.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Brokers on simulated clocks, disks and networks; everything follows from a seed. */
class SimulatorTest {
    private static final int SEED_COUNT_DEFAULT = 500;
    private static final int THREAD_COUNT =
            Integer.getInteger("penstock.threads", Runtime.getRuntime().availableProcessors());
    private static final Seeds SEEDS = Seeds.ofThisRun();
    private static final long SEED_FIRST = SEEDS.first;
    private static final int SEED_COUNT = SEEDS.count;

    /** Which seeds to do: those asked for, or this JDK's share of them when two do them. */
    private record Seeds(long first, int count, boolean hasHistogram) {
        static Seeds ofThisRun() {
            final boolean isOne = System.getProperty("penstock.seed") != null;
            final int count = Integer.getInteger(
                    "penstock.seeds", isOne ? 1 : Integer.getInteger("simulator.seeds", SEED_COUNT_DEFAULT));
            final long first = Long.getLong("penstock.seed", 1);
            final int most = count - count / 10;
            return switch (isOne ? "all" : System.getProperty("simulator.share", "all")) {
                case "all" -> new Seeds(first, count, true);
                case "most" -> new Seeds(first, most, true);
                case "rest" -> new Seeds(first + most, count - most, false);
                default -> throw new IllegalArgumentException("simulator.share: not all, most or rest");
            };
        }
    }

    @Test
    void shouldKeepItsPromisesWhateverFails() throws InterruptedException {
        final Reached reached = new Reached();
        final Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();
        final AtomicLong next = new AtomicLong(SEED_FIRST);
        final long startNs = System.nanoTime();
        final Thread[] threads = new Thread[THREAD_COUNT];
        for (int i = 0; i < THREAD_COUNT; i++) {
            threads[i] = new Thread(() -> runFrom(next, reached, failures), "seeds-" + i);
            threads[i].start();
        }
        for (final Thread thread : threads) {
            thread.join();
        }
        final long ms = (System.nanoTime() - startNs) / 1_000_000;
        System.out.println("simulator: " + SEED_COUNT + " seeds from " + SEED_FIRST + " in " + ms + " ms on "
                + THREAD_COUNT + " threads" + (SEEDS.hasHistogram ? reached : ""));
        if (!failures.isEmpty()) {
            throw failures.element();
        }
        if (SEED_COUNT >= SEED_COUNT_DEFAULT) {
            for (final Reached.State state : Reached.State.values()) {
                assertThat(reached.count(state) > 0 || !state.isRequired)
                        .as("%s is reached", state)
                        .isTrue();
            }
        }
    }

    /** Does seeds, each on this thread alone, until all are done or one has failed. */
    private static void runFrom(final AtomicLong next, final Reached reached, final Queue<AssertionError> failures) {
        long seed;
        while (failures.isEmpty() && (seed = next.getAndIncrement()) < SEED_FIRST + SEED_COUNT) {
            try {
                final Simulation simulation = run(seed);
                assertThat(simulation.operationCount()).isGreaterThanOrEqualTo(2_000);
                assertThat(simulation.faultCount()).isGreaterThanOrEqualTo(5);
                assertThat(simulation.restartCount()).isPositive();
                synchronized (reached) {
                    reached.addAll(simulation.reached());
                }
            } catch (final AssertionError e) {
                failures.add(e);
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
