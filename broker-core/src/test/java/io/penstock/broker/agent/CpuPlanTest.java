package io.penstock.broker.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.CpuAffinity;
import io.penstock.nativeaccess.NativeLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.Test;

class CpuPlanTest {
    private static Agent agent(final String name) {
        return new Agent() {
            @Override
            public int doWork() {
                return 0;
            }

            @Override
            public String roleName() {
                return name;
            }
        };
    }

    private static List<Integer> available() {
        final NativeLibrary library = NativeLibrary.get();
        assumeTrue(library.isAvailable(), library::report);
        return new CpuAffinity(library.access()).available();
    }

    @Test
    void shouldLeaveThreadsToTheKernelWithoutCpus() {
        final CpuPlan plan = CpuPlan.of(List.of(), 7);
        final Runnable work = () -> {};
        plan.deal(List.of(agent("a")));

        assertThat(plan.placed(agent("b"), work)).isSameAs(work);
        assertThat(plan.placements()).isEmpty();
    }

    @Test
    void shouldDealInTurnAndFromTheFirstAgain() throws InterruptedException {
        final List<Integer> cpus = available();
        final CpuPlan plan = CpuPlan.of(cpus, 1);
        final List<Agent> agents = IntStream.range(0, cpus.size() + 2)
                .mapToObj(i -> agent("agent-" + i))
                .toList();
        plan.deal(agents);
        final AtomicInteger workCount = new AtomicInteger();
        // They start in another order than they were dealt CPUs.
        for (int i = agents.size() - 1; i >= 0; i--) {
            final Thread thread = new Thread(plan.placed(agents.get(i), workCount::incrementAndGet));
            thread.start();
            thread.join();
        }

        assertThat(workCount).hasValue(agents.size());
        assertThat(plan.placements()).hasSize(agents.size()).allSatisfy(placement -> {
            final int index = Integer.parseInt(placement.role().substring("agent-".length()));
            assertThat(placement.cpu()).isEqualTo(cpus.get(index % cpus.size()));
        });
    }

    @Test
    void shouldGiveThreadsOfQueriesTheirNiceValueAndNoOthers() throws InterruptedException {
        available();
        final int before = nice();
        assumeTrue(before < 7, "a thread cannot be less nice than before");
        final CpuPlan plan = CpuPlan.of(List.of(), 0).withQueryNice(7);
        final AtomicInteger ofQueries = new AtomicInteger();
        final AtomicInteger ofOthers = new AtomicInteger();
        for (final Thread thread : List.of(
                new Thread(plan.placed(new QueryAgent(0, 1, () -> false), () -> ofQueries.set(nice()))),
                new Thread(plan.placed(agent("a"), () -> ofOthers.set(nice()))))) {
            thread.start();
            thread.join();
        }

        assertThat(ofQueries).hasValue(7);
        assertThat(ofOthers).hasValue(before);
        assertThat(nice()).isEqualTo(before);
    }

    /** The caller's nice value, as the kernel has it: the 17th value behind the name, which ends with a bracket. */
    private static int nice() {
        try {
            final String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRefuseFewerCpusThanThreadsThatSpin() {
        assertThatThrownBy(() -> CpuPlan.of(List.of(0), 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cpus: fewer than threads that spin: 1 (give 2, or use idle BLOCKING)");
    }

    @Test
    void shouldNameACpuThatThereIsNot() {
        final List<Integer> cpus = available();
        assertThatThrownBy(() -> CpuPlan.of(List.of(cpus.get(0), 4711), 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cpus: not available to this process: 4711 (use some of " + cpus + ")");
    }
}
