package io.penstock.broker;

import io.penstock.broker.agent.CpuPlan;
import io.penstock.broker.agent.Engine;
import io.penstock.broker.agent.EngineBuilder;
import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.topic.TopicRules;
import io.penstock.transport.RequiredFlags;
import io.penstock.transport.TransportContext;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * A message broker: topics, filters and subscribers over pluggable transports. Embedded in a program or run by the
 * runnable jar. Safe on any thread, but for {@link #invoke()}.
 *
 * <pre>{@code
 * try (Broker broker = Broker.launch(BrokerConfig.embedded("main"));
 *         PenstockClient client = PenstockClient.connect("inproc:main")) {
 *     ...
 * }
 * }</pre>
 */
public final class Broker implements AutoCloseable {
    static final String NAME = "penstock";

    private static final long DRAIN_POLL_NS = 1_000_000;

    private final BrokerConfig config;
    private final Engine engine;
    private final AccessGate gate;
    private final List<URI> endpoints;
    private final List<ThreadPlacement> placements;
    private final BrokerCounters counters;
    private final ErrorLog errorLog;
    private final BrokerEvents events;
    private final AtomicBoolean closed = new AtomicBoolean();
    private List<Closeable> locks = List.of();

    private Broker(
            final BrokerConfig config,
            final Engine engine,
            final AccessGate gate,
            final List<URI> endpoints,
            final List<ThreadPlacement> placements,
            final BrokerCounters counters,
            final ErrorLog errorLog,
            final BrokerEvents events) {
        this.config = config;
        this.engine = engine;
        this.gate = gate;
        this.endpoints = List.copyOf(endpoints);
        this.placements = placements;
        this.counters = counters;
        this.errorLog = errorLog;
        this.events = events;
    }

    /**
     * Starts a broker.
     *
     * @param config of the broker.
     * @return the broker, which serves clients already.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when an endpoint cannot be listened on.
     */
    public static Broker launch(final BrokerConfig config) {
        return launch(config, RecoveryListener.NONE);
    }

    /**
     * Starts a broker, and reports what it finds in its files meanwhile. The error log has damage as well.
     *
     * @param config   of the broker.
     * @param listener called before this returns.
     * @return the broker, which serves clients already.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when an endpoint cannot be listened on, or the journal's files are damaged.
     */
    public static Broker launch(final BrokerConfig config, final RecoveryListener listener) {
        RequiredFlags.check();
        return start(config, listener);
    }

    private static Broker start(final BrokerConfig config, final RecoveryListener listener) {
        ListenCheck.check(config);
        final List<Closeable> locks = new ArrayList<>();
        boolean isStarted = false;
        try {
            final Storage journal = config.journal().isUsed()
                    ? ConfiguredFiles.open("journal", config, config.journal().directory(), locks)
                    : null;
            final Storage sinks = config.sinks().isUsed()
                    ? ConfiguredFiles.open("sinks", config, config.sinks().directory(), locks)
                    : null;
            final Broker broker = start(config, journal, sinks, listener);
            broker.locks = List.copyOf(locks);
            isStarted = true;
            return broker;
        } finally {
            if (!isStarted) {
                locks.forEach(CloseHelper::quietClose);
            }
        }
    }

    private static Broker start(
            final BrokerConfig config,
            final @Nullable Storage storage,
            final @Nullable Storage sinkStorage,
            final RecoveryListener listener) {
        final CpuPlan cpuPlan = CpuPlan.of(config.cpus(), ThreadCounts.spinning(config));
        final BrokerCounters counters = new BrokerCounters(
                EngineBuilder.counterCountMax(config.ioAgentCount(), ConfiguredEngine.shardCount(config))
                        + ThreadCounts.pinnedMax(config));
        final var errors = counters.newCounter("broker", "errors");
        final ErrorLog errorLog = new ErrorLog(SystemEpochClock.INSTANCE, errors);
        final BrokerEvents events = new BrokerEvents(config, counters);
        events.onOpened("journal", storage);
        events.onOpened("sinks", sinkStorage);
        EngineBuilder builder = null;
        boolean isStarted = false;
        try {
            final TopicRules rules = ConfiguredTopics.rules(config);
            builder = new EngineBuilder(
                    ConfiguredEngine.settings(config), counters, config.nanoClock(), config.epochClock(), events.log());
            final Broker broker =
                    start(config, storage, sinkStorage, listener, builder, rules, cpuPlan, counters, errorLog, events);
            isStarted = true;
            return broker;
        } finally {
            if (!isStarted) {
                CloseHelper.closeAll(builder, events);
            }
        }
    }

    private static Broker start(
            final BrokerConfig config,
            final @Nullable Storage storage,
            final @Nullable Storage sinkStorage,
            final RecoveryListener listener,
            final EngineBuilder builder,
            final TopicRules rules,
            final CpuPlan cpuPlan,
            final BrokerCounters counters,
            final ErrorLog errorLog,
            final BrokerEvents events) {
        if (storage != null) {
            ConfiguredFiles.openJournals(
                    config, builder, rules, storage, new ReportedRecovery(listener, errorLog, events.log()), events);
        }
        ConfiguredTopics.declare(config, builder, rules);
        if (sinkStorage != null) {
            ConfiguredFiles.openSinks(config, builder, sinkStorage);
        }
        final ErrorHandler errors = new ReportedErrors(errorLog, events.log());
        final AccessGate gate = new AccessGate(
                config.security().authenticator(),
                authorizer(config),
                config.security().anonymousAdministration(),
                errors);
        final Engine engine = builder.build(gate, rules, errors);
        final List<URI> endpoints;
        try {
            endpoints = engine.listen(
                    config.listen(),
                    config.sessions().messageLengthMax() + TransportContext.FRAGMENT_LENGTH_MIN,
                    config.sessions().sessionCountMax());
        } catch (final IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        events.onListening(endpoints);
        switch (config.threading()) {
            case INVOKER -> engine.startInvoker();
            case SHARED ->
                engine.startShared(NAME, ConfiguredEngine.idling(config.idle()), config.agentWrapper(), cpuPlan);
            case DEDICATED ->
                engine.startDedicated(NAME, ConfiguredEngine.idling(config.idle()), config.agentWrapper(), cpuPlan);
        }
        final List<ThreadPlacement> placements = cpuPlan.placements();
        placements.forEach(each -> counters.newCounter(each.role(), "cpu").setOrdered(each.cpu()));
        return new Broker(config, engine, gate, endpoints, placements, counters, errorLog, events);
    }

    private static Authorizer authorizer(final BrokerConfig config) {
        if (!config.permissions().isUsed()) {
            return config.security().authorizer();
        }
        if (!Objects.equals(config.security().authorizer(), Authorizer.ALL)) {
            throw new IllegalArgumentException("permissions: beside an authorizer in code (give one of them)");
        }
        return config.permissions().permissions();
    }

    public BrokerConfig config() {
        return config;
    }

    /**
     * Where the broker listens, with real ports.
     *
     * @return endpoints in the order of the configuration.
     */
    public List<URI> endpoints() {
        return endpoints;
    }

    /**
     * Where the broker's threads run.
     *
     * @return a placement for each thread when {@code cpus} are configured; else empty.
     */
    public List<ThreadPlacement> placements() {
        return placements;
    }

    /**
     * Runs one duty cycle of all agents on the calling thread, always the same. In {@link ThreadingMode#INVOKER} only.
     *
     * @return work done; 0 when there was none.
     */
    public int invoke() {
        final int workCount = engine.invoke();
        events.write();
        return workCount;
    }

    /**
     * Asks for a snapshot of the state of each journaled shard, which is written while the broker goes on. The counters
     * {@code snapshots} and {@code snapshotsFailed} of the shards show when it is done.
     */
    public void snapshot() {
        engine.requestSnapshots();
    }

    /**
     * Has other permissions hold from now on, for all that clients ask for, and for what they have begun. Each I/O agent
     * ends the sessions, subscriptions and queries of its clients that would be others by these permissions, before it
     * sends anything more. Those of other clients go on. May be called from any thread, and does not wait.
     *
     * @param authorizer for example {@link io.penstock.broker.security.Permissions}.
     */
    public void permissions(final Authorizer authorizer) {
        gate.authorizer(authorizer);
        engine.wakeIoAgents();
    }

    /**
     * Whether the last permissions hold for all that clients have begun, so that nothing is sent any more which they do
     * not allow.
     *
     * @return false for a moment after a change.
     */
    public boolean arePermissionsApplied() {
        return gate.isApplied(config.ioAgentCount());
    }

    /**
     * The broker's counters.
     *
     * @return a reader for any thread.
     */
    public CountersReader counters() {
        return counters.reader();
    }

    /**
     * Adds up the counters of a name over agents and shards.
     *
     * @param name of the counters, for example {@code messages}.
     * @return the sum.
     */
    public long counter(final String name) {
        return counters.sum(name);
    }

    /**
     * Writes the distinct error log.
     *
     * @param out to write to.
     * @return count of distinct errors.
     */
    public int printErrors(final PrintStream out) {
        return errorLog.print(out);
    }

    /**
     * Refuses new messages and subscriptions from now on, and waits until accepted messages have been delivered to
     * subscriptions that are live, or that lag and become live again. Subscriptions that wait for stable storage, have
     * a rate or are paused go on after their bookmarks another time.
     *
     * @param timeout longest wait.
     * @return true when everything was delivered; false when clients did not take it in time.
     */
    public boolean drain(final Duration timeout) {
        final long deadlineNs = config.nanoClock().nanoTime() + timeout.toNanos();
        events.onDraining(timeout);
        engine.drain();
        final boolean isDrained = awaitDrained(deadlineNs);
        events.onDrained(isDrained);
        return isDrained;
    }

    private boolean awaitDrained(final long deadlineNs) {
        while (!engine.isDrained()) {
            if (config.threading() == ThreadingMode.INVOKER) {
                invoke();
            } else {
                LockSupport.parkNanos(this, DRAIN_POLL_NS);
            }
            if (config.nanoClock().nanoTime() - deadlineNs > 0) {
                return engine.isDrained();
            }
        }
        return true;
    }

    /** Closes every connection and stops all threads. What was not delivered is lost to its subscribers. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            engine.close();
            events.onStopped(counter("messages"), counter("messagesDelivered"));
            events.close();
            CloseHelper.quietCloseAll(locks);
        }
    }
}
