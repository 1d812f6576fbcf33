package io.penstock.broker.session.send;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckEncoder;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.AuthChallengeEncoder;
import io.penstock.protocol.codec.BlockGrantedEncoder;
import io.penstock.protocol.codec.BlockStoredEncoder;
import io.penstock.protocol.codec.ErrorEncoder;
import io.penstock.protocol.codec.ExplanationEncoder;
import io.penstock.protocol.codec.GroupBeginEncoder;
import io.penstock.protocol.codec.GroupEndEncoder;
import io.penstock.protocol.codec.HeartbeatEncoder;
import io.penstock.protocol.codec.LogonAckEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.QueryProgressEncoder;
import io.penstock.protocol.codec.ReplayBeginEncoder;
import io.penstock.protocol.codec.SinkOpenedEncoder;
import io.penstock.protocol.codec.StatEntryEncoder;
import io.penstock.protocol.codec.TopicEntryEncoder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Encodes the broker's answers and puts them into a client's outbox. Confined to one I/O agent. */
public final class Answers {
    /** The longest part of an explanation, in bytes. */
    public static final int EXPLANATION_LENGTH_MAX = 1024;

    private static final int TEXT_LENGTH_MAX = 1024;
    private static final byte[] NOTHING = {};
    /** Names of errors by the number of the code. */
    private static final byte[][] ERROR_NAMES = new byte[1 << Byte.SIZE][];

    static {
        for (final ErrorCode code : ErrorCode.values()) {
            ERROR_NAMES[code.code()] = code.name().getBytes(UTF_8);
        }
    }

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Outbox.ANSWER_LENGTH_MAX]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final LogonAckEncoder logonAck = new LogonAckEncoder();
    private final AckEncoder ack = new AckEncoder();
    private final ErrorEncoder error = new ErrorEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private final TopicEntryEncoder topicEntry = new TopicEntryEncoder();
    private final StatEntryEncoder statEntry = new StatEntryEncoder();
    private final GroupBeginEncoder groupBegin = new GroupBeginEncoder();
    private final GroupEndEncoder groupEnd = new GroupEndEncoder();
    private final ReplayBeginEncoder replayBegin = new ReplayBeginEncoder();
    private final QueryProgressEncoder progress = new QueryProgressEncoder();
    private final SinkOpenedEncoder sinkOpened = new SinkOpenedEncoder();
    private final BlockGrantedEncoder blockGranted = new BlockGrantedEncoder();
    private final BlockStoredEncoder blockStored = new BlockStoredEncoder();

    /** A client has logged on. */
    public void logonAck(
            final Outbox outbox,
            final long commandId,
            final long sessionId,
            final long publisherSequence,
            final int heartbeatIntervalMs,
            final int messageLengthMax,
            final int shardCount,
            final String broker,
            final byte[] token) {
        logonAck.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .sessionId(sessionId)
                .publisherSequence(publisherSequence)
                .heartbeatIntervalMs(heartbeatIntervalMs)
                .messageLengthMax(messageLengthMax)
                .shardCount(shardCount)
                .broker(broker)
                .putToken(token, 0, token.length);
        outbox.send(buffer, 0, logonAck.limit());
    }

    /** A client that logs on has to prove more, or to choose one of some mechanisms. */
    public void authChallenge(final Outbox outbox, final long commandId, final String mechanisms, final byte[] token) {
        final AuthChallengeEncoder authChallenge = new AuthChallengeEncoder();
        authChallenge
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .mechanisms(mechanisms)
                .putToken(token, 0, token.length);
        outbox.send(buffer, 0, authChallenge.limit());
    }

    /** A command has come as far as the type says; what a kind of command has no figure for is 0. */
    public void ack(final Outbox outbox, final long commandId, final long publisherSequence, final AckType type) {
        ack(commandId, publisherSequence, type, 0, 0, 0);
        outbox.send(buffer, 0, ack.limit());
    }

    /** That a command was received, and that it was processed; each if it asks for that. */
    public void acks(final Outbox outbox, final long commandId, final int ackTypes) {
        if ((ackTypes & 1 << AckType.RECEIVED.value()) != 0) {
            ack(outbox, commandId, 0, AckType.RECEIVED);
        }
        if ((ackTypes & 1 << AckType.PROCESSED.value()) != 0) {
            ack(outbox, commandId, 0, AckType.PROCESSED);
        }
    }

    /** Acknowledges some publishes by the newest of them, with its sequence in its shard, or 0. */
    void publishAck(
            final Outbox outbox,
            final long commandId,
            final long publisherSequence,
            final AckType type,
            final boolean isDuplicate,
            final int shard,
            final long sequence) {
        ack(commandId, publisherSequence, type, 0, 0, 0)
                .duplicate((short) (isDuplicate ? 1 : 0))
                .shard(shard)
                .sequence(sequence);
        outbox.send(buffer, 0, ack.limit());
    }

    /** A command has come as far as the type says; what a kind of command has no figure for is 0. */
    public void ack(
            final Outbox outbox,
            final long commandId,
            final AckType type,
            final long topicMatches,
            final long matches,
            final long returned) {
        ack(commandId, 0, type, topicMatches, matches, returned);
        outbox.send(buffer, 0, ack.limit());
    }

    private AckEncoder ack(
            final long commandId,
            final long publisherSequence,
            final AckType type,
            final long topicMatches,
            final long matches,
            final long returned) {
        return ack.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .publisherSequence(publisherSequence)
                .topicMatches(topicMatches)
                .matches(matches)
                .returned(returned)
                .ackType(type)
                .duplicate((short) 0)
                .shard(0)
                .sequence(0);
    }

    /** The records of a topic that a query has found begin. */
    public void groupBegin(
            final Outbox outbox,
            final long commandId,
            final long queryId,
            final long sequence,
            final int shard,
            final int topicId) {
        groupBegin
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .queryId(queryId)
                .sequence(sequence)
                .shard(shard)
                .topicId(topicId);
        outbox.send(buffer, 0, groupBegin.limit());
    }

    /** A feed that begins in the log begins with a record. */
    public void replayBegin(
            final Outbox outbox,
            final long commandId,
            final long subscriptionId,
            final long sequence,
            final int shard,
            final long endSequence) {
        replayBegin
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .subscriptionId(subscriptionId)
                .sequence(sequence)
                .shard(shard)
                .endSequence(endSequence);
        outbox.send(buffer, 0, replayBegin.limit());
    }

    /** How far a query is. */
    public void queryProgress(
            final Outbox outbox,
            final long commandId,
            final long queryId,
            final long rows,
            final long scanned,
            final long matches) {
        progress.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .queryId(queryId)
                .rows(rows)
                .scanned(scanned)
                .matches(matches);
        outbox.send(buffer, 0, progress.limit());
    }

    /** A part of what says how a query was answered, no longer than {@link #EXPLANATION_LENGTH_MAX}. */
    public void explanation(
            final Outbox outbox,
            final long commandId,
            final long queryId,
            final byte[] text,
            final int offset,
            final int length) {
        final ExplanationEncoder explanation = new ExplanationEncoder();
        explanation
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .queryId(queryId)
                .putText(text, offset, length);
        outbox.send(buffer, 0, explanation.limit());
    }

    /** All that a query has found was sent. */
    public void groupEnd(
            final Outbox outbox,
            final long commandId,
            final long queryId,
            final long topicMatches,
            final long matches,
            final long returned) {
        groupEnd.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .queryId(queryId)
                .topicMatches(topicMatches)
                .matches(matches)
                .returned(returned);
        outbox.send(buffer, 0, groupEnd.limit());
    }

    /** A command has come as far as the type says; what a kind of command has no figure for is 0. */
    public void ack(
            final Outbox outbox,
            final long commandId,
            final long publisherSequence,
            final AckType type,
            final long returned) {
        ack(commandId, publisherSequence, type, 0, 0, returned);
        outbox.send(buffer, 0, ack.limit());
    }

    /** A command was refused, or a session ends. */
    public void error(
            final Outbox outbox,
            final long commandId,
            final long subscriptionId,
            final long publisherSequence,
            final ErrorCode code,
            final boolean fatal,
            final String text) {
        error(outbox, commandId, subscriptionId, publisherSequence, code, fatal, text(text));
    }

    /** The same, with a text in UTF-8 that was cut off where it is too long. */
    public void error(
            final Outbox outbox,
            final long commandId,
            final long subscriptionId,
            final long publisherSequence,
            final ErrorCode code,
            final boolean fatal,
            final byte[] text) {
        final byte[] name = ERROR_NAMES[code.code()];
        error.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .subscriptionId(subscriptionId)
                .publisherSequence(publisherSequence)
                .code(code.code())
                .fatal((short) (fatal ? 1 : 0))
                .putName(name, 0, name.length)
                .putText(text, 0, text.length);
        outbox.send(buffer, 0, error.limit());
    }

    /** A writer may deliver to a sink. */
    public void sinkOpened(
            final Outbox outbox,
            final long commandId,
            final int writerId,
            final long blockId,
            final int blockLengthMax,
            final boolean pulls) {
        sinkOpened
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .writerId(writerId)
                .blockId(blockId)
                .blockLengthMax(blockLengthMax)
                .pulls((short) (pulls ? 1 : 0));
        outbox.send(buffer, 0, sinkOpened.limit());
    }

    /** A block that was offered may be sent. */
    public void blockGranted(final Outbox outbox, final int writerId, final long blockId) {
        blockGranted.wrapAndApplyHeader(buffer, 0, header).writerId(writerId).blockId(blockId);
        outbox.send(buffer, 0, blockGranted.limit());
    }

    /** A block was stored, or was there. */
    public void blockStored(
            final Outbox outbox,
            final long commandId,
            final int writerId,
            final long blockId,
            final long number,
            final long offset) {
        blockStored
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .writerId(writerId)
                .blockId(blockId)
                .number(number)
                .fileOffset(offset);
        outbox.send(buffer, 0, blockStored.limit());
    }

    /** The broker is there. */
    public void heartbeat(final Outbox outbox) {
        heartbeat.wrapAndApplyHeader(buffer, 0, header);
        outbox.send(buffer, 0, heartbeat.limit());
    }

    /** A topic: its name for its number, or an entry of a list. */
    public void topicEntry(final Outbox outbox, final long commandId, final long messages, final Topic topic) {
        topicEntry
                .wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .messages(messages)
                .shard(topic.shard())
                .topicId(topic.id());
        final byte[] bytes = text(topic.name());
        final byte[] key = keyText(topic.state());
        topicEntry.putName(bytes, 0, bytes.length).format(topic.format().name()).putKey(key, 0, key.length);
        outbox.send(buffer, 0, topicEntry.limit());
    }

    /** A counter, as an entry of a list. */
    public void statEntry(final Outbox outbox, final long commandId, final long value, final String name) {
        statEntry.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).value(value);
        final byte[] bytes = text(name);
        statEntry.putName(bytes, 0, bytes.length);
        outbox.send(buffer, 0, statEntry.limit());
    }

    /** The key of a topic; empty without state, and where it is too long to be sent. */
    private static byte[] keyText(final @Nullable StateRule state) {
        final byte[] bytes = state == null ? NOTHING : state.keyText().getBytes(UTF_8);
        return bytes.length <= TEXT_LENGTH_MAX ? bytes : NOTHING;
    }

    /** A text as it is sent, cut off where it is too long. */
    static byte[] text(final String text) {
        final byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length <= TEXT_LENGTH_MAX) {
            return bytes;
        }
        int length = TEXT_LENGTH_MAX;
        while ((bytes[length] & 0xC0) == 0x80) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }
}
