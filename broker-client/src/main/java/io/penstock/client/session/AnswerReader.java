package io.penstock.client.session;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import io.penstock.client.SessionListener;
import io.penstock.client.SowProgress;
import io.penstock.client.Stat;
import io.penstock.client.TopicInfo;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameCheck;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.AuthChallengeDecoder;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.ExplanationDecoder;
import io.penstock.protocol.codec.GroupBeginDecoder;
import io.penstock.protocol.codec.GroupEndDecoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.QueryProgressDecoder;
import io.penstock.protocol.codec.ReplayBeginDecoder;
import io.penstock.protocol.codec.StatEntryDecoder;
import io.penstock.protocol.codec.TopicEntryDecoder;
import io.penstock.transport.Connection;
import io.penstock.transport.TransportHandler;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Checks and reads incoming frames, and passes their content to session and listener. Owned by the session. */
final class AnswerReader implements TransportHandler, AutoCloseable {
    private final LogonAckDecoder logonAck = new LogonAckDecoder();
    private final AuthChallengeDecoder authChallenge = new AuthChallengeDecoder();
    private final ErrorDecoder error = new ErrorDecoder();
    private final TopicEntryDecoder topicEntry = new TopicEntryDecoder();
    private final StatEntryDecoder statEntry = new StatEntryDecoder();
    private final GroupBeginDecoder groupBegin = new GroupBeginDecoder();
    private final GroupEndDecoder groupEnd = new GroupEndDecoder();
    private final QueryProgressDecoder progress = new QueryProgressDecoder();
    private final SinkAnswerReader sinks;
    private final FrameMemory assembled = new FrameMemory();
    private final Session session;
    private final SessionListener listener;
    private final TopicNames topics;

    /** The kind of the present Deliver's records. */
    private RecordKind kind = RecordKind.MESSAGE;

    /** How much of the present Deliver was taken; 0 between frames. */
    private int takenLength;

    AnswerReader(final Session session, final SessionListener listener, final int topicLimit) {
        this.session = session;
        this.listener = listener;
        sinks = new SinkAnswerReader(listener);
        topics = new TopicNames(topicLimit);
    }

    /** Forgets the last connection. */
    void reset() {
        takenLength = 0;
        topics.clear();
    }

    @Override
    public void close() {
        assembled.close();
    }

    @Override
    public void onConnect(final Connection connection) {}

    @Override
    public boolean onFragment(
            final Connection connection,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (!session.onReceived(connection)) {
            return true;
        }
        if (length == frameLength) {
            return onFrame(buffer, offset, length);
        }
        return !assembled.add(buffer, offset, length, frameOffset, frameLength)
                || onFrame(assembled.buffer(), 0, frameLength);
    }

    @Override
    public void onDisconnect(final Connection connection, final String reason) {
        if (session.onReceived(connection)) {
            session.onLost(reason);
        }
    }

    private boolean onFrame(final DirectBuffer buffer, final int offset, final int length) {
        final ErrorCode errorCode = FrameCheck.checkAnswer(buffer, offset, length);
        if (errorCode != null) {
            session.disconnect(
                    "the broker sent a frame that is not of this protocol: " + errorCode + ", " + length + " bytes");
            return true;
        }
        final int templateId = FrameHeader.templateId(buffer, offset);
        final boolean isLoggedOn = session.isLoggedOn();
        if (isLoggedOn && templateId == DeliverDecoder.TEMPLATE_ID) {
            return onDeliver(buffer, offset, length);
        }
        if (isLoggedOn && templateId == AckDecoder.TEMPLATE_ID) {
            onAck(buffer, offset);
        } else if (isLoggedOn && templateId == TopicEntryDecoder.TEMPLATE_ID) {
            onTopicEntry(buffer, offset);
        } else if (isLoggedOn && templateId == StatEntryDecoder.TEMPLATE_ID) {
            onStatEntry(buffer, offset);
        } else if (isLoggedOn && templateId == GroupBeginDecoder.TEMPLATE_ID) {
            onGroupBegin(buffer, offset);
        } else if (isLoggedOn && templateId == QueryProgressDecoder.TEMPLATE_ID) {
            onProgress(buffer, offset);
        } else if (isLoggedOn && templateId == ExplanationDecoder.TEMPLATE_ID) {
            onExplanation(buffer, offset);
        } else if (isLoggedOn && templateId == GroupEndDecoder.TEMPLATE_ID) {
            groupEnd.wrap(
                    buffer,
                    offset + FrameHeader.LENGTH,
                    FrameHeader.blockLength(buffer, offset),
                    FrameHeader.version(buffer, offset));
            listener.onGroupEnd(
                    groupEnd.commandId(),
                    groupEnd.queryId(),
                    groupEnd.topicMatches(),
                    groupEnd.matches(),
                    groupEnd.returned());
        } else if (isLoggedOn && templateId == ReplayBeginDecoder.TEMPLATE_ID) {
            final int block = offset + FrameHeader.LENGTH;
            listener.onReplayBegin(
                    buffer.getLong(block + ReplayBeginDecoder.commandIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN),
                    buffer.getLong(block + ReplayBeginDecoder.subscriptionIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN),
                    buffer.getInt(block + ReplayBeginDecoder.shardEncodingOffset(), ByteOrder.LITTLE_ENDIAN),
                    buffer.getLong(block + ReplayBeginDecoder.sequenceEncodingOffset(), ByteOrder.LITTLE_ENDIAN),
                    buffer.getLong(block + ReplayBeginDecoder.endSequenceEncodingOffset(), ByteOrder.LITTLE_ENDIAN));
        } else if (isLoggedOn && sinks.onFrame(templateId, buffer, offset)) {
            return true;
        } else if (templateId == ErrorDecoder.TEMPLATE_ID) {
            onError(buffer, offset);
        } else if (!isLoggedOn && templateId == LogonAckDecoder.TEMPLATE_ID) {
            onLogonAck(buffer, offset);
        } else if (!isLoggedOn && templateId == AuthChallengeDecoder.TEMPLATE_ID) {
            onAuthChallenge(buffer, offset);
        } else if (templateId != HeartbeatDecoder.TEMPLATE_ID) {
            session.disconnect("the broker answered out of turn: template " + templateId);
        }
        return true;
    }

    private void onLogonAck(final DirectBuffer buffer, final int offset) {
        logonAck.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        session.onLogonAck(logonAck);
    }

    private void onAuthChallenge(final DirectBuffer buffer, final int offset) {
        authChallenge.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        final String mechanisms = authChallenge.mechanisms();
        final byte[] token = new byte[authChallenge.tokenLength()];
        authChallenge.getToken(token, 0, token.length);
        session.onAuthChallenge(mechanisms, token);
    }

    private void onError(final DirectBuffer buffer, final int offset) {
        error.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        session.onError(new BrokerError(
                error.commandId(),
                error.subscriptionId(),
                error.publisherSequence(),
                ErrorCode.of(error.code()),
                error.name(),
                error.text(),
                error.fatal() != 0));
    }

    private void onAck(final DirectBuffer buffer, final int offset) {
        final int block = offset + FrameHeader.LENGTH;
        final AckType type = WireCodes.ackType(buffer.getByte(block + AckDecoder.ackTypeEncodingOffset()));
        final long commandId = buffer.getLong(block + AckDecoder.commandIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        final long sequence =
                buffer.getLong(block + AckDecoder.publisherSequenceEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        if (FrameHeader.version(buffer, offset) > 1) {
            listener.onApplied(
                    buffer.getInt(block + AckDecoder.shardEncodingOffset(), ByteOrder.LITTLE_ENDIAN),
                    buffer.getLong(block + AckDecoder.sequenceEncodingOffset(), ByteOrder.LITTLE_ENDIAN));
        }
        if (buffer.getByte(block + AckDecoder.duplicateEncodingOffset()) != 0) {
            listener.onDuplicates(type, commandId, sequence);
        } else {
            listener.onAck(
                    type,
                    commandId,
                    sequence,
                    buffer.getLong(block + AckDecoder.returnedEncodingOffset(), ByteOrder.LITTLE_ENDIAN));
        }
    }

    private void onGroupBegin(final DirectBuffer buffer, final int offset) {
        groupBegin.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        final String topic = findTopic(groupBegin.shard(), groupBegin.topicId());
        if (topic != null) {
            listener.onGroupBegin(
                    groupBegin.commandId(), groupBegin.queryId(), topic, groupBegin.shard(), groupBegin.sequence());
        }
    }

    private void onProgress(final DirectBuffer buffer, final int offset) {
        progress.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        listener.onProgress(
                progress.commandId(),
                progress.queryId(),
                new SowProgress(progress.rows(), progress.scanned(), progress.matches()));
    }

    private void onExplanation(final DirectBuffer buffer, final int offset) {
        final ExplanationDecoder explanation = new ExplanationDecoder();
        explanation.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        listener.onExplanation(explanation.commandId(), explanation.queryId(), explanation.text());
    }

    /** The name of a topic that the broker has described; else the session ends. */
    private @Nullable String findTopic(final int shard, final int topicId) {
        final String topic = topics.find(shard, topicId);
        if (topic == null) {
            session.disconnect(
                    "the broker delivered from a topic that it had not described: " + topicId + " of shard " + shard);
        }
        return topic;
    }

    private void onStatEntry(final DirectBuffer buffer, final int offset) {
        statEntry.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        final long value = statEntry.value();
        listener.onStat(statEntry.commandId(), new Stat(statEntry.name(), value));
    }

    private void onTopicEntry(final DirectBuffer buffer, final int offset) {
        topicEntry.wrap(
                buffer,
                offset + FrameHeader.LENGTH,
                FrameHeader.blockLength(buffer, offset),
                FrameHeader.version(buffer, offset));
        final long commandId = topicEntry.commandId();
        final int shard = topicEntry.shard();
        final int topicId = topicEntry.topicId();
        final long messages = topicEntry.messages();
        final String name = topicEntry.name();
        final String format = topicEntry.format();
        final String key = FrameHeader.version(buffer, offset) == 1 ? "" : topicEntry.key();
        if (commandId == 0) {
            listener.onTopicDescribed(name, format, key);
        }
        if (commandId != 0) {
            listener.onTopic(commandId, new TopicInfo(name, format, shard, topicId, messages));
        } else if (!topics.put(shard, topicId, name)) {
            session.disconnect("the broker delivers from too many topics (raise client.topicLimit)");
        }
    }

    private boolean onDeliver(final DirectBuffer buffer, final int offset, final int length) {
        final int block = offset + FrameHeader.LENGTH;
        final long subscriptionId =
                buffer.getLong(block + DeliverDecoder.subscriptionIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        final int shard = buffer.getInt(block + DeliverDecoder.shardEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        final int topicId = buffer.getInt(block + DeliverDecoder.topicIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        final String topic = findTopic(shard, topicId);
        if (topic == null) {
            return true;
        }
        kind = WireCodes.recordKind(buffer.getByte(block + DeliverDecoder.kindEncodingOffset()));
        final int records = block + FrameHeader.blockLength(buffer, offset);
        final boolean isTaken = onRecords(subscriptionId, topic, shard, buffer, records, offset + length);
        session.isStalled(!isTaken);
        if (isTaken) {
            listener.onDelivered(subscriptionId, RecordDescriptor.alignedLength(offset + length - records));
        }
        return isTaken;
    }

    /** Hands over records, those that were taken before left out, and returns whether all are taken now. */
    private boolean onRecords(
            final long subscriptionId,
            final String topic,
            final int shard,
            final DirectBuffer buffer,
            final int records,
            final int limit) {
        int record = records + takenLength;
        while (record < limit) {
            final long head = RecordDescriptor.head(buffer, record);
            if (RecordDescriptor.type(head) != RecordDescriptor.TYPE_PADDING
                    && !onRecord(subscriptionId, topic, shard, buffer, record, head)) {
                takenLength = record - records;
                return false;
            }
            record += RecordDescriptor.alignedLength(RecordDescriptor.length(head));
        }
        takenLength = 0;
        return true;
    }

    private boolean onRecord(
            final long subscriptionId,
            final String topic,
            final int shard,
            final DirectBuffer buffer,
            final int record,
            final long head) {
        final long sequence = RecordDescriptor.sequence(buffer, record);
        final long timestampNs = RecordDescriptor.timestampNs(buffer, record);
        final int message = record + RecordDescriptor.HEADER_LENGTH;
        final int trailerLength = RecordDescriptor.trailerLength(head);
        final int length = RecordDescriptor.length(head) - RecordDescriptor.HEADER_LENGTH - trailerLength;
        if (kind == RecordKind.MESSAGE && trailerLength == 0) {
            return listener.onMessage(subscriptionId, topic, shard, sequence, timestampNs, buffer, message, length);
        }
        return listener.onRecord(
                kind,
                subscriptionId,
                topic,
                shard,
                sequence,
                timestampNs,
                buffer,
                message,
                length,
                RecordDescriptor.keyLength(buffer, record));
    }
}
