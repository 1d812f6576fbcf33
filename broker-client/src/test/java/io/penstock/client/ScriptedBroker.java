package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameCheck;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.AckEncoder;
import io.penstock.protocol.codec.BlockStoredEncoder;
import io.penstock.protocol.codec.CloseSinkDecoder;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.DeliverEncoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.ErrorEncoder;
import io.penstock.protocol.codec.ExplanationEncoder;
import io.penstock.protocol.codec.FlushDecoder;
import io.penstock.protocol.codec.GroupBeginEncoder;
import io.penstock.protocol.codec.GroupEndEncoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.HeartbeatEncoder;
import io.penstock.protocol.codec.LogonAckEncoder;
import io.penstock.protocol.codec.LogonDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.OfferBlockDecoder;
import io.penstock.protocol.codec.OpenSinkDecoder;
import io.penstock.protocol.codec.PaceDecoder;
import io.penstock.protocol.codec.PublishDecoder;
import io.penstock.protocol.codec.PublishStateDecoder;
import io.penstock.protocol.codec.QueryProgressEncoder;
import io.penstock.protocol.codec.ReplayBeginEncoder;
import io.penstock.protocol.codec.SinkOpenedEncoder;
import io.penstock.protocol.codec.SowDecoder;
import io.penstock.protocol.codec.SowDeleteDecoder;
import io.penstock.protocol.codec.StatDecoder;
import io.penstock.protocol.codec.StatEntryEncoder;
import io.penstock.protocol.codec.SubscribeDecoder;
import io.penstock.protocol.codec.SubscribeFromDecoder;
import io.penstock.protocol.codec.TopicEntryEncoder;
import io.penstock.protocol.codec.TopicsDecoder;
import io.penstock.protocol.codec.UnsubscribeDecoder;
import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The other side of a client: it notes what comes as text and says only what a test makes it say. Driven by the thread
 * that made it.
 */
final class ScriptedBroker implements TransportHandler, AutoCloseable {
    private static final long SEND_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);
    private static final int FRAME_LIMIT = 64;

    private final Transport transport;
    private final URI endpoint;
    private final List<String> commands = new ArrayList<>();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer received = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private @Nullable Connection connection;
    private @Nullable String disconnectReason;
    private boolean isRefusing;
    private int heartbeatIntervalMs = 1_000;
    private int messageLengthMax = 32 * 1024 * 1024;

    ScriptedBroker(final String endpoint) {
        try {
            transport = Transports.providerFor(URI.create(endpoint))
                    .open(new TransportContext(
                            this,
                            64 * 1024 * 1024,
                            1_000_000_000L,
                            16,
                            new TransportCounters(),
                            this::wakeup,
                            error -> {
                                throw new AssertionError(error);
                            }));
            this.endpoint = transport.listen(URI.create(endpoint));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void wakeup() {
        transport.wakeup();
    }

    String endpoint() {
        return endpoint.toString();
    }

    int poll() {
        return transport.poll(FRAME_LIMIT);
    }

    void await(final long timeoutNs) {
        transport.await(timeoutNs);
    }

    /** What came since the last call. */
    List<String> commands() {
        final List<String> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    @Nullable
    String disconnectReason() {
        return disconnectReason;
    }

    void isRefusing(final boolean value) {
        isRefusing = value;
    }

    ScriptedBroker heartbeatIntervalMs(final int value) {
        heartbeatIntervalMs = value;
        return this;
    }

    ScriptedBroker messageLengthMax(final int value) {
        messageLengthMax = value;
        return this;
    }

    void disconnect() {
        connection().close();
        connection = null;
    }

    @Override
    public void close() {
        transport.close();
    }

    private Connection connection() {
        if (connection == null) {
            throw new AssertionError("nobody is connected");
        }
        return connection;
    }

    @Override
    public void onConnect(final Connection newConnection) {
        connection = newConnection;
        disconnectReason = null;
    }

    @Override
    public void onDisconnect(final Connection lost, final String reason) {
        disconnectReason = reason;
    }

    @Override
    public boolean onFragment(
            final Connection from,
            final DirectBuffer fragment,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (isRefusing) {
            return false;
        }
        received.putBytes(frameOffset, fragment, offset, length);
        if (frameOffset + length == frameLength) {
            final ErrorCode errorCode = FrameCheck.checkCommand(received, 0, frameLength);
            commands.add(errorCode == null ? describe() : "bad: " + errorCode);
        }
        return true;
    }

    private String describe() {
        final MessageHeaderDecoder frame = new MessageHeaderDecoder().wrap(received, 0);
        switch (frame.templateId()) {
            case LogonDecoder.TEMPLATE_ID -> {
                final LogonDecoder logon = new LogonDecoder().wrapAndApplyHeader(received, 0, frame);
                return "logon " + logon.commandId() + " " + logon.heartbeatIntervalMs() + " " + logon.clientName() + "/"
                        + logon.user() + "/" + logon.password();
            }
            case PublishDecoder.TEMPLATE_ID -> {
                final PublishDecoder publish = new PublishDecoder().wrapAndApplyHeader(received, 0, frame);
                final String fields = "publish " + publish.commandId() + " " + publish.publisherSequence() + " "
                        + publish.ackTypes().getRaw() + " " + publish.topic() + " ";
                final byte[] payload = new byte[publish.payloadLength()];
                publish.getPayload(payload, 0, payload.length);
                return fields + brief(payload);
            }
            case SubscribeDecoder.TEMPLATE_ID -> {
                final SubscribeDecoder subscribe = new SubscribeDecoder().wrapAndApplyHeader(received, 0, frame);
                return "subscribe " + subscribe.commandId() + " " + subscribe.subscriptionId() + " "
                        + (subscribe.options().replace() ? "replace " : "")
                        + (subscribe.options().sow() ? "sow " : "")
                        + (subscribe.options().topicPattern() ? "pattern " : "") + subscribe.topic() + " "
                        + subscribe.filter();
            }
            case SubscribeFromDecoder.TEMPLATE_ID -> {
                final SubscribeFromDecoder from = new SubscribeFromDecoder().wrapAndApplyHeader(received, 0, frame);
                final String text =
                        "subscribe_from " + from.commandId() + " " + from.subscriptionId() + " " + from.topic();
                final String range = text + from.filter() + " " + from.startBookmark();
                final String end = from.endBookmark();
                return range + (end.isEmpty() ? "" : " to " + from.end() + " " + end);
            }
            case PaceDecoder.TEMPLATE_ID -> {
                final PaceDecoder pace = new PaceDecoder().wrapAndApplyHeader(received, 0, frame);
                return "pace " + pace.commandId() + " " + pace.subscriptionId() + " " + pace.action() + " "
                        + pace.rate();
            }
            case PublishStateDecoder.TEMPLATE_ID -> {
                final PublishStateDecoder publish = new PublishStateDecoder().wrapAndApplyHeader(received, 0, frame);
                final String fields = "publish " + publish.commandId() + " " + publish.publisherSequence() + " "
                        + publish.ackTypes().getRaw() + (publish.options().delta() ? " delta " : " whole ")
                        + publish.expirationMs() + " " + publish.topic() + " [" + publish.key() + "] ";
                final byte[] payload = new byte[publish.payloadLength()];
                publish.getPayload(payload, 0, payload.length);
                return fields + brief(payload);
            }
            case SowDecoder.TEMPLATE_ID -> {
                final SowDecoder sow = new SowDecoder().wrapAndApplyHeader(received, 0, frame);
                return "sow " + sow.commandId() + " " + sow.queryId() + " " + sow.topic() + " " + sow.filter();
            }
            case SowDeleteDecoder.TEMPLATE_ID -> {
                final SowDeleteDecoder delete = new SowDeleteDecoder().wrapAndApplyHeader(received, 0, frame);
                return "sow_delete " + delete.commandId() + " " + delete.topic() + " [" + delete.filter() + "] "
                        + delete.keys().replace('\n', '|');
            }
            case UnsubscribeDecoder.TEMPLATE_ID -> {
                final UnsubscribeDecoder unsubscribe = new UnsubscribeDecoder().wrapAndApplyHeader(received, 0, frame);
                return "unsubscribe " + unsubscribe.commandId() + " " + unsubscribe.subscriptionId();
            }
            case FlushDecoder.TEMPLATE_ID -> {
                return "flush "
                        + new FlushDecoder()
                                .wrapAndApplyHeader(received, 0, frame)
                                .commandId();
            }
            case HeartbeatDecoder.TEMPLATE_ID -> {
                return "heartbeat";
            }
            case StatDecoder.TEMPLATE_ID -> {
                final StatDecoder stat = new StatDecoder().wrapAndApplyHeader(received, 0, frame);
                return "stat " + stat.commandId() + " " + stat.prefix();
            }
            case TopicsDecoder.TEMPLATE_ID -> {
                final TopicsDecoder topics = new TopicsDecoder().wrapAndApplyHeader(received, 0, frame);
                return "topics " + topics.commandId() + " " + topics.prefix();
            }
            case DeclareTopicDecoder.TEMPLATE_ID -> {
                final DeclareTopicDecoder declare = new DeclareTopicDecoder().wrapAndApplyHeader(received, 0, frame);
                final long expirationMs = declare.expirationMs();
                final String text = "declare " + declare.commandId() + " " + declare.topic() + " " + declare.format();
                final String key = declare.key();
                return key.isEmpty() ? text : text + " [" + key + "] " + expirationMs;
            }
            case OpenSinkDecoder.TEMPLATE_ID -> {
                final OpenSinkDecoder open = new OpenSinkDecoder().wrapAndApplyHeader(received, 0, frame);
                return "open_sink " + open.commandId() + " " + open.writerId() + " " + open.sink() + " "
                        + open.producer();
            }
            case OfferBlockDecoder.TEMPLATE_ID -> {
                final OfferBlockDecoder offer = new OfferBlockDecoder().wrapAndApplyHeader(received, 0, frame);
                return "offer_block " + offer.commandId() + " " + offer.writerId() + " " + offer.blockId() + " "
                        + offer.length();
            }
            case CloseSinkDecoder.TEMPLATE_ID -> {
                final CloseSinkDecoder close = new CloseSinkDecoder().wrapAndApplyHeader(received, 0, frame);
                return "close_sink " + close.commandId() + " " + close.writerId();
            }
            default -> throw new AssertionError("template " + frame.templateId());
        }
    }

    /** Short payloads are text; of long ones only what shows that they are whole. */
    static String brief(final byte[] payload) {
        if (payload.length <= 100) {
            return new String(payload, StandardCharsets.UTF_8);
        }
        int sum = 0;
        for (final byte each : payload) {
            sum = 31 * sum + each;
        }
        return payload.length + " bytes, sum " + sum;
    }

    void logonAck(final long commandId) {
        logonAck(commandId, 0);
    }

    void logonAck(final long commandId, final long publisherSequence) {
        final LogonAckEncoder ack = new LogonAckEncoder().wrapAndApplyHeader(buffer, 0, header);
        ack.commandId(commandId)
                .sessionId(77)
                .publisherSequence(publisherSequence)
                .heartbeatIntervalMs(heartbeatIntervalMs)
                .messageLengthMax(messageLengthMax)
                .shardCount(1)
                .broker("scripted 1.0")
                .putToken(new byte[0], 0, 0);
        send(FrameHeader.LENGTH + ack.encodedLength());
    }

    void ack(final AckType type, final long commandId, final long publisherSequence) {
        ack(type, commandId, publisherSequence, 0);
    }

    void ack(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        final AckEncoder ack = new AckEncoder().wrapAndApplyHeader(buffer, 0, header);
        ack.commandId(commandId).publisherSequence(publisherSequence).topicMatches(0);
        ack.duplicate((short) 0)
                .matches(0)
                .returned(returned)
                .ackType(io.penstock.protocol.codec.AckType.get((short) type.code()))
                .shard(0)
                .sequence(0);
        send(FrameHeader.LENGTH + ack.encodedLength());
    }

    void ack(final AckType type, final long commandId) {
        ack(type, commandId, 0);
    }

    void error(final long commandId, final long subscriptionId, final ErrorCode code, final String text) {
        error(commandId, subscriptionId, 0, code, text, false);
    }

    void refuse(final long commandId, final long publisherSequence, final ErrorCode code, final String text) {
        error(commandId, 0, publisherSequence, code, text, false);
    }

    void fatal(final ErrorCode code, final String text) {
        error(0, 0, 0, code, text, true);
    }

    private void error(
            final long commandId,
            final long subscriptionId,
            final long publisherSequence,
            final ErrorCode code,
            final String text,
            final boolean isFatal) {
        final ErrorEncoder error = new ErrorEncoder().wrapAndApplyHeader(buffer, 0, header);
        error.commandId(commandId)
                .subscriptionId(subscriptionId)
                .publisherSequence(publisherSequence)
                .code(code.code());
        error.fatal((short) (isFatal ? 1 : 0)).name(code.name()).text(text);
        send(FrameHeader.LENGTH + error.encodedLength());
    }

    void topic(final long commandId, final int topicId, final String name) {
        final TopicEntryEncoder topic = new TopicEntryEncoder().wrapAndApplyHeader(buffer, 0, header);
        topic.commandId(commandId)
                .messages(5)
                .shard(0)
                .topicId(topicId)
                .name(name)
                .format("json")
                .key("");
        send(FrameHeader.LENGTH + topic.encodedLength());
    }

    void replayBegin(final long commandId, final int shard, final long sequence, final long endSequence) {
        final ReplayBeginEncoder begin = new ReplayBeginEncoder().wrapAndApplyHeader(buffer, 0, header);
        begin.commandId(commandId)
                .subscriptionId(1)
                .sequence(sequence)
                .shard(shard)
                .endSequence(endSequence);
        send(FrameHeader.LENGTH + begin.encodedLength());
    }

    void stat(final long commandId, final String name, final long value) {
        final StatEntryEncoder stat = new StatEntryEncoder().wrapAndApplyHeader(buffer, 0, header);
        stat.commandId(commandId).value(value).name(name);
        send(FrameHeader.LENGTH + stat.encodedLength());
    }

    void groupBegin(final long queryId, final long sequence) {
        final GroupBeginEncoder begin = new GroupBeginEncoder().wrapAndApplyHeader(buffer, 0, header);
        begin.commandId(0).queryId(queryId).sequence(sequence).shard(0).topicId(7);
        send(FrameHeader.LENGTH + begin.encodedLength());
    }

    void groupEnd(final long queryId, final long topicMatches, final long matches, final long returned) {
        final GroupEndEncoder end = new GroupEndEncoder().wrapAndApplyHeader(buffer, 0, header);
        end.commandId(0)
                .queryId(queryId)
                .topicMatches(topicMatches)
                .matches(matches)
                .returned(returned);
        send(FrameHeader.LENGTH + end.encodedLength());
    }

    void progress(final long queryId, final long rows, final long scanned, final long matches) {
        final QueryProgressEncoder progress = new QueryProgressEncoder().wrapAndApplyHeader(buffer, 0, header);
        progress.commandId(0).queryId(queryId).rows(rows).scanned(scanned).matches(matches);
        send(FrameHeader.LENGTH + progress.encodedLength());
    }

    /** Says a part of how a query was answered. */
    void explanation(final long queryId, final String text) {
        final ExplanationEncoder explanation = new ExplanationEncoder().wrapAndApplyHeader(buffer, 0, header);
        explanation.commandId(0).queryId(queryId).text(text);
        send(FrameHeader.LENGTH + explanation.encodedLength());
    }

    /** Delivers one record with a key of its publisher. */
    void deliverRecord(
            final DeliveryKind kind,
            final long subscriptionId,
            final int topicId,
            final long sequence,
            final String key,
            final String payload) {
        final DeliverEncoder deliver = new DeliverEncoder().wrapAndApplyHeader(buffer, 0, header);
        final int record = deliver.subscriptionId(subscriptionId)
                .shard(0)
                .topicId(topicId)
                .kind(kind)
                .limit();
        final byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        final int end = putRecord(record, topicId, sequence, (payload + key).getBytes(StandardCharsets.UTF_8));
        if (keyBytes.length > 0) {
            buffer.putByte(record + RecordDescriptor.FLAGS_OFFSET, (byte) RecordDescriptor.FLAG_KEY);
            buffer.putShort(
                    record + RecordDescriptor.TRAILER_LENGTH_OFFSET, (short) keyBytes.length, ByteOrder.LITTLE_ENDIAN);
        }
        send(end);
    }

    void sinkOpened(final long commandId, final int writerId, final long blockId) {
        final SinkOpenedEncoder opened = new SinkOpenedEncoder().wrapAndApplyHeader(buffer, 0, header);
        opened.commandId(commandId)
                .writerId(writerId)
                .blockId(blockId)
                .blockLengthMax(1 << 26)
                .pulls((short) 0);
        send(FrameHeader.LENGTH + opened.encodedLength());
    }

    void blockStored(final long commandId, final int writerId, final long blockId, final long number) {
        final BlockStoredEncoder stored = new BlockStoredEncoder().wrapAndApplyHeader(buffer, 0, header);
        stored.commandId(commandId)
                .writerId(writerId)
                .blockId(blockId)
                .number(number)
                .fileOffset(0);
        send(FrameHeader.LENGTH + stored.encodedLength());
    }

    void heartbeat() {
        send(FrameHeader.LENGTH
                + new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header).encodedLength());
    }

    /** Delivers messages in one frame, with rising sequences. */
    void deliver(final long subscriptionId, final int topicId, final long firstSequence, final String... payloads) {
        final byte[][] bytes = new byte[payloads.length][];
        for (int i = 0; i < payloads.length; i++) {
            bytes[i] = payloads[i].getBytes(StandardCharsets.UTF_8);
        }
        deliver(subscriptionId, topicId, firstSequence, bytes);
    }

    void deliver(final long subscriptionId, final int topicId, final long firstSequence, final byte[][] payloads) {
        final DeliverEncoder deliver = new DeliverEncoder().wrapAndApplyHeader(buffer, 0, header);
        final int start = deliver.subscriptionId(subscriptionId)
                .shard(0)
                .topicId(topicId)
                .kind(DeliveryKind.PUBLISH)
                .limit();
        int record = start;
        int end = start;
        for (int i = 0; i < payloads.length; i++) {
            end = putRecord(record, topicId, firstSequence + i, payloads[i]);
            record += RecordDescriptor.alignedLength(end - record);
        }
        send(end);
    }

    private int putRecord(final int record, final int topicId, final long sequence, final byte[] payload) {
        final int length = RecordDescriptor.HEADER_LENGTH + payload.length;
        buffer.setMemory(record, RecordDescriptor.HEADER_LENGTH, (byte) 0);
        buffer.putLong(record + length, 0);
        buffer.putInt(record + RecordDescriptor.LENGTH_OFFSET, length, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(record + RecordDescriptor.TYPE_OFFSET, RecordDescriptor.TYPE_MESSAGE, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(record + RecordDescriptor.SEQUENCE_OFFSET, sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(record + RecordDescriptor.TIMESTAMP_OFFSET, 1000 + sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(record + RecordDescriptor.TOPIC_ID_OFFSET, topicId, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(record + RecordDescriptor.HEADER_LENGTH, payload);
        return record + length;
    }

    /** Sends bytes as a frame, whatever they are. */
    void raw(final byte[] frame) {
        buffer.putBytes(0, frame);
        send(frame.length);
    }

    private void send(final int frameLength) {
        int sent = 0;
        do {
            final int length = Math.min(frameLength - sent, connection().bestSendLength());
            final UnsafeBuffer part = new UnsafeBuffer(new byte[length]);
            part.putBytes(0, buffer, sent, length);
            final long position = offer(part, length, frameLength - sent - length);
            if (position == Connection.CLOSED) {
                // The client is gone, and misses nothing.
                return;
            }
            sent += length;
        } while (sent < frameLength);
    }

    /** Waits while the client does not read, which may be because it is about to close. */
    private long offer(final UnsafeBuffer part, final int length, final int remaining) {
        final long deadlineNs = System.nanoTime() + SEND_TIMEOUT_NS;
        long position;
        while ((position = connection().offer(part, 0, length, EMPTY, 0, 0, remaining)) == Connection.BACK_PRESSURED) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("the client takes nothing");
            }
            Thread.onSpinWait();
        }
        return position;
    }
}
