package io.penstock.broker;

import io.penstock.broker.agent.CpuPlan;
import io.penstock.broker.agent.Engine;
import io.penstock.broker.agent.EngineBuilder;
import io.penstock.broker.agent.EngineSettings;
import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.shard.replica.OrderedLogs;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.topic.TopicRules;
import io.penstock.transport.TransportContext;
import io.penstock.transport.tls.TlsContexts;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemEpochClock;
import org.jspecify.annotations.Nullable;

/** Starts the parts of a broker in their order, and closes those that run when a later one fails. Used once. */
final class BrokerStart {
    private final BrokerConfig config;
    private final RecoveryListener listener;
    private final OrderedLogs orderedLogs;
    private final List<Closeable> locks = new ArrayList<>();
    private final CpuPlan cpuPlan;
    private final BrokerCounters counters;
    private final ErrorLog errorLog;
    private final BrokerEvents events;
    private final ReportedErrors errors;

    private BrokerStart(final BrokerConfig config, final RecoveryListener listener, final OrderedLogs orderedLogs) {
        this.config = config;
        this.listener = listener;
        this.orderedLogs = orderedLogs;
        cpuPlan = CpuPlan.of(config.cpus(), ThreadCounts.spinning(config))
                .withQueryNice(config.state().queryNice());
        counters = new BrokerCounters(
                EngineBuilder.counterCountMax(config.ioAgentCount(), ConfiguredEngine.shardCount(config))
                        + ThreadCounts.pinnedMax(config));
        final var errorCount = counters.newCounter("broker", "errors");
        errorLog = new ErrorLog(SystemEpochClock.INSTANCE, errorCount);
        events = new BrokerEvents(config, counters);
        errors = new ReportedErrors(errorLog, events.log(), counters);
    }

    /**
     * Starts a broker.
     *
     * @param config      of it.
     * @param listener    is told what is found in files.
     * @param orderedLogs decides the order of what shards apply, where the broker does not do so alone.
     * @return what runs.
     */
    static BrokerParts start(
            final BrokerConfig config, final RecoveryListener listener, final OrderedLogs orderedLogs) {
        ListenCheck.check(config);
        return new BrokerStart(config, listener, orderedLogs).start();
    }

    private BrokerParts start() {
        EngineBuilder builder = null;
        ConfiguredSecurity security = null;
        boolean isStarted = false;
        try {
            // First, as reading the journal may take long.
            final Storage auditStorage =
                    config.audit().isUsed() ? open("audit", config.audit().directory()) : null;
            events.openAudit(auditStorage, counters);
            security = ConfiguredSecurity.open(config, errors, events.audit(), events.log());
            final TlsContexts tls = ConfiguredTls.open(config);
            final Storage storage =
                    config.journal().isUsed() ? open("journal", config.journal().directory()) : null;
            final Storage sinkStorage =
                    config.sinks().isUsed() ? open("sinks", config.sinks().directory()) : null;
            final TopicRules rules = ConfiguredTopics.rules(config);
            final EngineSettings settings = ConfiguredEngine.settings(config);
            builder = new EngineBuilder(
                    settings, counters, config.nanoClock(), config.epochClock(), events.log(), orderedLogs);
            openFiles(builder, rules, storage, sinkStorage);
            final ReloadedParts reloaded = new ReloadedParts(
                    new BrokerReload(config, events.log(), events.audit()),
                    rules,
                    orderedLogs.areTopicsFixed(),
                    settings.sessions().get(0).quotas(),
                    settings.shards().journal().retention());
            reloaded.add(security.gate());
            final Engine engine = builder.build(security.admission(rules), errors);
            reloaded.add(security, engine, tls, events);
            final List<URI> endpoints = listen(engine, tls);
            if (tls != null) {
                ConfiguredTls.watch(tls, config, counters, events.log());
            }
            run(engine);
            final List<ThreadPlacement> placements = cpuPlan.placements();
            placements.forEach(each -> counters.newCounter(each.role(), "cpu").setOrdered(each.cpu()));
            isStarted = true;
            return new BrokerParts(
                    engine,
                    security,
                    tls,
                    reloaded.reload(),
                    endpoints,
                    placements,
                    new BrokerParts.Reports(counters, errorLog, events),
                    List.copyOf(locks));
        } finally {
            if (!isStarted) {
                CloseHelper.closeAll(builder, security, events);
                CloseHelper.quietCloseAll(locks);
            }
        }
    }

    private Storage open(final String what, final String directory) {
        final Storage storage = ConfiguredFiles.open(what, config, directory, locks);
        events.onOpened(what, storage);
        return storage;
    }

    private void openFiles(
            final EngineBuilder builder,
            final TopicRules rules,
            final @Nullable Storage storage,
            final @Nullable Storage sinkStorage) {
        if (storage != null) {
            ConfiguredFiles.openJournals(
                    config, builder, rules, storage, new ReportedRecovery(listener, errorLog, events.log()), events);
        }
        ConfiguredTopics.declare(config, builder, rules);
        if (sinkStorage != null) {
            ConfiguredFiles.openSinks(config, builder, sinkStorage);
        }
    }

    private List<URI> listen(final Engine engine, final @Nullable TlsContexts tls) {
        final List<URI> endpoints;
        try {
            endpoints = engine.listen(
                    config.listen(),
                    config.sessions().messageLengthMax() + TransportContext.FRAGMENT_LENGTH_MIN,
                    config.sessions().sessionCountMax(),
                    tls);
        } catch (final IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        events.onListening(endpoints);
        return List.copyOf(endpoints);
    }

    private void run(final Engine engine) {
        switch (config.threading()) {
            case INVOKER -> engine.startInvoker();
            case SHARED ->
                engine.startShared(Broker.NAME, ConfiguredEngine.idling(config.idle()), config.agentWrapper(), cpuPlan);
            case DEDICATED ->
                engine.startDedicated(
                        Broker.NAME, ConfiguredEngine.idling(config.idle()), config.agentWrapper(), cpuPlan);
        }
    }
}
