package io.penstock.broker;

import io.penstock.broker.agent.EngineBuilder;
import io.penstock.broker.journal.JournalAdmission;
import io.penstock.broker.journal.JournalManifest;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.sink.SinkFile;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicRules;
import io.penstock.file.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/** The directories and files of a configuration, opened for an engine. */
final class ConfiguredFiles {
    private ConfiguredFiles() {}

    /** Opens a directory, and keeps other brokers out of it. */
    static Storage open(
            final String key, final BrokerConfig config, final String directory, final List<Closeable> locks) {
        try {
            final Storage storage = config.storage().open(directory);
            locks.add(storage.lock());
            return storage;
        } catch (final IOException e) {
            final String text = FileErrors.textOf(e);
            throw new UncheckedIOException(key + ": " + (text.startsWith(directory) ? "" : directory + ": ") + text, e);
        }
    }

    /** Makes the shards what their logs say they were. */
    static void openJournals(
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
            builder.journals()
                    .open(
                            manifest,
                            storages,
                            archive == null ? null : archives,
                            ThreadCounts.recovery(config),
                            listener);
        } catch (final IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        for (final Topic topic : builder.journals().recovered()) {
            final int shard = rules.shard(topic.name());
            if (shard != topic.shard()) {
                throw new IllegalArgumentException("topics: " + topic.name() + " is in the log of shard "
                        + topic.shard() + " and would go to shard " + shard
                        + " now (use the shardCount, the shards and the journaled topics that the log was made with)");
            }
        }
    }

    /** Opens the files of sinks. */
    static void openSinks(final BrokerConfig config, final EngineBuilder builder, final Storage storage) {
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
}
