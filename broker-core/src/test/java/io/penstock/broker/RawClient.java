package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.LogPlace.Kind;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.AckTypesEncoder;
import io.penstock.protocol.codec.AuthChallengeDecoder;
import io.penstock.protocol.codec.AuthResponseEncoder;
import io.penstock.protocol.codec.DeclareTopicEncoder;
import io.penstock.protocol.codec.DeleteTopicEncoder;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.FlushEncoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.HeartbeatEncoder;
import io.penstock.protocol.codec.IfMissing;
import io.penstock.protocol.codec.LogEnd;
import io.penstock.protocol.codec.LogStart;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PaceAction;
import io.penstock.protocol.codec.PaceEncoder;
import io.penstock.protocol.codec.PublishEncoder;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.protocol.codec.ReplayBeginDecoder;
import io.penstock.protocol.codec.ResetPublisherEncoder;
import io.penstock.protocol.codec.SowDeleteEncoder;
import io.penstock.protocol.codec.StatEncoder;
import io.penstock.protocol.codec.StatEntryDecoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.protocol.codec.SubscribeFromEncoder;
import io.penstock.protocol.codec.TopicEntryDecoder;
import io.penstock.protocol.codec.TopicsEncoder;
import io.penstock.protocol.codec.UnsubscribeEncoder;
import io.penstock.transport.Connection;
import io.penstock.transport.LentMemory;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportHandler;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client made of nothing but frames, which keeps everything that it gets. It takes deliveries only while a test lets
 * it, so that tests decide how slow it is.
 */
final class RawClient implements TransportHandler, AutoCloseable {
    static final int ACK_RECEIVED = 1;
    static final int ACK_PROCESSED = 2;
    static final int ACK_PERSISTED = 4;
    static final int ACK_COMPLETED = 8;

    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    final List<String> events = new ArrayList<>();
    final List<Delivery> deliveries = new ArrayList<>();
    final List<ErrorCode> errors = new ArrayList<>();
    final List<ErrorCode> fatalErrors = new ArrayList<>();
    final List<String> errorTexts = new ArrayList<>();
    final Map<Long, Integer> acks = new HashMap<>();
    final List<Long> duplicateAcks = new ArrayList<>();
    final Map<String, Long> stats = new HashMap<>();
    final Map<String, String> topicFormats = new HashMap<>();
    final Map<String, Integer> topicShards = new HashMap<>();
    final Map<String, Long> topicMessages = new HashMap<>();
    boolean reading = true;
    boolean disconnected;
    boolean closed;

    /** For tests: something was sent that has had no effect yet. */
    boolean waiting;

    long lastPublisherSequence = -1;
    long lastAckSequence = -1;
    long lastReturned = -1;
    int heartbeatIntervalMs;
    byte[] logonToken = {};
    private byte @Nullable [] challenge;
    String mechanisms = "";

    private final Map<Long, String> topics = new HashMap<>();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer assembly = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final Transport transport;
    private final Connection connection;
    private int lastFrameLength;

    RawClient(final URI endpoint) {
        try {
            transport = Transports.providerFor(endpoint)
                    .open(new TransportContext(
                            this,
                            TransportContext.FRAME_LENGTH_MAX_DEFAULT,
                            TransportContext.CONNECT_TIMEOUT_NS_DEFAULT,
                            16,
                            new TransportCounters(),
                            () -> {},
                            e -> {
                                throw new AssertionError(e);
                            }));
            connection = transport.connect(endpoint);
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Memory that the broker can pull from, where the medium has it. */
    LentMemory lend(final int length) {
        try {
            final LentMemory memory = connection.lendMemory(length);
            if (memory == null) {
                throw new AssertionError("lends no memory: " + connection);
            }
            return memory;
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    int poll() {
        return closed ? 0 : transport.poll(1024);
    }

    /** Goes away without a word. */
    void disconnect() {
        close();
    }

    @Override
    public void close() {
        closed = true;
        transport.close();
    }

    boolean logon(final String name) {
        return logon(name, "", 0);
    }

    boolean logon(
            final String name, final String user, final String password, final String mechanism, final byte[] token) {
        final LogonEncoder encoder = new LogonEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(1)
                .heartbeatIntervalMs(0)
                .clientName(name)
                .user(user)
                .password(password)
                .mechanism(mechanism)
                .putToken(token, 0, token.length);
        challenge = null;
        return send(encoder.limit());
    }

    boolean isChallenged() {
        return challenge != null;
    }

    byte[] challenge() {
        return Objects.requireNonNull(challenge);
    }

    boolean authResponse(final String mechanism, final byte[] token) {
        final AuthResponseEncoder encoder = new AuthResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(1)
                .mechanism(mechanism)
                .putToken(token, 0, token.length);
        challenge = null;
        return send(encoder.limit());
    }

    boolean logon(final String name, final String user, final int heartbeatIntervalMs) {
        final LogonEncoder encoder = new LogonEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(1)
                .heartbeatIntervalMs(heartbeatIntervalMs)
                .clientName(name)
                .user(user)
                .password("")
                .mechanism("")
                .putToken(new byte[0], 0, 0);
        return send(encoder.limit());
    }

    boolean publish(final long commandId, final long sequence, final int acks, final String topic, final byte[] text) {
        final PublishEncoder encoder = new PublishEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).publisherSequence(sequence);
        putAcks(encoder.ackTypes(), acks);
        encoder.topic(topic).putPayload(text, 0, text.length);
        return send(encoder.limit());
    }

    /** Publishes and asks for acknowledgements by their bits, known or not. */
    boolean publishRaw(final long commandId, final int ackTypes, final String topic, final byte[] text) {
        final PublishEncoder encoder = new PublishEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).publisherSequence(0);
        buffer.putByte(encoder.offset() + PublishEncoder.ackTypesEncodingOffset(), (byte) ackTypes);
        encoder.topic(topic).putPayload(text, 0, text.length);
        return send(encoder.limit());
    }

    boolean publish(final long commandId, final String topic, final String text) {
        return publish(commandId, 0, ACK_PROCESSED, topic, text.getBytes(UTF_8));
    }

    boolean subscribe(final long commandId, final long id, final String topic, final String filter) {
        return subscribe(commandId, id, topic, filter, false);
    }

    boolean subscribe(
            final long commandId, final long id, final String topic, final String filter, final boolean pattern) {
        return subscribe(commandId, id, topic, filter, pattern, ACK_PROCESSED);
    }

    boolean subscribe(
            final long commandId,
            final long id,
            final String topic,
            final String filter,
            final boolean pattern,
            final int acks) {
        return subscribe(commandId, id, topic, filter, pattern, false, acks);
    }

    /** Puts a subscription in the place of another one. */
    boolean replace(
            final long commandId, final long id, final String topic, final String filter, final boolean pattern) {
        return subscribe(commandId, id, topic, filter, pattern, true, ACK_PROCESSED);
    }

    private boolean subscribe(
            final long commandId,
            final long id,
            final String topic,
            final String filter,
            final boolean pattern,
            final boolean replace,
            final int acks) {
        final SubscribeEncoder encoder = new SubscribeEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .subscriptionId(id)
                .conflationMs(0)
                .topN(-1)
                .skipN(0)
                .batchSize(0);
        encoder.options().clear().topicPattern(pattern).replace(replace);
        putAcks(encoder.ackTypes(), acks);
        encoder.topic(topic).filter(filter).orderBy("").selection("").conflationKey("");
        return send(encoder.limit());
    }

    boolean subscribeFrom(final long commandId, final long id, final ReplayRequest request) {
        final SubscribeFromEncoder encoder = new SubscribeFromEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .subscriptionId(id)
                .startTimeNs(request.from().timeNs())
                .endTimeNs(request.to().timeNs())
                .rate(request.rate().rate())
                .rateMaxGapMs(request.rate().maxGapMs())
                .rateUnit(RateUnit.valueOf(request.rate().unit().name()))
                .start(LogStart.valueOf(request.from().kind().name()))
                .end(
                        request.to().kind() == Kind.NO_END
                                ? LogEnd.NONE
                                : LogEnd.valueOf(request.to().kind().name()))
                .ifMissing(IfMissing.valueOf(request.ifMissing().name()));
        encoder.options()
                .clear()
                .topicPattern(request.isPattern())
                .live(request.isLive())
                .startIncluded(request.from().isIncluded())
                .endIncluded(request.to().isIncluded())
                .credit(request.credit() > 0);
        putAcks(encoder.ackTypes(), ACK_PROCESSED | ACK_COMPLETED);
        encoder.topic(request.topic())
                .filter(request.filter())
                .startBookmark(request.from().bookmark().toString())
                .endBookmark(request.to().bookmark().toString());
        return send(encoder.limit());
    }

    boolean pace(final long commandId, final long id, final PaceAction action, final ReplayRate rate) {
        final PaceEncoder encoder = new PaceEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .subscriptionId(id)
                .rate(rate.rate())
                .rateMaxGapMs(rate.maxGapMs())
                .rateUnit(RateUnit.valueOf(rate.unit().name()))
                .action(action);
        putAcks(encoder.ackTypes(), ACK_PROCESSED);
        return send(encoder.limit());
    }

    boolean credit(final long commandId, final long id, final long length) {
        final PaceEncoder encoder = new PaceEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(commandId)
                .subscriptionId(id)
                .rate(length)
                .rateMaxGapMs(0)
                .rateUnit(RateUnit.NONE)
                .action(PaceAction.CREDIT);
        putAcks(encoder.ackTypes(), ACK_PROCESSED);
        return send(encoder.limit());
    }

    boolean unsubscribe(final long commandId, final long id) {
        final UnsubscribeEncoder encoder = new UnsubscribeEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).subscriptionId(id);
        putAcks(encoder.ackTypes(), ACK_PROCESSED);
        return send(encoder.limit());
    }

    boolean flush(final long commandId) {
        final FlushEncoder encoder = new FlushEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId);
        return send(encoder.limit());
    }

    boolean stat(final long commandId, final String prefix) {
        final StatEncoder encoder = new StatEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).prefix(prefix);
        return send(encoder.limit());
    }

    boolean topics(final long commandId, final String prefix) {
        final TopicsEncoder encoder = new TopicsEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).prefix(prefix);
        return send(encoder.limit());
    }

    /** Drops what it has noted so far, so that a long test keeps none of it. */
    void forget() {
        events.clear();
        deliveries.clear();
        acks.clear();
        topics.clear();
        topicFormats.clear();
        topicShards.clear();
        topicMessages.clear();
    }

    boolean declareTopic(final long commandId, final String topic, final String format) {
        return declareTopic(commandId, topic, format, "");
    }

    boolean declareTopic(final long commandId, final String topic, final String format, final String key) {
        return declareTopic(commandId, topic, format, key, 0);
    }

    boolean declareTopic(
            final long commandId, final String topic, final String format, final String key, final long expirationMs) {
        final DeclareTopicEncoder encoder = new DeclareTopicEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).expirationMs(expirationMs);
        putAcks(encoder.ackTypes(), ACK_PROCESSED);
        encoder.topic(topic).format(format).key(key);
        return send(encoder.limit());
    }

    boolean resetPublisher(final long commandId, final String name, final String user, final long sequence) {
        return resetPublisher(commandId, name, user, sequence, ACK_PROCESSED);
    }

    boolean resetPublisher(
            final long commandId, final String name, final String user, final long sequence, final int acks) {
        final ResetPublisherEncoder encoder = new ResetPublisherEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId).publisherSequence(sequence);
        putAcks(encoder.ackTypes(), acks);
        encoder.clientName(name).user(user);
        return send(encoder.limit());
    }

    boolean deleteTopic(final long commandId, final String topic) {
        final DeleteTopicEncoder encoder = new DeleteTopicEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId);
        putAcks(encoder.ackTypes(), ACK_PROCESSED);
        encoder.topic(topic);
        return send(encoder.limit());
    }

    boolean heartbeat() {
        final HeartbeatEncoder encoder = new HeartbeatEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header);
        return send(encoder.limit());
    }

    /** Deletes records, and asks for an acknowledgement that it is done. */
    boolean sowDelete(final long commandId, final String topic, final String filter, final String keys) {
        final SowDeleteEncoder encoder = new SowDeleteEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header).commandId(commandId);
        putAcks(encoder.ackTypes(), ACK_PROCESSED);
        encoder.topic(topic).filter(filter).keys(keys);
        return send(encoder.limit());
    }

    private static void putAcks(final AckTypesEncoder encoder, final int acks) {
        encoder.clear()
                .received((acks & 1) != 0)
                .processed((acks & 2) != 0)
                .persisted((acks & 4) != 0)
                .completed((acks & 8) != 0);
    }

    /** Sends bytes as a frame, whatever they are. */
    boolean send(final byte[] frame) {
        buffer.putBytes(0, frame);
        return send(frame.length);
    }

    /** Sends bytes as a part of a frame that has more. */
    boolean sendPart(final byte[] part, final int remaining) {
        return connection.offer(EMPTY, 0, 0, new UnsafeBuffer(part), 0, part.length, remaining) >= 0;
    }

    /** The frame that was sent last. */
    byte[] lastFrame() {
        final byte[] bytes = new byte[lastFrameLength];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    private boolean send(final int length) {
        lastFrameLength = length;
        final int unit = connection.bestSendLength();
        int sent = 0;
        do {
            final int part = Math.min(unit, length - sent);
            final long taken = connection.offer(EMPTY, 0, 0, buffer, sent, part, length - sent - part);
            if (taken < 0 && sent == 0) {
                return false;
            }
            if (taken >= 0) {
                sent += part;
            } else {
                onBackPressure.run();
            }
        } while (sent < length);
        return true;
    }

    /** Takes frames that this client does not know. */
    Consumer<DirectBuffer> onOther = frame -> {
        throw new AssertionError("template " + headerDecoder.templateId());
    };

    /** What to do while a long frame is half sent: a test lets the broker work. */
    Runnable onBackPressure = () -> {};

    @Override
    public void onConnect(final Connection connected) {}

    @Override
    public boolean onFragment(
            final Connection from,
            final DirectBuffer source,
            final int offset,
            final int length,
            final int frameOffset,
            final int frameLength) {
        if (!reading) {
            return false;
        }
        assembly.putBytes(frameOffset, source, offset, length);
        if (frameOffset + length == frameLength) {
            onFrame(new UnsafeBuffer(assembly, 0, frameLength));
        }
        return true;
    }

    @Override
    public void onDisconnect(final Connection from, final String reason) {
        disconnected = true;
        events.add("disconnected");
    }

    private void onFrame(final DirectBuffer frame) {
        headerDecoder.wrap(frame, 0);
        switch (headerDecoder.templateId()) {
            case LogonAckDecoder.TEMPLATE_ID -> {
                final LogonAckDecoder ack = new LogonAckDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                lastPublisherSequence = ack.publisherSequence();
                heartbeatIntervalMs = ack.heartbeatIntervalMs();
                ack.skipBroker();
                logonToken = new byte[ack.tokenLength()];
                ack.getToken(logonToken, 0, logonToken.length);
                events.add("logonAck");
            }
            case AuthChallengeDecoder.TEMPLATE_ID -> {
                final AuthChallengeDecoder asked =
                        new AuthChallengeDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                mechanisms = asked.mechanisms();
                final byte[] token = new byte[asked.tokenLength()];
                asked.getToken(token, 0, token.length);
                challenge = token;
            }
            case AckDecoder.TEMPLATE_ID -> {
                final AckDecoder ack = new AckDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                acks.merge(ack.commandId(), 1, Integer::sum);
                lastAckSequence = ack.publisherSequence();
                lastReturned = ack.returned();
                if (ack.duplicate() != 0) {
                    duplicateAcks.add(ack.commandId());
                }
                events.add("ack " + ack.commandId() + " " + ack.ackType());
            }
            case ErrorDecoder.TEMPLATE_ID -> {
                final ErrorDecoder error = new ErrorDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                errors.add(ErrorCode.of(error.code()));
                if (error.fatal() != 0) {
                    fatalErrors.add(ErrorCode.of(error.code()));
                }
                events.add(
                        "error " + error.commandId() + " " + error.subscriptionId() + " " + ErrorCode.of(error.code()));
                error.skipName();
                errorTexts.add(error.text());
            }
            case TopicEntryDecoder.TEMPLATE_ID -> {
                final TopicEntryDecoder entry = new TopicEntryDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                final long key = (long) entry.shard() << 32 | entry.topicId();
                final String name = entry.name();
                topics.put(key, name);
                topicShards.put(name, entry.shard());
                topicMessages.put(name, entry.messages());
                topicFormats.put(name, entry.format());
            }
            case StatEntryDecoder.TEMPLATE_ID -> {
                final StatEntryDecoder entry = new StatEntryDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                final long value = entry.value();
                stats.put(entry.name(), value);
            }
            case ReplayBeginDecoder.TEMPLATE_ID -> {
                final ReplayBeginDecoder begin = new ReplayBeginDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                final String end = begin.endSequence() < 0 ? "" : " to " + begin.endSequence();
                events.add("begin " + begin.subscriptionId() + " " + begin.shard() + ":" + begin.sequence() + end);
            }
            case DeliverDecoder.TEMPLATE_ID -> onDeliver(frame);
            case HeartbeatDecoder.TEMPLATE_ID -> events.add("heartbeat");
            default -> onOther.accept(frame);
        }
    }

    private void onDeliver(final DirectBuffer frame) {
        final DeliverDecoder deliver = new DeliverDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
        final String topic = topics.get((long) deliver.shard() << 32 | deliver.topicId());
        if (topic == null) {
            throw new AssertionError("a message of topic " + deliver.topicId() + " came before the topic's name");
        }
        int at = deliver.limit();
        while (at < frame.capacity()) {
            final int length = RecordDescriptor.length(frame, at);
            if (RecordDescriptor.type(frame, at) == RecordDescriptor.TYPE_PADDING) {
                at += RecordDescriptor.alignedLength(length);
                continue;
            }
            final byte[] payload = new byte[length - RecordDescriptor.HEADER_LENGTH];
            frame.getBytes(at + RecordDescriptor.HEADER_LENGTH, payload);
            deliveries.add(new Delivery(
                    deliver.subscriptionId(), deliver.shard(), RecordDescriptor.sequence(frame, at), topic, payload));
            events.add("deliver " + deliver.subscriptionId());
            at += RecordDescriptor.alignedLength(length);
        }
    }

    /** One delivered message. */
    static final class Delivery {
        private final long subscriptionId;
        private final int shard;
        private final long sequence;
        private final String topic;
        private final byte[] payload;

        Delivery(
                final long subscriptionId,
                final int shard,
                final long sequence,
                final String topic,
                final byte[] payload) {
            this.subscriptionId = subscriptionId;
            this.shard = shard;
            this.sequence = sequence;
            this.topic = topic;
            this.payload = payload;
        }

        long subscriptionId() {
            return subscriptionId;
        }

        int shard() {
            return shard;
        }

        long sequence() {
            return sequence;
        }

        String topic() {
            return topic;
        }

        byte[] payload() {
            return payload;
        }

        String text() {
            return new String(payload, UTF_8);
        }

        @Override
        public String toString() {
            return subscriptionId + " " + shard + "/" + sequence + " " + topic + " " + text();
        }
    }
}
