package io.penstock.broker.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

/** The threads that run a broker's agents. Started and stopped by the thread that owns the broker. */
final class EngineThreads {
    private static final long JOIN_TIMEOUT_MS = 5_000;

    private final ErrorHandler errorHandler;
    private final Idles idles;
    private final List<AgentRunner> runners = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Agent> started = new HashSet<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private UnaryOperator<Agent> agentWrapper = agent -> agent;
    private CpuPlan cpuPlan = CpuPlan.of(List.of(), 0);

    EngineThreads(final ErrorHandler errorHandler, final Idles idles) {
        this.errorHandler = errorHandler;
        this.idles = idles;
    }

    /** Takes what agents have thrown. */
    ErrorHandler errorHandler() {
        return errorHandler;
    }

    /**
     * Says how agents run. Called before the first is started.
     *
     * @param wrapper put around each agent.
     * @param plan    of the CPUs that threads run on; it has dealt some already.
     */
    void prepare(final UnaryOperator<Agent> wrapper, final CpuPlan plan) {
        agentWrapper = wrapper;
        cpuPlan = plan;
    }

    void start(final String prefix, final Agent agent, final IdleStrategy idleStrategy) {
        start(prefix, agent, idleStrategy, List.of(agent));
    }

    /** Starts a thread, which closes some agents in the end. */
    void start(
            final String prefix,
            final Agent agent,
            final IdleStrategy idleStrategy,
            final Collection<? extends Agent> closed) {
        final IdleStrategy watched = idles.watched(agent.roleName(), idleStrategy);
        final AgentRunner runner =
                new AgentRunner(watched, this::report, null, new EnduringAgent(agentWrapper.apply(agent)));
        runners.add(runner);
        started.addAll(closed);
        // AgentRunner.startOnThread would name it by its role alone.
        final Thread thread = new Thread(cpuPlan.placed(agent, runner), prefix + "-" + agent.roleName());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** A report that fails does not end the thread that has something to report. */
    private void report(final Throwable failure) {
        try {
            errorHandler.onError(failure);
        } catch (final OutOfMemoryError e) {
            // Nothing can be said, also not of this. There may be memory when others have ended.
        } catch (final Throwable e) {
            failure.addSuppressed(e);
        }
    }

    /** The behaviour of an agent's thread without work, until these threads are stopped. */
    IdleStrategy idle(final Idling mode, final Runnable await) {
        return Idles.of(mode, await, closing);
    }

    /** Whether a thread closes an agent in the end. */
    boolean hasStarted(final Agent agent) {
        return started.contains(agent);
    }

    /**
     * Ends all threads, the first one first.
     *
     * @param wakeAll ends the waits of all agents.
     * @return whether all agents were closed.
     */
    boolean stop(final Runnable wakeAll) {
        closing.set(true);
        wakeAll.run();
        boolean stopped = true;
        for (final AgentRunner runner : runners) {
            CloseHelper.quietClose(runner);
            stopped &= runner.isClosed();
        }
        runners.clear();
        join();
        return stopped;
    }

    /** A runner that was closed as it started leaves its thread to find that out by itself. */
    private void join() {
        try {
            for (final Thread thread : threads) {
                thread.join(JOIN_TIMEOUT_MS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.clear();
    }
}
