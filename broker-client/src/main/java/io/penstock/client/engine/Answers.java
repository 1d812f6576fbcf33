package io.penstock.client.engine;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishErrorHandler;
import io.penstock.client.RecordKind;
import io.penstock.client.SessionListener;
import io.penstock.client.SowProgress;
import io.penstock.client.Stat;
import io.penstock.client.TopicInfo;
import io.penstock.client.TopicKeys;
import io.penstock.client.sink.SinkWriters;
import io.penstock.client.warning.ClientLog;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what a session receives: messages to subscriptions and queries, answers to the commands that wait for them.
 * Owned by the agent.
 */
final class Answers implements SessionListener {
    private final ClientAgent agent;
    private final PublishErrorHandler publishErrorHandler;
    private final Subscriptions subscriptions;
    private final Queries queries;
    private final SinkWriters sinks;
    private final InFlight inFlight;
    private final HandOver handOver;
    private final TopicKeys keys = new TopicKeys();
    private final MessageView view = new MessageView(keys);

    /** Known once the session is made. */
    private @Nullable StoredPublishes stored;

    private boolean isClosing;

    // Shard and sequence of the acknowledgement that is handed over next.
    private int appliedShard;
    private long appliedSequence;

    Answers(
            final ClientAgent agent,
            final PublishErrorHandler publishErrorHandler,
            final Subscriptions subscriptions,
            final Queries queries,
            final SinkWriters sinks,
            final InFlight inFlight,
            final HandOver handOver) {
        this.agent = agent;
        this.publishErrorHandler = publishErrorHandler;
        this.subscriptions = subscriptions;
        this.queries = queries;
        this.sinks = sinks;
        this.inFlight = inFlight;
        this.handOver = handOver;
    }

    /** Before the first connection: messages of a store are answered, too. */
    void stored(final StoredPublishes publishes) {
        stored = publishes;
    }

    /** From here on no message is handed over. */
    void onClosing() {
        isClosing = true;
    }

    @Override
    public void onLogon() {
        agent.onLogon();
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        agent.onDisconnect(reason, errorCode);
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        return onRecord(
                RecordKind.MESSAGE, subscriptionId, topic, shard, sequence, timestampNs, buffer, offset, length, 0);
    }

    @Override
    public void onTopicDescribed(final String topic, final String format, final String key) {
        keys.put(topic, format, key);
    }

    @Override
    public boolean onRecord(
            final RecordKind kind,
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        if (isClosing) {
            return true;
        }
        final int record = offset - RecordDescriptor.HEADER_LENGTH;
        view.wrap(
                kind,
                topic,
                shard,
                sequence,
                timestampNs,
                buffer,
                offset,
                length,
                RecordDescriptor.headersLength(buffer, record),
                keyLength,
                RecordDescriptor.trailerLength(buffer, record));
        final ActiveSubscription subscription = subscriptions.find(subscriptionId);
        if (subscription == null) {
            final Query query = queries.find(subscriptionId);
            return query == null || query.onMessage(view);
        }
        try {
            return !subscription.isActive() || handOver.offer(subscription, view);
        } catch (final RuntimeException e) {
            subscriptions.dropForHandler(subscription, e);
            return true;
        }
    }

    @Override
    public void onDelivered(final long subscriptionId, final int length) {
        subscriptions.onReceived(subscriptionId, length);
    }

    @Override
    public void onReplayBegin(
            final long commandId,
            final long subscriptionId,
            final int shard,
            final long sequence,
            final long endSequence) {
        final ActiveSubscription subscription = subscriptions.find(subscriptionId);
        final Replay replay = subscription == null ? null : subscription.replay();
        if (subscription != null && replay != null) {
            try {
                replay.onBegin(shard, sequence, endSequence);
            } catch (final RuntimeException e) {
                subscriptions.dropForHandler(subscription, e);
            }
        }
    }

    @Override
    public void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
        final Query query = queries.find(queryId);
        final ActiveSubscription subscription = subscriptions.find(queryId);
        if (query != null) {
            query.onGroupBegin(topic, shard, sequence);
        } else if (subscription != null && subscription.isActive()) {
            try {
                subscription.sink().onGroupBegin(topic, shard, sequence);
            } catch (final RuntimeException e) {
                subscriptions.dropForHandler(subscription, e);
            }
        }
    }

    @Override
    public void onGroupEnd(
            final long commandId,
            final long queryId,
            final long topicMatches,
            final long matches,
            final long returned) {
        final Query query = queries.find(queryId);
        final ActiveSubscription subscription = subscriptions.find(queryId);
        if (query != null) {
            query.onGroupEnd(topicMatches, matches, returned);
        } else if (subscription != null && subscription.isActive()) {
            try {
                subscription.sink().onGroupEnd(topicMatches, matches, returned);
            } catch (final RuntimeException e) {
                subscriptions.dropForHandler(subscription, e);
            }
        }
    }

    @Override
    public void onProgress(final long commandId, final long queryId, final SowProgress progress) {
        final Query query = queries.find(queryId);
        if (query != null) {
            query.onProgress(progress);
        }
    }

    @Override
    public void onExplanation(final long commandId, final long queryId, final String text) {
        final Query query = queries.find(queryId);
        if (query != null) {
            query.onExplanation(text);
        }
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long sequence, final long returned) {
        if (type == AckType.STATS) {
            final Request<?> request = inFlight.request(commandId);
            if (request != null) {
                request.onReturned(returned);
            }
        }
        // The second acknowledgement of a subscribe says nothing of the publishes before it.
        if (type == AckType.COMPLETED && subscriptions.onCompleted(commandId)) {
            return;
        }
        onAck(type, commandId, false);
    }

    @Override
    public void onApplied(final int shard, final long sequence) {
        appliedShard = shard;
        appliedSequence = sequence;
    }

    @Override
    public void onDuplicates(final AckType type, final long commandId, final long sequence) {
        onAck(type, commandId, true);
    }

    private void onAck(final AckType type, final long commandId, final boolean isDuplicate) {
        inFlight.onAck(type, commandId, isDuplicate, appliedShard, appliedSequence);
        if (stored != null) {
            stored.onAck(type, commandId, isDuplicate, appliedShard, appliedSequence);
        }
    }

    @Override
    public void onError(final BrokerError error) {
        if (stored != null && stored.onError(error)) {
            return;
        }
        final PenstockException reason = error.toException();
        if (error.commandId() != 0 && sinks.onError(error.commandId(), reason)) {
            return;
        }
        if (error.commandId() != 0) {
            final boolean isAwaited = error.errorCode() == ErrorCode.JOURNAL_FAILED
                    ? inFlight.onJournalFailed(error.commandId(), reason)
                    : inFlight.onError(error.commandId(), reason);
            if (!isAwaited) {
                onPublishError(reason);
            }
            return;
        }
        final ActiveSubscription subscription = subscriptions.find(error.subscriptionId());
        if (subscription != null) {
            subscriptions.end(subscription, reason);
        } else if (error.subscriptionId() == 0) {
            ClientLog.warn(agent.server() + ": " + error.name() + ": " + error.text());
        }
    }

    /** A publish is refused that nobody waits for. */
    void onPublishError(final PenstockException reason) {
        try {
            publishErrorHandler.onPublishError(reason);
        } catch (final RuntimeException e) {
            ClientLog.onHandlerFailure(publishErrorHandler, e);
        }
    }

    @Override
    public void onSinkOpened(final int writerId, final long blockId, final int blockLengthMax, final boolean pulls) {
        sinks.onOpened(writerId, blockId, pulls);
    }

    @Override
    public void onBlockGranted(final int writerId, final long blockId) {
        sinks.onGranted(writerId, blockId);
    }

    @Override
    public void onBlockStored(final long commandId, final int writerId, final long number, final long offset) {
        sinks.onStored(commandId, writerId, number, offset);
    }

    @Override
    public void onStat(final long commandId, final Stat stat) {
        final Request<?> request = inFlight.request(commandId);
        if (request != null) {
            request.onStat(stat);
        }
    }

    @Override
    public void onTopic(final long commandId, final TopicInfo topic) {
        final Request<?> request = inFlight.request(commandId);
        if (request != null) {
            request.onTopic(topic);
        }
    }
}
