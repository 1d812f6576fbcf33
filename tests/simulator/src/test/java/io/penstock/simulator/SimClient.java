package io.penstock.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.ErrorDecoder;
import io.penstock.protocol.codec.GroupBeginDecoder;
import io.penstock.protocol.codec.GroupEndDecoder;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.ReplayBeginDecoder;
import io.penstock.protocol.codec.TopicEntryDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A client that connects again whenever its connection is lost, and takes what comes. Made of frames only. */
abstract class SimClient {
    static final int ACK_PROCESSED = 2;
    static final int ACK_PERSISTED = 4;
    static final int ACK_COMPLETED = 8;

    final SimNetwork network;
    final String name;
    final ExpandableArrayBuffer out = new ExpandableArrayBuffer(512);
    final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final AckDecoder ack = new AckDecoder();
    private final ErrorDecoder error = new ErrorDecoder();
    private final DeliverDecoder deliver = new DeliverDecoder();
    private final Map<Long, String> topics = new HashMap<>();
    private @Nullable SimLink link;
    private boolean isLoggedOn;
    private long connectNs;
    private long pausedUntilNs;
    private long nextCommandId = 2;

    SimClient(final SimNetwork network, final String name) {
        this.network = network;
        this.name = name;
    }

    boolean isLoggedOn() {
        return isLoggedOn;
    }

    /** Takes nothing for a while. */
    final void pause(final long ns) {
        pausedUntilNs = network.clock.nanoTime() + ns;
    }

    final long newCommandId() {
        return nextCommandId++;
    }

    /** Takes what has arrived. Returns work done. */
    final int poll() {
        final SimLink present = link;
        if (present == null) {
            return connect();
        }
        if (!network.isCalm() && network.clock.nanoTime() < pausedUntilNs) {
            return 0;
        }
        int workCount = 0;
        byte[] frame;
        while ((frame = present.pollForClient()) != null) {
            onFrame(new UnsafeBuffer(frame));
            workCount++;
        }
        if (present.isCut()) {
            disconnect();
            return workCount + 1;
        }
        return workCount;
    }

    /** Gives the connection up, to make another one. */
    final void hangUp() {
        if (link != null) {
            network.cut(link);
        }
    }

    private int connect() {
        if (network.clock.nanoTime() < connectNs) {
            return 0;
        }
        link = network.connect();
        if (link == null) {
            return 0;
        }
        topics.clear();
        nextCommandId = 2;
        final LogonEncoder encoder = new LogonEncoder();
        encoder.wrapAndApplyHeader(out, 0, header)
                .commandId(1)
                .heartbeatIntervalMs(0)
                .clientName(name)
                .user("")
                .password("")
                .mechanism("")
                .putToken(new byte[0], 0, 0);
        send(encoder.limit());
        return 1;
    }

    private void disconnect() {
        link = null;
        isLoggedOn = false;
        connectNs = network.clock.nanoTime() + (network.isCalm() ? 0 : network.random.nextInt(10_000_000));
        onDisconnect();
    }

    /** Sends the frame in {@link #out}; false when there is no room now, or no connection. */
    final boolean send(final int length) {
        final byte[] frame = new byte[length];
        out.getBytes(0, frame);
        return link != null && link.sendToBroker(frame);
    }

    private void onFrame(final DirectBuffer frame) {
        headerDecoder.wrap(frame, 0);
        switch (headerDecoder.templateId()) {
            case LogonAckDecoder.TEMPLATE_ID -> {
                isLoggedOn = true;
                onLogon();
            }
            case AckDecoder.TEMPLATE_ID -> {
                ack.wrapAndApplyHeader(frame, 0, headerDecoder);
                network.trace.mix(ack.commandId() * 8 + ack.ackTypeRaw());
                onAck(ack.ackType(), ack.commandId());
            }
            case ErrorDecoder.TEMPLATE_ID -> {
                error.wrapAndApplyHeader(frame, 0, headerDecoder);
                final ErrorCode code = ErrorCode.of(error.code());
                network.trace.add("error for " + name + ": " + code, error.commandId(), error.subscriptionId());
                if (code == null || code == ErrorCode.INTERNAL_ERROR) {
                    error.skipName();
                    throw new Violation("internal error: " + error.text());
                }
                if (code != ErrorCode.SHUTTING_DOWN) {
                    onError(code, error.commandId(), error.subscriptionId());
                }
            }
            case TopicEntryDecoder.TEMPLATE_ID -> {
                final TopicEntryDecoder entry = new TopicEntryDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                topics.put((long) entry.shard() << 32 | entry.topicId(), entry.name());
            }
            case ReplayBeginDecoder.TEMPLATE_ID -> {
                final ReplayBeginDecoder begin = new ReplayBeginDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                onReplayBegin(begin.commandId(), begin.subscriptionId(), begin.shard(), begin.sequence());
            }
            case GroupBeginDecoder.TEMPLATE_ID -> {
                final GroupBeginDecoder begin = new GroupBeginDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                onGroupBegin(begin.commandId(), begin.queryId(), begin.shard(), begin.sequence());
            }
            case GroupEndDecoder.TEMPLATE_ID -> {
                final GroupEndDecoder end = new GroupEndDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                onGroupEnd(end.queryId(), end.returned());
            }
            case DeliverDecoder.TEMPLATE_ID -> onDeliver(frame);
            default -> {}
        }
    }

    private void onDeliver(final DirectBuffer frame) {
        deliver.wrapAndApplyHeader(frame, 0, headerDecoder);
        final String topic = topics.get((long) deliver.shard() << 32 | deliver.topicId());
        if (topic == null) {
            throw new Violation("a message came before the name of its topic");
        }
        int at = deliver.limit();
        while (at < frame.capacity()) {
            final int length = RecordDescriptor.length(frame, at);
            if (length < RecordDescriptor.HEADER_LENGTH || length > frame.capacity() - at) {
                throw new Violation("a record of length " + length);
            }
            if (RecordDescriptor.type(frame, at) == RecordDescriptor.TYPE_PADDING) {
                at += RecordDescriptor.alignedLength(length);
                continue;
            }
            final Delivery delivery = new Delivery(
                    deliver.subscriptionId(),
                    deliver.kind(),
                    topic,
                    deliver.shard(),
                    RecordDescriptor.sequence(frame, at),
                    RecordDescriptor.timestampNs(frame, at),
                    RecordDescriptor.publisherId(frame, at),
                    RecordDescriptor.publisherSequence(frame, at),
                    text(frame, at + RecordDescriptor.HEADER_LENGTH, RecordDescriptor.messageLength(frame, at)),
                    text(frame, RecordDescriptor.keyOffset(frame, at), RecordDescriptor.keyLength(frame, at)));
            final byte[] headers = new byte[RecordDescriptor.headersLength(frame, at)];
            frame.getBytes(RecordDescriptor.keyOffset(frame, at) - headers.length, headers);
            Message.checkHeaders(name, topic, delivery.text, headers, 0, headers.length);
            if (headers.length > 0) {
                network.reached.add(Reached.State.HEADERS_COMPARED);
            }
            network.trace.mix(delivery.sequence * 31 + delivery.text.hashCode());
            onDelivery(delivery);
            at += RecordDescriptor.alignedLength(length);
        }
    }

    private static String text(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new String(bytes, UTF_8);
    }

    /** A record that was delivered. */
    record Delivery(
            long subscriptionId,
            DeliveryKind kind,
            String topic,
            int shard,
            long sequence,
            long timestampNs,
            int publisherId,
            long publisherSequence,
            String text,
            String key) {}

    abstract void onLogon();

    abstract void onDisconnect();

    abstract void onAck(AckType type, long commandId);

    abstract void onError(ErrorCode code, long commandId, long subscriptionId);

    void onReplayBegin(final long commandId, final long subscriptionId, final int shard, final long sequence) {}

    void onGroupBegin(final long commandId, final long queryId, final int shard, final long sequence) {}

    void onGroupEnd(final long queryId, final long returned) {}

    void onDelivery(final Delivery delivery) {}
}
