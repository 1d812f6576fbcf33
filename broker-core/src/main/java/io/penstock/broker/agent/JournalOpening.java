package io.penstock.broker.agent;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.journal.JournalIndexes;
import io.penstock.broker.journal.JournalManifest;
import io.penstock.broker.journal.JournalRecovery;
import io.penstock.broker.journal.JournalRetention;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.JournalSpares;
import io.penstock.broker.journal.JournalWriter;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.recovery.FileRelease;
import io.penstock.broker.shard.recovery.ImageExchange;
import io.penstock.broker.shard.recovery.JournalSource;
import io.penstock.broker.shard.recovery.PersistTimes;
import io.penstock.broker.shard.recovery.ShardJournal;
import io.penstock.broker.shard.recovery.ShardKeeper;
import io.penstock.broker.shard.recovery.ShardRecoveries;
import io.penstock.broker.shard.recovery.ShardRecovery;
import io.penstock.broker.shard.recovery.ShardSnapshots;
import io.penstock.broker.shard.recovery.SnapshotSchedule;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.topic.Topic;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** Opens the shards' logs when a broker starts. Used once, by the thread that starts it. */
public final class JournalOpening {
    private final EngineSettings settings;
    private final List<Sequencer> sequencers;
    private final Reclaim[] reclaims;
    private final Engine.FileAgents agents;
    private final Wakeups wakeups;
    private final Clocks clocks;
    private final BrokerCounters counters;
    private final EventLog events;
    private final Set<Topic> recovered = new HashSet<>();

    /** Open resources of a journal that is being opened. */
    private final Deque<Closeable> opening = new ArrayDeque<>();

    JournalOpening(
            final EngineSettings settings,
            final List<Sequencer> sequencers,
            final Reclaim[] reclaims,
            final Engine.FileAgents agents,
            final Wakeups wakeups,
            final Clocks clocks,
            final BrokerCounters counters,
            final EventLog events) {
        this.settings = settings;
        this.sequencers = sequencers;
        this.reclaims = reclaims;
        this.agents = agents;
        this.wakeups = wakeups;
        this.clocks = clocks;
        this.counters = counters;
        this.events = events;
    }

    /**
     * Whom to wake.
     *
     * @param sequencer by the number of its shard.
     * @param keeper    of the files.
     * @param journaler that writes them.
     */
    record Wakeups(IntConsumer sequencer, Runnable keeper, Runnable journaler) {}

    /**
     * Sources of the time.
     *
     * @param nano  for timers.
     * @param epoch for records.
     */
    record Clocks(NanoClock nano, EpochNanoClock epoch) {}

    /**
     * The topics that the logs have made.
     *
     * @return topics of all shards opened so far.
     */
    public Set<Topic> recovered() {
        return recovered;
    }

    /**
     * Opens the shards' logs: makes the shards what they were, and goes on from there.
     *
     * @param manifest    says which files they have to have.
     * @param storages    their directories.
     * @param archives    directories for files that are not wanted any more; null for none.
     * @param threadCount of threads that read the logs; 1 reads them on the calling thread.
     * @param listener    notified of what was found, one call at a time.
     * @throws IOException when a log is damaged, or a disk fails.
     */
    public void open(
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
                    settings.shards().journal(),
                    sequencers.get(shard).shard().replay(),
                    listener,
                    clocks.nano()));
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
        final JournalSettings journal = settings.shards().journal();
        final JournalSpares spares =
                new JournalSpares(storage, journal.fileLength(), journal.direct(), wakeups.keeper());
        opening.push(spares);
        if (log.end().file() == null) {
            spares.prepare(journal.firstLength());
        }
        final JournalWriter writer = new JournalWriter(
                log.files(), spares, journal.sync().policy() != SyncPolicy.OS, log.end(), clocks.epoch());
        opening.push(writer::free);
        recovered.addAll(List.of(sequencer.shard().topics().snapshot()));
        final ImageExchange exchange =
                new ImageExchange(() -> wakeups.sequencer().accept(shard), wakeups.keeper());
        sequencer.resume(log.files(), log.end().sequence(), writer.epoch(), wakeups.journaler(), exchange);
        final ShardCounters own = sequencer.shard().counters();
        agents.journaler()
                .add(new ShardJournal(
                        journal,
                        log.files(),
                        spares,
                        writer,
                        new JournalSource(
                                sequencer.shard().window(),
                                new LogReader(
                                        sequencer.shard().window(),
                                        sequencer.shard().published(),
                                        0),
                                reclaims[shard],
                                settings.ioAgentCount() + 1),
                        own,
                        events,
                        new PersistTimes(counters.newHistogram("shard-" + shard, "persist"), clocks.epoch())));
        opening.clear();
        agents.keeper()
                .add(new ShardKeeper(
                        log.files(),
                        recovery.known(),
                        spares,
                        new JournalIndexes(log.files()),
                        new FileRelease(
                                log.files(),
                                new JournalRetention(journal, log.files(), recovery.known(), spares, archive),
                                recovery.snapshots(),
                                own,
                                clocks.epoch(),
                                events),
                        new ShardSnapshots(
                                journal,
                                log.files(),
                                recovery.snapshots(),
                                new SnapshotSchedule(
                                        journal.snapshots(),
                                        own,
                                        recovery.snapshotSequence(),
                                        recovery.recordLength(),
                                        clocks.nano().nanoTime()),
                                exchange,
                                new ShardSnapshots.Run(writer.epoch(), clocks.epoch()),
                                own,
                                events),
                        own));
        agents.replayer().add(log.files());
        agents.historian().add(log.files(), archive, own);
    }

    /** Gives back what was opened of a journal that could not be opened whole. */
    void close() {
        while (!opening.isEmpty()) {
            CloseHelper.quietClose(opening.pop());
        }
    }
}
