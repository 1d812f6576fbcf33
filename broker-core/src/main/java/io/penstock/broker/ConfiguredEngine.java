package io.penstock.broker;

import io.penstock.broker.agent.EngineSettings;
import io.penstock.broker.agent.Idling;
import io.penstock.broker.agent.ShardSettings;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.LogPage;
import io.penstock.broker.session.client.QuotaSettings;
import io.penstock.broker.session.client.SessionLimits;
import io.penstock.broker.session.client.SessionSettings;
import io.penstock.broker.session.client.SessionTimeouts;
import io.penstock.broker.shard.log.WindowSettings;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.storage.AlignedBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;

/** The settings of an engine, as a configuration has them. */
final class ConfiguredEngine {
    private static final long FIRST_LENGTH_MIN = 1024 * 1024;

    private ConfiguredEngine() {}

    /** Those that are written to files, and as many others if some topics are in memory only. */
    static int shardCount(final BrokerConfig config) {
        final boolean both =
                config.journal().isUsed() && config.topics().stream().anyMatch(topic -> !topic.journaled());
        return both ? 2 * config.shardCount() : config.shardCount();
    }

    /** How agents wait. */
    static Idling idling(final IdleMode mode) {
        return switch (mode) {
            case BLOCKING -> Idling.BLOCKING;
            case BACK_OFF -> Idling.BACK_OFF;
            case BUSY -> Idling.BUSY;
        };
    }

    /** How many agents there are, and their bounds. */
    static EngineSettings settings(final BrokerConfig config) {
        final SessionConfig sessions = config.sessions();
        final QuotaSettings quotas = quotas(config.quotas());
        final List<SessionSettings> settings = new ArrayList<>();
        for (int i = 0; i < config.ioAgentCount(); i++) {
            settings.add(new SessionSettings(
                    i,
                    Broker.NAME,
                    new SessionLimits(
                            sessions.sessionCountMax(),
                            sessions.subscriptionCountMax(),
                            sessions.messageLengthMax(),
                            sessions.descriptorRingLength(),
                            sessions.pendingAckCountMax(),
                            sessions.stagingLengthMax()),
                    new SessionTimeouts(
                            TimeUnit.MILLISECONDS.toNanos(sessions.frameProgressMs()),
                            TimeUnit.MILLISECONDS.toNanos(sessions.heartbeatIntervalMs()),
                            TimeUnit.MILLISECONDS.toNanos(sessions.logonTimeoutMs()),
                            TimeUnit.MILLISECONDS.toNanos(config.state().queryTimeoutMs())),
                    quotas));
        }
        return new EngineSettings(
                config.threading() == ThreadingMode.DEDICATED,
                config.ioAgentCount(),
                shards(config, sessions),
                settings);
    }

    static QuotaSettings quotas(final QuotaConfig config) {
        return new QuotaSettings(
                config.publisherSequenceGapMax(),
                config.topicsPerConnectionMax(),
                config.topicsPerIdentityMax(),
                config.publishersPerIdentityMax());
    }

    static JournalSettings.Retention retention(final JournalConfig config) {
        return new JournalSettings.Retention(
                config.retentionLength(), TimeUnit.MILLISECONDS.toNanos(config.retentionMs()));
    }

    private static ShardSettings shards(final BrokerConfig config, final SessionConfig sessions) {
        return new ShardSettings(
                shardCount(config),
                config.journal().isUsed() ? config.shardCount() : 0,
                new JournalSettings(
                        config.journal().fileLength(),
                        firstLength(config),
                        config.journal().isDirect(),
                        new JournalSettings.Sync(
                                config.journal().sync(),
                                TimeUnit.MILLISECONDS.toNanos(config.journal().intervalMs()),
                                config.journal().intervalLength()),
                        retention(config.journal()),
                        new JournalSettings.Snapshots(
                                config.journal().snapshotLength(),
                                TimeUnit.MILLISECONDS.toNanos(config.journal().snapshotIntervalMs()),
                                config.journal().onSnapshotDamage() == JournalConfig.OnSnapshotDamage.REFUSE),
                        config.journal().replayLengthMax() / LogPage.LENGTH,
                        config.journal().onDamage() == JournalConfig.OnDamage.QUARANTINE),
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
                        config.state().historyLengthMax(),
                        config.state().columnLengthMax(),
                        config.state().effectiveLiveLengthMax()));
    }

    /** Enough for the longest message, as all files have to have. */
    private static long firstLength(final BrokerConfig config) {
        final long length = Math.max(FIRST_LENGTH_MIN, 2L * config.sessions().messageLengthMax());
        return Math.min(config.journal().fileLength(), BitUtil.align(length, AlignedBuffer.BLOCK_LENGTH));
    }
}
