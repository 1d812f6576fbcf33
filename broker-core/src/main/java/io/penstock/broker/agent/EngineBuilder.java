package io.penstock.broker.agent;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.EngineWakers;
import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.history.Historian;
import io.penstock.broker.journal.LogPages;
import io.penstock.broker.session.Sessions;
import io.penstock.broker.session.client.Admission;
import io.penstock.broker.session.client.AgentPorts;
import io.penstock.broker.session.client.ReadyMarks;
import io.penstock.broker.session.client.Reports;
import io.penstock.broker.session.client.SessionCounters;
import io.penstock.broker.session.client.SessionNotice;
import io.penstock.broker.session.client.SessionSettings;
import io.penstock.broker.session.connect.ClientDirectory;
import io.penstock.broker.session.send.SessionLatencies;
import io.penstock.broker.shard.Inbox;
import io.penstock.broker.shard.InboxLog;
import io.penstock.broker.shard.OrderedLog;
import io.penstock.broker.shard.ReplyListener;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.Shard;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.feed.Cursors;
import io.penstock.broker.shard.feed.FileReplayer;
import io.penstock.broker.shard.feed.Replayer;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.replica.OrderContext;
import io.penstock.broker.shard.replica.OrderedLogs;
import io.penstock.broker.sink.SinkAgent;
import io.penstock.broker.sink.SinkFile;
import io.penstock.broker.sink.SinkPort;
import io.penstock.broker.topic.TopicTable;
import java.util.ArrayList;
import java.util.List;
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

    /**
     * Counters of a shard and an I/O agent together: what the agent has released, and how many of its messages were
     * processed.
     */
    private static final int PAIR_COUNTERS = 2;

    private final EngineSettings settings;
    private final BrokerCounters counters;
    private final JournalOpening.Clocks clocks;
    private final EventLog events;
    private final IoAgents ioAgents = new IoAgents();
    private final List<Sequencer> sequencers = new ArrayList<>();
    private final List<QueryAgent> queryAgents = new ArrayList<>();
    private final EngineWakers wakers;
    private final Reclaim[] reclaims;
    private final Replayer replayer;
    private final Engine.FileAgents files;
    private @Nullable SinkAgent sinkAgent;
    private final JournalOpening journals;
    private final DeclaredTopics declared;

    private @Nullable Engine engine;

    /**
     * Starts with nothing.
     *
     * @param settings    how many agents, and their bounds.
     * @param counters    for all of them.
     * @param nanoClock   for timers.
     * @param epochClock  for records.
     * @param events      for the operator.
     * @param orderedLogs decides the order of what shards apply, where the broker does not do so alone.
     */
    public EngineBuilder(
            final EngineSettings settings,
            final BrokerCounters counters,
            final NanoClock nanoClock,
            final EpochNanoClock epochClock,
            final EventLog events,
            final OrderedLogs orderedLogs) {
        this.settings = settings;
        this.counters = counters;
        clocks = new JournalOpening.Clocks(nanoClock, epochClock);
        this.events = events;
        wakers = new EngineWakers(
                settings.shards().count(), settings.shards().state().queryAgentCount());
        for (int i = 0; i < settings.shards().state().queryAgentCount(); i++) {
            queryAgents.add(new QueryAgent(i, settings.ioAgentCount(), i == 0 ? this::prepareMemory : () -> false));
        }
        reclaims = new Reclaim[settings.shards().count()];
        boolean isMade = false;
        try {
            for (int shard = 0; shard < reclaims.length; shard++) {
                sequencers.add(newSequencer(shard, orderedLogs));
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
                clocks.nano(),
                counters.newCounter("replayer", "cursors"),
                counters.newCounter("replayer", "bytesRead"));
        files = fileAgents();
        journals = new JournalOpening(
                settings,
                sequencers,
                reclaims,
                files,
                new JournalOpening.Wakeups(this::wakeSequencer, wakers.keeper(), wakers.journaler()),
                clocks,
                counters,
                events);
        declared = new DeclaredTopics(sequencers, journals.recovered());
    }

    private Engine.FileAgents fileAgents() {
        final LogPages pages = new LogPages(settings.shards().journal().replayPageCount());
        return new Engine.FileAgents(
                new Journaler(clocks.nano(), wakers.journaler(), this::onDurable),
                new Keeper(clocks.nano()),
                new FileReplayer(
                        sequencers.toArray(new Sequencer[0]),
                        pages,
                        clocks.nano(),
                        this::recall,
                        counters.newCounter("file-replayer", "fileCursors"),
                        counters.newCounter("file-replayer", "fileBytesRead"),
                        counters.newCounter("file-replayer", "pagesRecalled")),
                pages,
                new Historian(
                        settings.shards().state().historyLengthMax(),
                        settings.shards().count(),
                        counters.newCounter("historian", "histories")));
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
     * @param admission    that every command passes.
     * @param errorHandler for what agents throw; it counts them.
     * @return the engine, not started; this builder closes it.
     */
    public Engine build(final Admission admission, final ErrorHandler errorHandler) {
        final ClientDirectory directory = new ClientDirectory();
        if (settings.dedicated()) {
            for (int shard = 0; shard < sequencers.size(); shard++) {
                if (!sequencers.get(shard).isReplicated()) {
                    sequencers
                            .get(shard)
                            .order(new InboxLog(newInbox(shard), clocks.epoch(), wakers.sequencers()[shard]));
                }
            }
        }
        for (int index = 0; index < settings.ioAgentCount(); index++) {
            ioAgents.add(newIoAgent(index, admission, directory));
        }
        if (sinkAgent != null) {
            sinkAgent.errorHandler(errorHandler);
        }
        files.replayer().errorHandler(errorHandler);
        files.historian().errorHandler(errorHandler);
        final ColumnKeepers columns = new ColumnKeepers(sequencers, queryAgents, clocks.nano());
        columns.open(admission.rules(), events, this::wakeSequencer, wakers);
        final Engine built = new Engine(
                ioAgents,
                sequencers,
                columns,
                replayer,
                files,
                sinkAgent,
                wakers,
                new EngineThreads(errorHandler, new Idles(clocks.nano(), events, counters)));
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
        for (final IoAgent ioAgent : ioAgents.all()) {
            CloseHelper.quietClose(ioAgent::onClose);
        }
        final SinkAgent sinks = sinkAgent;
        if (sinks != null) {
            CloseHelper.quietClose(sinks::onClose);
            sinks.free();
        }
        files.keeper().onClose();
        files.journaler().abandon();
        journals.close();
        sequencers.forEach(sequencer -> sequencer.shard().free());
        files.pages().free();
        files.historian().free();
    }

    /**
     * Opens the shards' logs. Called before topics are declared.
     *
     * @return what does it, and knows what it has found.
     */
    public JournalOpening journals() {
        return journals;
    }

    /**
     * Creates topics and views before the engine starts.
     *
     * @return what does it.
     */
    public DeclaredTopics declared() {
        return declared;
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
                clocks.nano(),
                wakers.sinks(),
                reply -> ioAgents.offer(reply.sessionId(), reply),
                counters,
                events);
        sinks.forEach(agent::add);
        sinkAgent = agent;
    }

    private Sequencer newSequencer(final int shard, final OrderedLogs orderedLogs) {
        // Readers of the window: every I/O agent, the replayer, and the journaler.
        final boolean journaled = shard < settings.shards().journaledCount();
        final ShardCounters own = new ShardCounters(counters, shard, settings.ioAgentCount() + (journaled ? 2 : 1));
        reclaims[shard] = new Reclaim(
                settings.dedicated() ? this::wakeReaders : wakers.journaler(), own.demanded(), own.released());
        final ReplyListener replies = new ShardReplies(ioAgents.all(), this::onAttached);
        final Shard made = new Shard(
                shard,
                clocks.epoch(),
                new LogAppender(new LogWindow(settings.shards().window()), reclaims[shard], own.published()),
                own,
                new TopicTable(settings.shards().topicCountMax()),
                new PublisherTable(settings.shards().publisherCountMax()),
                settings.shards().state(),
                replies::onRefused);
        final Sequencer sequencer = new Sequencer(made, clocks.epoch(), replies);
        final OrderedLog replicated = orderedLogs.newLog(new OrderContext(
                sequencer,
                journaled,
                () -> newProcessed(shard),
                settings.sessions().get(0).quotas().createdTopics(),
                clocks.nano(),
                clocks.epoch(),
                index -> ioAgents.get(index).wakeup(),
                () -> wakeSequencer(shard)));
        if (replicated != null) {
            sequencer.replicatedOrder(replicated);
        }
        return sequencer;
    }

    private AtomicCounter[] newProcessed(final int shard) {
        final AtomicCounter[] processed = new AtomicCounter[settings.ioAgentCount()];
        for (int i = 0; i < processed.length; i++) {
            processed[i] = counters.newCounter("shard-" + shard, "processed-" + i);
        }
        return processed;
    }

    private Inbox newInbox(final int shard) {
        return new Inbox(
                settings.shards().inboxLength(),
                newProcessed(shard),
                index -> ioAgents.get(index).wakeup());
    }

    private IoAgent newIoAgent(final int index, final Admission admission, final ClientDirectory directory) {
        final String owner = "io-" + index;
        final SessionSettings sessionSettings = settings.sessions().get(index);
        final SessionCounters sessionCounters = new SessionCounters(counters, owner);
        final List<ShardPort> ports = new ArrayList<>();
        for (final Sequencer sequencer : sequencers) {
            ports.add(sequencer.newPort(index, sessionCounters.payloadBytesCopied()));
        }
        // Each session waits for one reply of each shard at most and one to its logon, and may lose its name; twice
        // that
        // for those closed.
        final int noticeCountMax =
                (int) Math.min(1 << 20, 2L * sessionSettings.limits().sessionCountMax() * (ports.size() + 2));
        final IoAgent ioAgent = new IoAgent(
                index, clocks.nano(), reclaims, ports, noticeCountMax, new IoCounters(counters, owner), events);
        final ReadyBits ready = new ReadyBits(
                sessionSettings.limits().sessionCountMax(), settings.dedicated() ? ioAgent::wakeup : () -> {});
        ioAgent.sessions(new Sessions(
                sessionSettings,
                new AgentPorts(
                        ports,
                        new Cursors(replayer, files.replayer(), files.pages(), wakers),
                        new QueryDispatch(queryAgents, files.historian(), wakers, ioAgent::wakeup),
                        sinkAgent == null ? SinkPort.NONE : sinkAgent),
                clocks.nano(),
                admission,
                new ReadyMarks(ready, new ReadyBits(sessionSettings.limits().sessionCountMax(), ioAgent::wakeup)),
                directory,
                ioAgents::offer,
                new Reports(
                        counters,
                        sessionCounters,
                        new SessionLatencies(counters, owner, clocks.nano(), clocks.epoch()),
                        events)));
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
            ioAgents.wake();
        }
    }

    private void wakeReaders() {
        wakers.replayer().run();
        wakers.journaler().run();
        ioAgents.wake();
    }

    private void onAttached(final long feed, final long position) {
        replayer.onAttached(feed, position);
        wakers.replayer().run();
    }

    private void onDurable() {
        wakers.replayer().run();
        ioAgents.wake();
    }

    private boolean recall(final long sessionId) {
        return ioAgents.offer(sessionId, new SessionNotice.Recall(sessionId));
    }
}
