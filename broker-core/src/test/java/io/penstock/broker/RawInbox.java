package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.AuthChallengeDecoder;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.HeartbeatDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.ReplayBeginDecoder;
import io.penstock.protocol.codec.StatEntryDecoder;
import io.penstock.protocol.codec.TopicEntryDecoder;
import io.penstock.transport.Connection;
import io.penstock.transport.TransportHandler;
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

/** What a client has been sent, as a test looks at it. It takes deliveries only while the test lets it. */
abstract class RawInbox implements TransportHandler {
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
    long lastPublisherSequence = -1;
    long lastAckSequence = -1;
    long lastReturned = -1;
    int heartbeatIntervalMs;
    byte[] logonToken = {};
    private byte @Nullable [] challenge;
    String mechanisms = "";

    private final Map<Long, String> topics = new HashMap<>();

    private final ExpandableArrayBuffer assembly = new ExpandableArrayBuffer();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();

    /** Takes frames that this client does not know. */
    Consumer<DirectBuffer> onOther = frame -> {
        throw new AssertionError("template " + headerDecoder.templateId());
    };

    boolean isChallenged() {
        return challenge != null;
    }

    byte[] challenge() {
        return Objects.requireNonNull(challenge);
    }

    /** What it was asked is answered, so that another challenge can come. */
    final void onChallengeAnswered() {
        challenge = null;
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
