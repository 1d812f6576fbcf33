package io.penstock.broker.agent;

import io.penstock.nativeaccess.CpuAffinity;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.nativeaccess.ThreadNice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.concurrent.Agent;
import org.jspecify.annotations.Nullable;

/**
 * Which CPU each thread of a broker runs on. CPUs are dealt in turn, from the first one again when all have been dealt.
 * Used by the thread that starts the broker; each thread pins itself.
 */
public final class CpuPlan {
    private final List<Integer> cpus;
    private final @Nullable CpuAffinity affinity;
    private final int queryNice;
    private final Map<Agent, Integer> cpuByAgent = new HashMap<>();
    private final List<CompletableFuture<ThreadPlacement>> placements = new ArrayList<>();

    private CpuPlan(final List<Integer> cpus, final @Nullable CpuAffinity affinity, final int queryNice) {
        this.cpus = cpus;
        this.affinity = affinity;
        this.queryNice = queryNice;
    }

    /**
     * Plans with the CPUs that a configuration names.
     *
     * @param cpus              to use; none to leave all threads to the kernel.
     * @param spinningThreadMax threads that never sleep, each of which needs a CPU.
     * @return the plan.
     * @throws IllegalArgumentException when they cannot be had, or are too few.
     */
    public static CpuPlan of(final List<Integer> cpus, final int spinningThreadMax) {
        if (cpus.isEmpty()) {
            return new CpuPlan(cpus, null, 0);
        }
        if (cpus.size() < spinningThreadMax) {
            throw new IllegalArgumentException("cpus: fewer than threads that spin: " + cpus.size() + " (give "
                    + spinningThreadMax + ", or use idle BLOCKING)");
        }
        final NativeLibrary library = NativeLibrary.get();
        if (!library.isAvailable()) {
            throw new IllegalArgumentException("cpus: threads cannot be pinned: " + library.report()
                    + " (leave cpus out to let the kernel place them)");
        }
        final CpuAffinity affinity = new CpuAffinity(library.access());
        final List<Integer> available = affinity.available();
        for (final Integer cpu : cpus) {
            if (!available.contains(cpu)) {
                throw new IllegalArgumentException(
                        "cpus: not available to this process: " + cpu + " (use some of " + available + ")");
            }
        }
        return new CpuPlan(cpus, affinity, 0);
    }

    /**
     * The same plan, before it is used, with threads of queries that leave CPUs to others.
     *
     * @param nice value of these threads, 0 to 19; 0 for none.
     * @return the plan.
     */
    public CpuPlan withQueryNice(final int nice) {
        return new CpuPlan(cpus, affinity, nice);
    }

    /**
     * Deals CPUs, before any thread starts.
     *
     * @param agents that get a thread each, the ones that need a CPU for themselves first.
     */
    void deal(final List<? extends Agent> agents) {
        if (!cpus.isEmpty()) {
            agents.forEach(this::cpuOf);
        }
    }

    /**
     * Wraps the work of an agent's thread.
     *
     * @param agent that was dealt a CPU, or gets the next one.
     * @param work  to do there.
     * @return the work, after pinning its thread, and giving that of a query agent its nice value.
     */
    Runnable placed(final Agent agent, final Runnable work) {
        final int nice = agent instanceof QueryAgent ? queryNice : 0;
        if (nice == 0) {
            return pinned(agent, work);
        }
        return pinned(agent, () -> {
            ThreadNice.set(nice);
            work.run();
        });
    }

    private Runnable pinned(final Agent agent, final Runnable work) {
        final CpuAffinity system = affinity;
        if (system == null) {
            return work;
        }
        final int cpu = cpuOf(agent);
        final CompletableFuture<ThreadPlacement> placement = new CompletableFuture<>();
        placements.add(placement);
        return () -> {
            try {
                system.pin(cpu);
                placement.complete(new ThreadPlacement(agent.roleName(), system.threadId(), cpu));
            } catch (final IllegalArgumentException e) {
                placement.completeExceptionally(e);
            }
            work.run();
        };
    }

    /**
     * Where the threads run, once all have been started. Waits until each is there.
     *
     * @return a placement for each thread, in the order of their start; none without CPUs.
     * @throws IllegalArgumentException when a CPU could not be had any more.
     */
    public List<ThreadPlacement> placements() {
        try {
            return placements.stream().map(CompletableFuture::join).toList();
        } catch (final CompletionException e) {
            throw new IllegalArgumentException("cpus: " + (e.getCause() == null ? e : e.getCause()).getMessage(), e);
        }
    }

    private int cpuOf(final Agent agent) {
        return cpuByAgent.computeIfAbsent(agent, each -> cpus.get(cpuByAgent.size() % cpus.size()));
    }
}
