package io.penstock.broker.agent;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.EngineWakers;
import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.history.Historian;
import io.penstock.broker.journal.JournalIndexes;
import io.penstock.broker.journal.JournalManifest;
import io.penstock.broker.journal.JournalRecovery;
import io.penstock.broker.journal.JournalRetention;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.JournalSpares;
import io.penstock.broker.journal.JournalWriter;
import io.penstock.broker.journal.LogPages;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.session.ClientDirectory;
import io.penstock.broker.session.SessionCounters;
import io.penstock.broker.session.SessionNotice;
import io.penstock.broker.session.SessionSettings;
import io.penstock.broker.session.Sessions;
import io.penstock.broker.shard.DirectPort;
import io.penstock.broker.shard.Inbox;
import io.penstock.broker.shard.InboxPort;
import io.penstock.broker.shard.ReplyListener;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.Shard;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.feed.Cursors;
import io.penstock.broker.shard.feed.FileReplayer;
import io.penstock.broker.shard.feed.Replayer;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.recovery.ImageExchange;
import io.penstock.broker.shard.recovery.RecoveredTopic;
import io.penstock.broker.shard.recovery.ShardJournal;
import io.penstock.broker.shard.recovery.ShardKeeper;
import io.penstock.broker.shard.recovery.ShardRecoveries;
import io.penstock.broker.shard.recovery.ShardRecovery;
import io.penstock.broker.shard.recovery.ShardSnapshots;
import io.penstock.broker.sink.SinkAgent;
import io.penstock.broker.sink.SinkFile;
import io.penstock.broker.sink.SinkPort;
import io.penstock.broker.sink.SinkReply;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicRules;
import io.penstock.broker.topic.TopicTable;
import io.penstock.broker.topic.ViewRule;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** Makes the agents of a broker and ties them together. Used once, by the thread that starts the broker. */
public final class EngineBuilder implements AutoCloseable {
    /** More than any of these makes for itself, so that a new counter needs no look at this. */
    private static final int BROKER_COUNTERS = 64;

    private static final int IO_AGENT_COUNTERS = 64;
    private static final int SHARD_COUNTERS = 40;

    /** For a shard and an I/O agent together: what it has released, and what was processed of its messages. */
    private static final int PAIR_COUNTERS = 2;

    private final EngineSettings settings;
    private final BrokerCounters counters;
    private final NanoClock nanoClock;
    private final EpochNanoClock epochClock;
    private final EventLog events;
    private final List<IoAgent> ioAgents = new ArrayList<>();
    private final List<Sequencer> sequencers = new ArrayList<>();
    private final List<QueryAgent> queryAgents = new ArrayList<>();
    private final EngineWakers wakers;
    private final Reclaim[] reclaims;
    private final ShardCounters[] shardCounters;
    private final Set<Topic> recovered = new HashSet<>();
    private final Journaler journaler;
    private final Keeper keeper;
    private final Replayer replayer;
    private final LogPages pages;
    private final FileReplayer fileReplayer;
    private final Cursors cursors;
    private final Historian historian;
    private @Nullable SinkAgent sinkAgent;
    /** Of a journal that is being opened. */
    private final Deque<Closeable> opening = new ArrayDeque<>();

    private @Nullable Engine engine;

    /**
     * Starts with nothing.
     *
     * @param settings   how many agents, and their bounds.
     * @param counters   for all of them.
     * @param nanoClock  for timers.
     * @param epochClock for records.
     * @param events     for those who run the broker.
     */
    public EngineBuilder(
            final EngineSettings settings,
            final BrokerCounters counters,
            final NanoClock nanoClock,
            final EpochNanoClock epochClock,
            final EventLog events) {
        this.settings = settings;
        this.counters = counters;
        this.nanoClock = nanoClock;
        this.epochClock = epochClock;
        this.events = events;
        wakers = new EngineWakers(settings.shardCount(), settings.state().queryAgentCount());
        pages = new LogPages(settings.journal().replayPageCount());
        historian = new Historian(
                settings.state().historyLengthMax(),
                settings.shardCount(),
                counters.newCounter("historian", "histories"));
        for (int i = 0; i < settings.state().queryAgentCount(); i++) {
            queryAgents.add(new QueryAgent(i, settings.ioAgentCount(), i == 0 ? this::prepareMemory : () -> false));
        }
        reclaims = new Reclaim[settings.shardCount()];
        shardCounters = new ShardCounters[settings.shardCount()];
        journaler = new Journaler(nanoClock, wakers.journaler(), this::onDurable);
        keeper = new Keeper(nanoClock);
        boolean isMade = false;
        try {
            for (int shard = 0; shard < reclaims.length; shard++) {
                sequencers.add(newSequencer(shard));
            }
            isMade = true;
        } finally {
            if (!isMade) {
                sequencers.forEach(sequencer -> sequencer.shard().free());
            }
        }
        replayer = new Replayer(
                sequencers.toArray(new Sequencer[0]),
                reclaims,
                settings.ioAgentCount(),
                wakers.sequencers(),
                nanoClock,
                counters.newCounter("replayer", "cursors"),
                counters.newCounter("replayer", "bytesRead"));
        fileReplayer = new FileReplayer(
                sequencers.toArray(new Sequencer[0]),
                pages,
                nanoClock,
                this::recall,
                counters.newCounter("file-replayer", "fileCursors"),
                counters.newCounter("file-replayer", "fileBytesRead"),
                counters.newCounter("file-replayer", "pagesRecalled"));
        cursors = new Cursors(replayer, fileReplayer, pages, wakers);
    }

    /**
     * How many counters the agents make at most.
     *
     * @param ioAgentCount I/O agents.
     * @param shardCount   shards.
     * @return bound of counters.
     */
    public static int counterCountMax(final int ioAgentCount, final int shardCount) {
        return BROKER_COUNTERS
                + ioAgentCount * IO_AGENT_COUNTERS
                + shardCount * (SHARD_COUNTERS + ioAgentCount * PAIR_COUNTERS);
    }

    /**
     * Makes the I/O agents and the engine.
     *
     * @param gate         that every command passes.
     * @param rules        for new topics.
     * @param errorHandler for what agents throw; it counts them.
     * @return the engine, not started; this builder closes it.
     */
    public Engine build(final AccessGate gate, final TopicRules rules, final ErrorHandler errorHandler) {
        final ClientDirectory directory = new ClientDirectory();
        final Inbox[] inboxes = new Inbox[settings.shardCount()];
        if (settings.dedicated()) {
            for (int shard = 0; shard < inboxes.length; shard++) {
                inboxes[shard] = newInbox(shard);
                sequencers.get(shard).inbox(inboxes[shard]);
            }
        }
        for (int index = 0; index < settings.ioAgentCount(); index++) {
            ioAgents.add(newIoAgent(index, gate, rules, directory, inboxes));
        }
        if (sinkAgent != null) {
            sinkAgent.errorHandler(errorHandler);
        }
        fileReplayer.errorHandler(errorHandler);
        historian.errorHandler(errorHandler);
        final Engine built = new Engine(
                ioAgents,
                sequencers,
                queryAgents,
                replayer,
                new Engine.FileAgents(journaler, keeper, fileReplayer, pages, historian),
                sinkAgent,
                wakers,
                errorHandler,
                new Idles(nanoClock, events));
        engine = built;
        return built;
    }

    /** Gives back all that was made, whatever has become of it. Nothing of it is written. For a start that has failed. */
    @Override
    public void close() {
        final Engine built = engine;
        if (built != null) {
            built.close();
            return;
        }
        for (final IoAgent ioAgent : ioAgents) {
            CloseHelper.quietClose(ioAgent::onClose);
        }
        final SinkAgent sinks = sinkAgent;
        if (sinks != null) {
            CloseHelper.quietClose(sinks::onClose);
            sinks.free();
        }
        keeper.onClose();
        journaler.abandon();
        while (!opening.isEmpty()) {
            CloseHelper.quietClose(opening.pop());
        }
        sequencers.forEach(sequencer -> sequencer.shard().free());
        pages.free();
        historian.free();
    }

    /**
     * Opens the shards' logs: makes the shards what they were, and goes on from there. Called before topics are declared.
     *
     * @param manifest    says which files they have to have.
     * @param storages    their directories.
     * @param archives    directories for files that are not wanted any more; null for none.
     * @param threadCount of threads that read the logs; 1 reads them on the calling thread.
     * @param listener    is told what was found, one call at a time.
     * @throws IOException when a log is damaged, or a disk fails.
     */
    public void openJournals(
            final JournalManifest manifest,
            final List<Storage> storages,
            final @Nullable List<Storage> archives,
            final int threadCount,
            final RecoveryListener listener)
            throws IOException {
        final List<ShardRecovery> recoveries = new ArrayList<>();
        for (int shard = 0; shard < storages.size(); shard++) {
            recoveries.add(new ShardRecovery(
                    shard,
                    storages.get(shard),
                    manifest.shard(shard),
                    settings.journal(),
                    sequencers.get(shard).shard().replay(),
                    listener,
                    nanoClock));
        }
        final List<JournalRecovery.Recovered> logs = new ShardRecoveries(recoveries, threadCount).run();
        for (int shard = 0; shard < logs.size(); shard++) {
            openJournal(
                    shard,
                    storages.get(shard),
                    archives == null ? null : archives.get(shard),
                    recoveries.get(shard),
                    logs.get(shard));
        }
        // Before anything is acknowledged that is in them.
        for (int shard = 0; shard < logs.size(); shard++) {
            logs.get(shard).files().note(recoveries.get(shard).known());
        }
    }

    private void openJournal(
            final int shard,
            final Storage storage,
            final @Nullable Storage archive,
            final ShardRecovery recovery,
            final JournalRecovery.Recovered log)
            throws IOException {
        final Sequencer sequencer = sequencers.get(shard);
        final JournalSettings journal = settings.journal();
        final JournalSpares spares =
                new JournalSpares(storage, journal.fileLength(), journal.direct(), wakers.keeper());
        opening.push(spares);
        if (log.end().file() == null) {
            spares.prepare();
        }
        final JournalWriter writer =
                new JournalWriter(log.files(), spares, journal.policy() != SyncPolicy.OS, log.end(), epochClock);
        opening.push(writer::free);
        recovered.addAll(List.of(sequencer.shard().topics().snapshot()));
        final ImageExchange exchange = new ImageExchange(() -> wakeSequencer(shard), wakers.keeper());
        sequencer.resume(log.files(), log.end().sequence(), writer.epoch(), wakers.journaler(), exchange);
        final ShardCounters own = shardCounters[shard];
        journaler.add(new ShardJournal(
                journal,
                log.files(),
                spares,
                writer,
                sequencer.shard().window(),
                new LogReader(sequencer.shard().window(), sequencer.shard().published(), 0),
                reclaims[shard],
                settings.ioAgentCount() + 1,
                own,
                events));
        opening.clear();
        keeper.add(new ShardKeeper(
                log.files(),
                recovery.known(),
                spares,
                new JournalIndexes(log.files()),
                new JournalRetention(journal, log.files(), recovery.known(), spares, archive),
                recovery.snapshots(),
                new ShardSnapshots(
                        journal,
                        log.files(),
                        recovery.snapshots(),
                        exchange,
                        own,
                        epochClock,
                        writer.epoch(),
                        recovery.snapshotSequence(),
                        recovery.recordLength(),
                        nanoClock.nanoTime(),
                        events),
                own,
                epochClock,
                events));
        fileReplayer.add(log.files());
        historian.add(log.files(), archive, own);
    }

    /**
     * Adds the sinks. Called before {@link #build}.
     *
     * @param sinks            opened; the engine closes them.
     * @param memoryLength     for blocks on their way, in bytes, a power of two.
     * @param blockLengthMax   in bytes.
     * @param producerCountMax of each sink.
     */
    public void openSinks(
            final List<SinkFile> sinks, final int memoryLength, final int blockLengthMax, final int producerCountMax) {
        final SinkAgent agent = new SinkAgent(
                memoryLength,
                blockLengthMax,
                producerCountMax,
                nanoClock,
                wakers.sinks(),
                this::onSinkReply,
                counters,
                events);
        sinks.forEach(agent::add);
        sinkAgent = agent;
    }

    /**
     * The topics that the logs have made.
     *
     * @return topics of all shards opened so far.
     */
    public Set<Topic> recoveredTopics() {
        return recovered;
    }

    /**
     * Creates a declared topic, before the engine starts.
     *
     * @param shard  of the topic.
     * @param name   of the topic.
     * @param format of its messages.
     * @param state  how it keeps the last value of each key, or null.
     */
    public void declareTopic(final int shard, final String name, final String format, final @Nullable StateRule state) {
        final Sequencer sequencer = sequencers.get(shard);
        final Topic known = sequencer.shard().findTopic(name);
        if (known != null && recovered.contains(known)) {
            final String wrong = RecoveredTopic.difference(known, format, state);
            if (wrong != null) {
                throw new IllegalArgumentException("topics: " + name + ": " + wrong
                        + " (declare it as it was, or give the new topic another name)");
            }
            return;
        }
        if (known != null
                || sequencer.shard().isTopicLimitReached()
                || sequencer.shard().createTopic(name, format, state) == null) {
            throw new IllegalArgumentException("topics: cannot declare: " + name
                    + " (declare each topic once, and no more than sessions.topicCountMax)");
        }
        sequencer.doWork();
    }

    /**
     * Creates a view, before the engine starts.
     *
     * @param shard of the topic that it is computed from.
     * @param rule  for it.
     * @throws IllegalArgumentException with what is wrong with it.
     */
    public void declareView(final int shard, final ViewRule rule) {
        final Sequencer sequencer = sequencers.get(shard);
        String wrong;
        try {
            wrong = sequencer.shard().createView(rule);
        } catch (final FilterException | IllegalArgumentException e) {
            wrong = e.getMessage();
        }
        if (wrong != null) {
            throw new IllegalArgumentException("views: " + rule.name() + ": " + wrong);
        }
        sequencer.doWork();
    }

    private Sequencer newSequencer(final int shard) {
        // Readers of the window: every I/O agent, the replayer, and the journaler.
        final boolean journaled = shard < settings.journaledCount();
        final ShardCounters own = new ShardCounters(counters, shard, settings.ioAgentCount() + (journaled ? 2 : 1));
        shardCounters[shard] = own;
        reclaims[shard] = new Reclaim(
                settings.dedicated() ? this::wakeReaders : wakers.journaler(), own.demanded(), own.released());
        final ReplyListener replies = new ShardReplies(ioAgents, this::onAttached);
        final Shard made = new Shard(
                shard,
                epochClock,
                new LogWindow(settings.window()),
                reclaims[shard],
                own,
                new TopicTable(settings.topicCountMax()),
                new PublisherTable(settings.publisherCountMax()),
                settings.state(),
                replies::onRefused);
        return new Sequencer(made, epochClock, replies);
    }

    private Inbox newInbox(final int shard) {
        final AtomicCounter[] processed = new AtomicCounter[settings.ioAgentCount()];
        for (int i = 0; i < processed.length; i++) {
            processed[i] = counters.newCounter("shard-" + shard, "processed-" + i);
        }
        return new Inbox(
                settings.inboxLength(), processed, index -> ioAgents.get(index).wakeup());
    }

    private IoAgent newIoAgent(
            final int index,
            final AccessGate gate,
            final TopicRules rules,
            final ClientDirectory directory,
            final Inbox[] inboxes) {
        final String owner = "io-" + index;
        final SessionSettings sessionSettings = settings.sessions().get(index);
        final SessionCounters sessionCounters = new SessionCounters(counters, owner);
        final List<InboxPort> inboxPorts = new ArrayList<>();
        final ShardPort[] ports = new ShardPort[settings.shardCount()];
        for (int shard = 0; shard < ports.length; shard++) {
            final Sequencer sequencer = sequencers.get(shard);
            if (settings.dedicated()) {
                final InboxPort port = new InboxPort(
                        shard,
                        index,
                        sequencer,
                        inboxes[shard],
                        sessionCounters.payloadBytesCopied(),
                        wakers.sequencers()[shard]);
                inboxPorts.add(port);
                ports[shard] = port;
            } else {
                final DirectPort port = new DirectPort(shard, sequencer);
                sequencer.addDirectPort(port);
                ports[shard] = port;
            }
        }
        // Each session waits for one reply of each shard at most, and may lose its name; twice that for those closed.
        final int noticeCountMax = (int) Math.min(1 << 20, 2L * sessionSettings.sessionCountMax() * (ports.length + 1));
        final IoAgent ioAgent = new IoAgent(
                index, nanoClock, reclaims, inboxPorts, noticeCountMax, new IoCounters(counters, owner), events);
        final ReadyBits ready =
                new ReadyBits(sessionSettings.sessionCountMax(), settings.dedicated() ? ioAgent::wakeup : () -> {});
        ioAgent.sessions(new Sessions(
                sessionSettings,
                ports,
                cursors,
                new QueryDispatch(queryAgents, historian, wakers, ioAgent::wakeup),
                sinkAgent == null ? SinkPort.NONE : sinkAgent,
                nanoClock,
                gate,
                rules,
                ready,
                new ReadyBits(sessionSettings.sessionCountMax(), ioAgent::wakeup),
                directory,
                this::onReplaced,
                counters,
                sessionCounters,
                events));
        return ioAgent;
    }

    private boolean prepareMemory() {
        boolean worked = false;
        for (int i = 0; i < sequencers.size(); i++) {
            worked |= sequencers.get(i).shard().prepareMemory();
        }
        return worked;
    }

    private void wakeSequencer(final int shard) {
        wakers.sequencers()[shard].run();
        if (!settings.dedicated()) {
            wakeIoAgents();
        }
    }

    private void wakeReaders() {
        wakers.replayer().run();
        wakers.journaler().run();
        wakeIoAgents();
    }

    private void onAttached(final long feed, final long position) {
        replayer.onAttached(feed, position);
        wakers.replayer().run();
    }

    private void onDurable() {
        wakers.replayer().run();
        wakeIoAgents();
    }

    private boolean recall(final long sessionId) {
        // The index of a session's I/O agent is in the high bits of its number.
        final IoAgent ioAgent = ioAgents.get((int) (sessionId >>> 48));
        if (!ioAgent.offer(new SessionNotice.Recall(sessionId))) {
            return false;
        }
        ioAgent.wakeup();
        return true;
    }

    private boolean onSinkReply(final SinkReply reply) {
        // The index of a session's I/O agent is in the high bits of its number.
        final IoAgent ioAgent = ioAgents.get((int) (reply.sessionId() >>> 48));
        if (!ioAgent.offer(reply)) {
            return false;
        }
        ioAgent.wakeup();
        return true;
    }

    private void wakeIoAgents() {
        for (int i = 0; i < ioAgents.size(); i++) {
            ioAgents.get(i).wakeup();
        }
    }

    private void onReplaced(final int ioAgent, final IoNotice notice) {
        ioAgents.get(ioAgent).offer(notice);
        ioAgents.get(ioAgent).wakeup();
    }
}
