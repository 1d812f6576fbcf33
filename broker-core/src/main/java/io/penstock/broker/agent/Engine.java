package io.penstock.broker.agent;

import io.penstock.broker.concurrent.EngineWakers;
import io.penstock.broker.concurrent.Waits;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.history.Historian;
import io.penstock.broker.journal.LogPages;
import io.penstock.broker.monitor.Monitor;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.session.client.SessionNotice;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.feed.FileReplayer;
import io.penstock.broker.shard.feed.Replayer;
import io.penstock.broker.sink.SinkAgent;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.CompositeAgent;
import org.jspecify.annotations.Nullable;

/**
 * The agents of a broker and the threads that run them. Made by {@link EngineBuilder}; started, drained and closed by
 * the thread that owns the broker.
 */
public final class Engine implements AutoCloseable {
    private final IoAgents ioAgents;
    private final List<Sequencer> sequencers;
    private final List<QueryAgent> queryAgents;
    private final ColumnKeepers columns;
    private final Replayer replayer;
    private final FileAgents files;
    private final @Nullable SinkAgent sinks;
    private final EngineWakers wakers;
    private final EngineThreads threads;
    private @Nullable AgentInvoker invoker;

    Engine(
            final IoAgents ioAgents,
            final List<Sequencer> sequencers,
            final ColumnKeepers columns,
            final Replayer replayer,
            final FileAgents files,
            final @Nullable SinkAgent sinks,
            final EngineWakers wakers,
            final EngineThreads threads) {
        this.ioAgents = ioAgents;
        this.sequencers = List.copyOf(sequencers);
        this.columns = columns;
        queryAgents = columns.queryAgents();
        this.replayer = replayer;
        this.files = files;
        this.sinks = sinks;
        this.wakers = wakers;
        this.threads = threads;
    }

    /**
     * Listens on endpoints, dealt to the I/O agents in turn. Called before the start.
     *
     * @param endpoints          to listen on.
     * @param frameLengthMax     in bytes.
     * @param connectionCountMax of each transport.
     * @return the endpoints as bound.
     * @throws IOException when one cannot be bound. The engine is to be closed then.
     */
    public List<URI> listen(
            final List<URI> endpoints,
            final int frameLengthMax,
            final int connectionCountMax,
            final @Nullable TlsContexts tls)
            throws IOException {
        final List<URI> bound = new ArrayList<>();
        final int agentCount = ioAgents.all().size();
        for (int i = 0; i < agentCount; i++) {
            ioAgents.get(i)
                    .open(
                            dealt(endpoints, i, agentCount),
                            frameLengthMax,
                            connectionCountMax,
                            tls,
                            threads.errorHandler());
            for (final Sequencer sequencer : sequencers) {
                ioAgents.get(i).prepareBodies(sequencer.shard().window());
            }
        }
        for (int i = 0; i < endpoints.size(); i++) {
            bound.add(ioAgents.get(i % agentCount).listen(endpoints.get(i)));
        }
        return bound;
    }

    /** The endpoints of one of so many agents. */
    private static List<URI> dealt(final List<URI> endpoints, final int agent, final int agentCount) {
        return IntStream.range(0, endpoints.size())
                .filter(i -> i % agentCount == agent)
                .mapToObj(endpoints::get)
                .toList();
    }

    /**
     * What those who watch the broker may ask.
     *
     * @param events where their commands are reported.
     * @param audit  where they are recorded.
     * @return for any thread.
     */
    public Monitor monitor(final EventLog events, final AuditTrail audit) {
        return new EngineMonitor(ioAgents, sequencers, columns, events, audit, threads.errorHandler());
    }

    /** Lets the caller drive all agents with {@link #invoke()}. */
    public void startInvoker() {
        final List<Agent> driven = new ArrayList<>();
        driven.add(shared());
        driven.addAll(queryAgents);
        if (files.areUsed()) {
            driven.add(files.keeper);
            driven.add(files.journaler);
            driven.add(files.replayer);
            driven.add(files.historian);
        }
        if (sinks != null) {
            driven.add(sinks);
        }
        final AgentInvoker started = new AgentInvoker(threads.errorHandler(), null, new CompositeAgent(driven));
        invoker = started;
        started.start();
    }

    /** Has I/O agents look at what has changed. Called from any thread. */
    public void wakeIoAgents() {
        ioAgents.wake();
    }

    /**
     * Starts one thread for all agents but those of queries, which have their own.
     *
     * @param name    of the thread.
     * @param mode    what it does without work.
     * @param wrapper put around each agent.
     * @param plan    of the CPUs that threads run on: those of agents on the path of a message come first.
     */
    public void startShared(
            final String name, final Idling mode, final UnaryOperator<Agent> wrapper, final CpuPlan plan) {
        final SharedAgent agent = shared();
        deal(wrapper, plan, List.of(agent));
        threads.start(name, agent, threads.idle(mode, agent::await), ioAgents.all());
        startQueryAgents(name);
        startSinks(name);
        // There are few cores then: a journaler that spins would take one from the disk's other waiters.
        startJournaler(name, Idling.BLOCKING);
    }

    /**
     * Starts a thread for each agent.
     *
     * @param prefix  of the threads' names.
     * @param mode    what they do without work.
     * @param wrapper put around each agent.
     * @param plan    of the CPUs that threads run on: those of agents on the path of a message come first.
     */
    public void startDedicated(
            final String prefix, final Idling mode, final UnaryOperator<Agent> wrapper, final CpuPlan plan) {
        final List<Agent> onThePath = new ArrayList<>(sequencers);
        onThePath.addAll(ioAgents.all());
        deal(wrapper, plan, onThePath);
        for (int shard = 0; shard < sequencers.size(); shard++) {
            final Sequencer sequencer = sequencers.get(shard);
            final int index = shard;
            threads.start(
                    prefix, sequencer, threads.idle(mode, () -> wakers.sequencers()[index].await(waitNs(sequencer))));
        }
        threads.start(
                prefix, replayer, threads.idle(mode, () -> wakers.replayer().await(waitNs(replayer.isServing()))));
        for (final IoAgent ioAgent : ioAgents.all()) {
            threads.start(prefix, ioAgent, threads.idle(mode, ioAgent::await));
        }
        startQueryAgents(prefix);
        startSinks(prefix);
        startJournaler(prefix, mode);
    }

    /** Deals CPUs to agents on the path of a message; others get theirs as they start. */
    private void deal(final UnaryOperator<Agent> wrapper, final CpuPlan plan, final List<Agent> onThePath) {
        threads.prepare(wrapper, plan);
        plan.deal(onThePath);
        if (files.areUsed()) {
            plan.deal(List.of(files.journaler));
        }
    }

    /** After all who append to logs, so that it is closed after them. */
    private void startJournaler(final String prefix, final Idling mode) {
        if (files.areUsed()) {
            threads.start(
                    prefix,
                    files.replayer,
                    threads.idle(
                            Idling.BLOCKING, () -> wakers.fileReplayer().await(waitNs(files.replayer.isServing()))));
            threads.start(
                    prefix,
                    files.historian,
                    threads.idle(Idling.BLOCKING, () -> wakers.historian().await(waitNs(files.historian.isWaiting()))));
            threads.start(
                    prefix,
                    files.keeper,
                    threads.idle(Idling.BLOCKING, () -> wakers.keeper().await(Waits.IDLE_NS)));
            threads.start(prefix, files.journaler, threads.idle(mode, files.journaler::await));
        }
    }

    /** After the I/O agents, so that it is closed after them; it never spins, since it waits for disks. */
    private void startSinks(final String prefix) {
        if (sinks != null) {
            threads.start(prefix, sinks, threads.idle(Idling.BLOCKING, sinks::await));
        }
    }

    /** These never spin: nobody waits for a microsecond of a query. */
    private void startQueryAgents(final String prefix) {
        for (int i = 0; i < queryAgents.size(); i++) {
            final QueryAgent agent = queryAgents.get(i);
            final int index = i;
            threads.start(
                    prefix,
                    agent,
                    threads.idle(Idling.BLOCKING, () -> wakers.queryAgents()[index].await(waitNs(agent.isWaiting()))));
        }
    }

    /**
     * Runs one duty cycle of all agents on the caller's thread.
     *
     * @return work done.
     */
    public int invoke() {
        final AgentInvoker driven = invoker;
        if (driven == null) {
            throw new IllegalStateException("broker: runs its own threads (use threading INVOKER to drive it)");
        }
        return driven.invoke();
    }

    /**
     * Has every I/O agent look whether what its clients have proved still holds. Any thread.
     *
     * @return false when one of them had no room for that; to be called again then.
     */
    public boolean reviewSessions() {
        boolean isTaken = true;
        for (int i = 0; i < ioAgents.all().size(); i++) {
            isTaken &= ioAgents.offer(i, new SessionNotice.UsersChanged());
        }
        return isTaken;
    }

    /** Asks for a snapshot of each journaled shard. Any thread. */
    public void requestSnapshots() {
        files.keeper.requestSnapshots();
        wakers.keeper().run();
    }

    /** Refuses new work. Called by the thread that owns the broker, takes effect within a duty cycle. */
    public void drain() {
        ioAgents.requestDrain(IoAgent.DRAIN_STEP_PROCESSED);
    }

    /**
     * Whether all clients have been sent everything. Called by the thread that owns the broker.
     *
     * @return true once it was so after {@link #drain()}.
     */
    public boolean isDrained() {
        if (!ioAgents.isDrained(IoAgent.DRAIN_STEP_PROCESSED)) {
            return false;
        }
        // One agent's messages go to another's clients: nobody is done before all are at this step.
        ioAgents.requestDrain(IoAgent.DRAIN_STEP_SENT);
        return ioAgents.isDrained(IoAgent.DRAIN_STEP_SENT);
    }

    @Override
    public void close() {
        final AgentInvoker driven = invoker;
        if (driven != null) {
            driven.close();
        }
        // Sequencers first: what they still have to say finds its I/O agents there.
        final boolean stopped = threads.stop(this::wakeAll);
        if (driven == null) {
            closeUnstarted();
        }
        if (stopped) {
            ioAgents.all().forEach(IoAgent::free);
            for (final Sequencer sequencer : sequencers) {
                sequencer.shard().free();
            }
            files.pages.free();
            files.historian.free();
            if (sinks != null) {
                sinks.free();
            }
        }
    }

    /**
     * Frees the resources of agents that were never started: of those that read files before the one that writes them.
     */
    private void closeUnstarted() {
        final List<Agent> agents = new ArrayList<>(ioAgents.all());
        agents.add(files.replayer);
        agents.add(files.keeper);
        if (sinks != null) {
            agents.add(sinks);
        }
        for (final Agent agent : agents) {
            if (!threads.hasStarted(agent)) {
                CloseHelper.close(threads.errorHandler(), agent::onClose);
            }
        }
        if (!threads.hasStarted(files.journaler)) {
            files.journaler.abandon();
        }
    }

    private SharedAgent shared() {
        if (ioAgents.all().size() != 1) {
            throw new IllegalStateException("threading: one thread drives one I/O agent, not "
                    + ioAgents.all().size());
        }
        return new SharedAgent(ioAgents.get(0), sequencers, replayer);
    }

    private void wakeAll() {
        for (final Runnable waker : wakers.sequencers()) {
            waker.run();
        }
        wakers.replayer().run();
        wakers.journaler().run();
        wakers.keeper().run();
        wakers.fileReplayer().run();
        wakers.historian().run();
        wakers.sinks().run();
        for (final Runnable waker : wakers.queryAgents()) {
            waker.run();
        }
        ioAgents.wake();
    }

    private static long waitNs(final Sequencer sequencer) {
        return sequencer.isRetrying() ? Waits.RETRY_NS : sequencer.waitNs(Waits.IDLE_NS);
    }

    private static long waitNs(final boolean retrying) {
        return retrying ? Waits.RETRY_NS : Waits.IDLE_NS;
    }

    /**
     * Agents that touch files, and may block for the disk.
     *
     * @param journaler writes them.
     * @param keeper    makes them ahead.
     * @param replayer  reads them for subscribers.
     * @param pages     it reads them into.
     * @param historian reads them for queries of state as it was.
     */
    record FileAgents(Journaler journaler, Keeper keeper, FileReplayer replayer, LogPages pages, Historian historian) {
        boolean areUsed() {
            return !journaler.isEmpty();
        }
    }
}
