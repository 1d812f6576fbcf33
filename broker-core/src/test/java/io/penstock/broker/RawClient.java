package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.LogPlace.Kind;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.codec.AckTypesEncoder;
import io.penstock.protocol.codec.AuthResponseEncoder;
import io.penstock.protocol.codec.DeclareTopicEncoder;
import io.penstock.protocol.codec.DeleteTopicEncoder;
import io.penstock.protocol.codec.FlushEncoder;
import io.penstock.protocol.codec.HeartbeatEncoder;
import io.penstock.protocol.codec.IfMissing;
import io.penstock.protocol.codec.LogEnd;
import io.penstock.protocol.codec.LogStart;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PaceAction;
import io.penstock.protocol.codec.PaceEncoder;
import io.penstock.protocol.codec.PublishEncoder;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.protocol.codec.ResetPublisherEncoder;
import io.penstock.protocol.codec.SowDeleteEncoder;
import io.penstock.protocol.codec.StatEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.protocol.codec.SubscribeFromEncoder;
import io.penstock.protocol.codec.TopicsEncoder;
import io.penstock.protocol.codec.UnsubscribeEncoder;
import io.penstock.transport.Connection;
import io.penstock.transport.LentMemory;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.URI;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A client made of nothing but frames, which keeps everything that it gets. It takes deliveries only while a test lets
 * it, so that tests decide how slow it is.
 */
final class RawClient extends RawInbox implements AutoCloseable {
    static final int ACK_RECEIVED = 1;
    static final int ACK_PROCESSED = 2;
    static final int ACK_PERSISTED = 4;
    static final int ACK_COMPLETED = 8;

    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    boolean closed;

    /** For tests: something was sent that has had no effect yet. */
    boolean waiting;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
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
        onChallengeAnswered();
        return send(encoder.limit());
    }

    boolean authResponse(final String mechanism, final byte[] token) {
        final AuthResponseEncoder encoder = new AuthResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
                .commandId(1)
                .mechanism(mechanism)
                .putToken(token, 0, token.length);
        onChallengeAnswered();
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

    /** What to do while a long frame is half sent: a test lets the broker work. */
    Runnable onBackPressure = () -> {};
}
