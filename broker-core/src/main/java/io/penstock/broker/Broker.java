package io.penstock.broker;

import io.penstock.broker.agent.CpuPlan;
import io.penstock.broker.agent.Engine;
import io.penstock.broker.agent.EngineBuilder;
import io.penstock.broker.agent.EngineSettings;
import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.audit.AuditTrail;
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
    private final List<URI> endpoints;
    private final List<ThreadPlacement> placements;
    private final BrokerCounters counters;
    private final ErrorLog errorLog;
    private final BrokerEvents events;
    private final BrokerReload reload;
    private final AtomicBoolean closed = new AtomicBoolean();
    private List<Closeable> locks = List.of();

    private Broker(
            final BrokerConfig config,
            final Engine engine,
            final List<URI> endpoints,
            final List<ThreadPlacement> placements,
            final BrokerCounters counters,
            final ErrorLog errorLog,
            final BrokerEvents events,
            final BrokerReload reload) {
        this.config = config;
        this.engine = engine;
        this.endpoints = List.copyOf(endpoints);
        this.placements = placements;
        this.counters = counters;
        this.errorLog = errorLog;
        this.events = events;
        this.reload = reload;
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
            final Storage audit = config.audit().isUsed()
                    ? ConfiguredFiles.open("audit", config, config.audit().directory(), locks)
                    : null;
            final Broker broker = start(config, journal, sinks, audit, listener);
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
            final @Nullable Storage auditStorage,
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
        events.onOpened("audit", auditStorage);
        EngineBuilder builder = null;
        boolean isStarted = false;
        try {
            events.openAudit(auditStorage, counters);
            final TopicRules rules = ConfiguredTopics.rules(config);
            final EngineSettings settings = ConfiguredEngine.settings(config);
            final ReloadedParts parts = new ReloadedParts(
                    new BrokerReload(config, events.log(), events.audit()),
                    rules,
                    settings.sessions().get(0).quotas(),
                    settings.shards().journal().retention());
            builder = new EngineBuilder(settings, counters, config.nanoClock(), config.epochClock(), events.log());
            final Broker broker =
                    start(config, storage, sinkStorage, listener, builder, parts, cpuPlan, counters, errorLog, events);
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
            final ReloadedParts parts,
            final CpuPlan cpuPlan,
            final BrokerCounters counters,
            final ErrorLog errorLog,
            final BrokerEvents events) {
        final TopicRules rules = parts.rules();
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
                config.security().authorizer(),
                config.security().anonymousAdministration(),
                errors,
                events.audit());
        parts.add(gate);
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
        return new Broker(config, engine, endpoints, placements, counters, errorLog, events, parts.reload());
    }

    /**
     * The configuration that the broker runs with.
     *
     * @return what it was started with, and what it has taken since by {@link #reload}.
     */
    public BrokerConfig config() {
        return reload.running();
    }

    /**
     * Gives the running broker another configuration. What can change while it runs does: rules for topics that are
     * created from now on, quotas, who may administer it without a proof. Files that parts of the broker read are read
     * again. All else is left as it is. Any thread; one at a time, others wait meanwhile. Never called by a handler of
     * events.
     *
     * @param next configuration, whole: what it leaves out has its default.
     * @return what was applied, what needs a restart, and what was refused; nothing is applied of a configuration that no
     *     broker could be started with. The same is reported as events.
     */
    public ReloadReport reload(final BrokerConfig next) {
        return reload.reload(next);
    }

    /**
     * Has something else take part in each {@link #reload} from now on, after the broker's own parts. Any thread.
     *
     * @param name       for reports.
     * @param reloadable called by each reload.
     */
    public void onReload(final String name, final Reloadable reloadable) {
        reload.add(name, reloadable);
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
     * The broker's audit, for programs that let people do what concerns its security past its own transports.
     *
     * @return where to record that, on any thread; keeps nothing when no audit is configured.
     */
    public AuditTrail audit() {
        return events.audit();
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
