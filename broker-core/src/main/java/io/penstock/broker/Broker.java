package io.penstock.broker;

import io.penstock.broker.agent.CpuPlan;
import io.penstock.broker.agent.Engine;
import io.penstock.broker.agent.EngineBuilder;
import io.penstock.broker.agent.EngineSettings;
import io.penstock.broker.agent.Idling;
import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.journal.JournalAdmission;
import io.penstock.broker.journal.JournalManifest;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.LogPage;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.IdentityCounts;
import io.penstock.broker.session.QuotaSettings;
import io.penstock.broker.session.SessionSettings;
import io.penstock.broker.shard.command.CreatedTopics;
import io.penstock.broker.shard.log.WindowSettings;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.sink.SinkFile;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.broker.topic.TopicRules;
import io.penstock.broker.topic.ViewRule;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.transport.RequiredFlags;
import io.penstock.transport.TransportContext;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    private static final String NAME = "penstock";
    private static final long DRAIN_POLL_NS = 1_000_000;

    /** The keeper, the file replayer, the historian, and the sink agent. */
    private static final int FILE_THREAD_COUNT = 4;

    /** Of threads that read logs at a start: more would wait for the disk. */
    private static final int RECOVERY_THREAD_COUNT_MAX = 8;

    private final BrokerConfig config;
    private final Engine engine;
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
            final List<URI> endpoints,
            final List<ThreadPlacement> placements,
            final BrokerCounters counters,
            final ErrorLog errorLog,
            final BrokerEvents events) {
        this.config = config;
        this.engine = engine;
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
     * Starts a broker, and tells what it finds in its files meanwhile. Damage is in the error log as well.
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
                    ? open("journal", config, config.journal().directory(), locks)
                    : null;
            final Storage sinks = config.sinks().isUsed()
                    ? open("sinks", config, config.sinks().directory(), locks)
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

    private static Storage open(
            final String key, final BrokerConfig config, final String directory, final List<Closeable> locks) {
        try {
            final Storage storage = config.storage().open(directory);
            locks.add(storage.lock());
            return storage;
        } catch (final IOException e) {
            throw new UncheckedIOException(key + ": " + directory + ": " + e.getMessage(), e);
        }
    }

    private static Broker start(
            final BrokerConfig config,
            final @Nullable Storage storage,
            final @Nullable Storage sinkStorage,
            final RecoveryListener listener) {
        final CpuPlan cpuPlan = CpuPlan.of(config.cpus(), spinningThreadCount(config));
        final BrokerCounters counters =
                new BrokerCounters(EngineBuilder.counterCountMax(config.ioAgentCount(), shardCount(config))
                        + pinnedThreadCountMax(config));
        final var errors = counters.newCounter("broker", "errors");
        final ErrorLog errorLog = new ErrorLog(SystemEpochClock.INSTANCE, errors);
        final BrokerEvents events = new BrokerEvents(config, counters);
        events.onOpened("journal", storage);
        events.onOpened("sinks", sinkStorage);
        EngineBuilder builder = null;
        boolean isStarted = false;
        try {
            final TopicRules rules = rules(config);
            builder = new EngineBuilder(
                    engineSettings(config), counters, config.nanoClock(), config.epochClock(), events.log());
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
            openJournals(
                    config, builder, rules, storage, new ReportedRecovery(listener, errorLog, events.log()), events);
        }
        for (final TopicConfig topic : config.topics()) {
            if (!topic.pattern()) {
                final String wrong = Topic.checkName(topic.name());
                if (wrong != null) {
                    throw new IllegalArgumentException("topics: " + wrong);
                }
                builder.declareTopic(
                        rules.shard(topic.name()), topic.name(), topic.format(), rules.state(topic.name()));
            }
        }
        for (final ViewConfig view : config.views()) {
            builder.declareView(
                    rules.shard(view.name()),
                    new ViewRule(view.name(), view.source(), view.filter(), view.select(), view.groupBy()));
        }
        if (sinkStorage != null) {
            openSinks(config, builder, sinkStorage);
        }
        final ErrorHandler errors = new ReportedErrors(errorLog, events.log());
        final AccessGate gate = new AccessGate(
                config.security().authenticator(),
                config.security().authorizer(),
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
            case SHARED -> engine.startShared(NAME, idling(config.idle()), config.agentWrapper(), cpuPlan);
            case DEDICATED -> engine.startDedicated(NAME, idling(config.idle()), config.agentWrapper(), cpuPlan);
        }
        final List<ThreadPlacement> placements = cpuPlan.placements();
        placements.forEach(each -> counters.newCounter(each.role(), "cpu").setOrdered(each.cpu()));
        return new Broker(config, engine, endpoints, placements, counters, errorLog, events);
    }

    private static Idling idling(final IdleMode mode) {
        return switch (mode) {
            case BLOCKING -> Idling.BLOCKING;
            case BACK_OFF -> Idling.BACK_OFF;
            case BUSY -> Idling.BUSY;
        };
    }

    /** Threads that never sleep, and need a CPU each. */
    private static int spinningThreadCount(final BrokerConfig config) {
        if (config.idle() != IdleMode.BUSY) {
            return 0;
        }
        return config.threading() == ThreadingMode.DEDICATED ? pathThreadCount(config) : 1;
    }

    private static int pinnedThreadCountMax(final BrokerConfig config) {
        return config.cpus().isEmpty()
                ? 0
                : pathThreadCount(config) + config.state().queryAgentCount() + FILE_THREAD_COUNT;
    }

    /** Sequencers, I/O agents, the replayer, and the journaler if there is one. */
    private static int pathThreadCount(final BrokerConfig config) {
        return shardCount(config) + config.ioAgentCount() + (config.journal().isUsed() ? 2 : 1);
    }

    /** In {@link ThreadingMode#INVOKER} nothing happens on other threads. */
    private static int recoveryThreadCount(final BrokerConfig config) {
        return config.threading() == ThreadingMode.INVOKER
                ? 1
                : Math.min(RECOVERY_THREAD_COUNT_MAX, Runtime.getRuntime().availableProcessors());
    }

    private static void openJournals(
            final BrokerConfig config,
            final EngineBuilder builder,
            final TopicRules rules,
            final Storage storage,
            final RecoveryListener listener,
            final BrokerEvents events) {
        try {
            final String archivePath = config.journal().archive();
            final Storage archive =
                    archivePath.isEmpty() ? null : config.storage().open(archivePath);
            events.onOpened("archive", archive);
            final List<Storage> storages = new ArrayList<>();
            final List<Storage> archives = new ArrayList<>();
            for (int shard = 0; shard < config.shardCount(); shard++) {
                final String name = "shard-" + shard;
                storages.add(storage.directory(name));
                if (archive != null) {
                    archives.add(archive.directory(name));
                }
            }
            final JournalManifest manifest = new JournalAdmission(
                            storage,
                            storages,
                            config.journal().onDamage() == JournalConfig.OnDamage.QUARANTINE,
                            listener)
                    .admit(config.epochClock().nanoTime());
            builder.openJournals(
                    manifest, storages, archive == null ? null : archives, recoveryThreadCount(config), listener);
        } catch (final IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        for (final Topic topic : builder.recoveredTopics()) {
            final int shard = rules.shard(topic.name());
            if (shard != topic.shard()) {
                throw new IllegalArgumentException("topics: " + topic.name() + " is in the log of shard "
                        + topic.shard() + " and would go to shard " + shard
                        + " now (use the shardCount, the shards and the journaled topics that the log was made with)");
            }
        }
    }

    private static void openSinks(final BrokerConfig config, final EngineBuilder builder, final Storage storage) {
        final List<SinkFile> sinks = new ArrayList<>();
        boolean areOpen = false;
        try {
            for (final SinkConfig sink : config.sinks().files()) {
                sinks.add(SinkFile.open(storage, sink.settings(), config.epochClock()));
            }
            builder.openSinks(
                    sinks,
                    config.sinks().memoryLength(),
                    config.sinks().blockLengthMax(),
                    config.sinks().producerCountMax());
            areOpen = true;
        } catch (final IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } finally {
            if (!areOpen) {
                CloseHelper.quietCloseAll(sinks);
            }
        }
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
     * {@code snapshots} and {@code snapshotsFailed} of the shards tell when it is done.
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
     * Refuses new messages and subscriptions from now on, and waits until what was accepted has been delivered to
     * subscriptions that are live, or are behind and on their way back to it. Those that wait for stable storage, have a
     * rate or are paused go on after their bookmarks another time.
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

    /** Those that are written to files, and as many others if some topics are in memory only. */
    private static int shardCount(final BrokerConfig config) {
        final boolean both =
                config.journal().isUsed() && config.topics().stream().anyMatch(topic -> !topic.journaled());
        return both ? 2 * config.shardCount() : config.shardCount();
    }

    private static EngineSettings engineSettings(final BrokerConfig config) {
        final SessionConfig sessions = config.sessions();
        final QuotaSettings quotas = new QuotaSettings(
                config.quotas().publisherSequenceGapMax(),
                config.quotas().topicsPerConnectionMax(),
                new CreatedTopics(config.quotas().topicsPerIdentityMax()),
                new IdentityCounts(config.quotas().publishersPerIdentityMax()));
        final List<SessionSettings> settings = new ArrayList<>();
        for (int i = 0; i < config.ioAgentCount(); i++) {
            settings.add(new SessionSettings(
                    i,
                    NAME,
                    sessions.sessionCountMax(),
                    sessions.subscriptionCountMax(),
                    sessions.messageLengthMax(),
                    sessions.descriptorRingLength(),
                    sessions.pendingAckCountMax(),
                    sessions.stagingLengthMax(),
                    TimeUnit.MILLISECONDS.toNanos(sessions.frameProgressMs()),
                    TimeUnit.MILLISECONDS.toNanos(sessions.heartbeatIntervalMs()),
                    TimeUnit.MILLISECONDS.toNanos(sessions.logonTimeoutMs()),
                    TimeUnit.MILLISECONDS.toNanos(config.state().queryTimeoutMs()),
                    quotas));
        }
        return new EngineSettings(
                config.threading() == ThreadingMode.DEDICATED,
                config.ioAgentCount(),
                shardCount(config),
                config.journal().isUsed() ? config.shardCount() : 0,
                new JournalSettings(
                        config.journal().fileLength(),
                        config.journal().isDirect(),
                        config.journal().sync(),
                        TimeUnit.MILLISECONDS.toNanos(config.journal().intervalMs()),
                        config.journal().intervalLength(),
                        config.journal().retentionLength(),
                        TimeUnit.MILLISECONDS.toNanos(config.journal().retentionMs()),
                        config.journal().replayLengthMax() / LogPage.LENGTH,
                        config.journal().snapshotLength(),
                        TimeUnit.MILLISECONDS.toNanos(config.journal().snapshotIntervalMs()),
                        config.journal().onDamage() == JournalConfig.OnDamage.QUARANTINE,
                        config.journal().onSnapshotDamage() == JournalConfig.OnSnapshotDamage.REFUSE),
                config.inboxLength(),
                new WindowSettings(
                        config.window().segmentLength(),
                        config.window().segmentCount(),
                        config.window().hugePages(),
                        config.window().node()),
                sessions.topicCountMax(),
                sessions.publisherCountMax(),
                new StateSettings(
                        config.state().memoryLengthMax(),
                        config.state().chunkLength(),
                        config.state().versionLengthMax(),
                        sessions.messageLengthMax(),
                        config.state().queryAgentCount(),
                        config.state().historyLengthMax()),
                settings);
    }

    private static TopicRules rules(final BrokerConfig config) {
        final List<TopicRules.Rule> rules = new ArrayList<>();
        final List<TopicConfig> topics = new ArrayList<>(config.topics());
        // A topic that is declared is as declared, wherever the rules stand that match its name too.
        topics.sort(Comparator.comparing(TopicConfig::pattern));
        for (final TopicConfig topic : topics) {
            final MessageFormat format = MessageFormats.formatFor(topic.format());
            final TopicPattern names =
                    topic.pattern() ? TopicPattern.regex(topic.name()) : TopicPattern.literal(topic.name());
            rules.add(new TopicRules.Rule(names, format, topic.shard(), state(topic, format), topic.journaled()));
        }
        for (final ViewConfig view : config.views()) {
            // In the shard of what it is computed from, which rules that came before decide.
            final TopicRules soFar = rules(rules, config);
            rules.add(
                    0,
                    new TopicRules.Rule(
                            TopicPattern.literal(view.name()),
                            soFar.format(view.source()),
                            soFar.shard(view.source()),
                            null,
                            true));
        }
        return rules(rules, config);
    }

    private static TopicRules rules(final List<TopicRules.Rule> rules, final BrokerConfig config) {
        return new TopicRules(
                rules,
                MessageFormats.formatFor(config.formatDefault()),
                config.shardCount(),
                config.journal().isUsed());
    }

    private static @Nullable StateRule state(final TopicConfig topic, final MessageFormat format) {
        if (topic.key().isEmpty()) {
            return null;
        }
        final StateRule rule = StateRule.of(topic.key(), TimeUnit.MILLISECONDS.toNanos(topic.expirationMs()));
        final String wrong = TopicRules.check(format, rule);
        if (wrong != null) {
            throw new IllegalArgumentException("topics: " + topic.name() + ": " + wrong);
        }
        return rule;
    }
}
