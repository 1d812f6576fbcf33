package io.penstock.client.session;

import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockException;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.AuthResponseEncoder;
import io.penstock.protocol.codec.CloseSinkEncoder;
import io.penstock.protocol.codec.DeclareTopicEncoder;
import io.penstock.protocol.codec.DeleteTopicEncoder;
import io.penstock.protocol.codec.FlushEncoder;
import io.penstock.protocol.codec.HeartbeatEncoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.OpenSinkEncoder;
import io.penstock.protocol.codec.PaceAction;
import io.penstock.protocol.codec.PaceEncoder;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.protocol.codec.ResetPublisherEncoder;
import io.penstock.protocol.codec.SowDeleteEncoder;
import io.penstock.protocol.codec.SowEncoder;
import io.penstock.protocol.codec.StatEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.protocol.codec.SubscribeFromEncoder;
import io.penstock.protocol.codec.TopicsEncoder;
import io.penstock.protocol.codec.UnsubscribeEncoder;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/**
 * Internal: a command other than a publish, as a frame without a command id. These are rare, so each has a buffer of its own.
 *
 * @param buffer holding the frame from its start on.
 * @param length of the frame in bytes.
 */
public record CommandFrame(ExpandableArrayBuffer buffer, int length) {
    /** Where every command has its id. */
    static final int COMMAND_ID_OFFSET = FrameHeader.LENGTH;

    /** Internal: longest frame in bytes, as brokers take commands whole. */
    public static final int LENGTH_MAX = 64 * 1024;

    private static final int TOKEN_LENGTH_MAX = 32 * 1024;
    private static final int INITIAL_LENGTH = 256;

    static CommandFrame logon(final ClientConfig config, final LogonProof proof) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final LogonEncoder encoder = new LogonEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .heartbeatIntervalMs(config.heartbeatIntervalMs())
                .clientName(checked("logon: name", config.name()))
                .user(checked("logon: user", proof.user()))
                .password(checked("logon: password", proof.password()))
                .mechanism(proof.mechanism());
        putToken(proof.first(), encoder::putToken);
        return of(buffer, "logon", encoder.encodedLength());
    }

    static CommandFrame authResponse(final LogonProof.Answer answer) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final AuthResponseEncoder encoder =
                new AuthResponseEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).mechanism(answer.mechanism());
        putToken(answer.token(), encoder::putToken);
        return of(buffer, "logon", encoder.encodedLength());
    }

    private interface TokenField {
        void put(byte[] token, int offset, int length);
    }

    private static void putToken(final byte[] token, final TokenField field) {
        if (token.length > TOKEN_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "logon: token of " + token.length + " bytes (at most " + TOKEN_LENGTH_MAX + ")");
        }
        field.put(token, 0, token.length);
    }

    static CommandFrame openSink(
            final int writerId,
            final String sink,
            final String producer,
            final String memoryKey,
            final long memoryLength) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final OpenSinkEncoder encoder = new OpenSinkEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .writerId(writerId)
                .memoryLength(memoryLength)
                .sink(checked("sink: name", sink))
                .producer(checked("sink: producer", producer))
                .memoryKey(memoryKey);
        return of(buffer, "sink", encoder.encodedLength());
    }

    static CommandFrame closeSink(final int writerId) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final CloseSinkEncoder encoder =
                new CloseSinkEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).writerId(writerId);
        encoder.ackTypes().clear();
        return of(buffer, "sink", encoder.encodedLength());
    }

    /** Internal: subscribes. */
    public static CommandFrame subscribe(final long subscriptionId, final SubscribeRequest request) {
        return subscribe(subscriptionId, request, false);
    }

    /** Internal: subscribes, or replaces what a subscription is to. */
    public static CommandFrame subscribe(
            final long subscriptionId, final SubscribeRequest request, final boolean replace) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final SubscribeEncoder encoder =
                new SubscribeEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .subscriptionId(subscriptionId)
                .conflationMs(request.conflationMs())
                .topN(request.top())
                .skipN(request.skip())
                .batchSize(request.batchSize());
        encoder.options()
                .clear()
                .topicPattern(request.isPattern())
                .sow(request.isSow())
                .oof(request.isOof())
                .delta(request.isDelta())
                .noEmpties(request.isWithoutEmpties())
                .replace(replace)
                .durable(request.isDurable())
                .credit(request.credit() > 0);
        encoder.ackTypes().clear().processed(true);
        encoder.topic(checked("subscribe: topic", request.topic()))
                .filter(checked("subscribe: filter", request.filter()))
                .orderBy(checked("subscribe: order_by", request.orderBy()))
                .selection(checked("subscribe: select", request.select()))
                .conflationKey(checked("subscribe: conflation_key", request.conflationKey()));
        return of(buffer, "subscribe", encoder.encodedLength());
    }

    /** Internal: subscribes from a place of the log on. */
    public static CommandFrame subscribeFrom(final long subscriptionId, final ReplayRequest request) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final SubscribeFromEncoder encoder =
                new SubscribeFromEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .subscriptionId(subscriptionId)
                .startTimeNs(request.from().timeNs())
                .endTimeNs(request.to().timeNs())
                .rate(request.rate().rate())
                .rateMaxGapMs(request.rate().maxGapMs())
                .rateUnit(WireCodes.rateUnit(request.rate().unit()))
                .start(WireCodes.start(request.from()))
                .end(WireCodes.end(request.to()))
                .ifMissing(WireCodes.ifMissing(request.ifMissing()));
        encoder.options()
                .clear()
                .topicPattern(request.isPattern())
                .live(request.isLive())
                .startIncluded(request.from().isIncluded())
                .endIncluded(request.to().isIncluded())
                .credit(request.credit() > 0);
        encoder.ackTypes().clear().processed(true).completed(true);
        encoder.topic(checked("subscribe: topic", request.topic()))
                .filter(checked("subscribe: filter", request.filter()))
                .startBookmark(
                        checked("subscribe: bookmark", request.from().bookmark().toString()))
                .endBookmark(
                        checked("subscribe: bookmark", request.to().bookmark().toString()));
        return of(buffer, "subscribe", encoder.encodedLength());
    }

    /** Internal: sets the pace of a subscription. */
    public static CommandFrame rate(final long subscriptionId, final ReplayRate rate) {
        return pace(subscriptionId, rate, PaceAction.RATE);
    }

    /** Internal: pauses a subscription, or lets it go on. */
    public static CommandFrame pause(final long subscriptionId, final boolean isPaused) {
        return pace(subscriptionId, ReplayRate.UNLIMITED, isPaused ? PaceAction.PAUSE : PaceAction.RESUME);
    }

    /** Internal: gives a subscription more credit, in bytes. */
    public static CommandFrame credit(final long subscriptionId, final long length) {
        return pace(subscriptionId, length, 0, RateUnit.NONE, PaceAction.CREDIT);
    }

    private static CommandFrame pace(final long subscriptionId, final ReplayRate rate, final PaceAction action) {
        return pace(subscriptionId, rate.rate(), rate.maxGapMs(), WireCodes.rateUnit(rate.unit()), action);
    }

    private static CommandFrame pace(
            final long subscriptionId,
            final long rate,
            final int maxGapMs,
            final RateUnit unit,
            final PaceAction action) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final PaceEncoder encoder = new PaceEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .subscriptionId(subscriptionId)
                .rate(rate)
                .rateMaxGapMs(maxGapMs)
                .rateUnit(unit)
                .action(action);
        encoder.ackTypes().clear().processed(true);
        return of(buffer, "pace", encoder.encodedLength());
    }

    /** Internal: queries state. */
    public static CommandFrame sow(final long queryId, final SowRequest request) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final SowEncoder encoder = new SowEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .queryId(queryId)
                .topN(request.top())
                .skipN(request.skip())
                .batchSize(request.batchSize())
                .timeoutMs(request.timeoutMs())
                .progressMs(request.progressMs())
                .asOfTimeNs(request.asOf().timeNs())
                .asOf(WireCodes.asOf(request.asOf()));
        encoder.options()
                .clear()
                .topicPattern(request.isPattern())
                .durable(request.isDurable())
                .explain(request.isExplained())
                .join(!request.join().isBlank());
        encoder.ackTypes().clear().completed(true);
        encoder.topic(checked("sow: topic", request.topic()))
                .filter(checked("sow: filter", request.filter()))
                .orderBy(checked("sow: order_by", request.orderBy()))
                .selection(checked("sow: select", request.select()))
                .groupBy(checked("sow: group_by", request.groupBy()))
                .having(checked("sow: having", request.having()))
                .keys(checked("sow: keys", lines(request.keys())))
                .asOfBookmark(checked("sow: bookmark", request.asOf().bookmark().toString()))
                .join(checked("sow: join", request.join()));
        return of(buffer, "sow", encoder.encodedLength());
    }

    /** Internal: deletes records. */
    public static CommandFrame sowDelete(final String topic, final String filter, final List<String> keys) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final SowDeleteEncoder encoder =
                new SowDeleteEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).ackTypes().clear().stats(true);
        encoder.topic(checked("sow_delete: topic", topic))
                .filter(checked("sow_delete: filter", filter))
                .keys(checked("sow_delete: keys", lines(keys)));
        return of(buffer, "sow_delete", encoder.encodedLength());
    }

    private static String lines(final List<String> keys) {
        for (final String key : keys) {
            if (key.isEmpty() || key.indexOf('\n') >= 0) {
                throw new PenstockException(
                        ErrorCode.BAD_KEY, "key: empty, or with a line break in it (write it on one line)");
            }
        }
        return String.join("\n", keys);
    }

    /** Internal: ends a subscription or a query. */
    public static CommandFrame unsubscribe(final long subscriptionId) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final UnsubscribeEncoder encoder =
                new UnsubscribeEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).subscriptionId(subscriptionId);
        encoder.ackTypes().clear().processed(true);
        return of(buffer, "unsubscribe", encoder.encodedLength());
    }

    /** Internal: asks for an acknowledgement when all before is applied. */
    public static CommandFrame flush() {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final FlushEncoder encoder = new FlushEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        return of(buffer, "flush", encoder.commandId(0L).encodedLength());
    }

    static CommandFrame heartbeat() {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final HeartbeatEncoder encoder =
                new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        return of(buffer, "heartbeat", encoder.encodedLength());
    }

    /** Internal: asks for counters. */
    public static CommandFrame stat(final String prefix) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final StatEncoder encoder = new StatEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).prefix(checked("stat: prefix", prefix));
        return of(buffer, "stat", encoder.encodedLength());
    }

    /** Internal: asks for topics. */
    public static CommandFrame topics(final String prefix) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final TopicsEncoder encoder = new TopicsEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).prefix(checked("topics: prefix", prefix));
        return of(buffer, "topics", encoder.encodedLength());
    }

    /** Internal: creates a topic unless it is there. */
    public static CommandFrame declareTopic(final Topic topic) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final DeclareTopicEncoder encoder =
                new DeclareTopicEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .expirationMs(topic.expirationMs())
                .ackTypes()
                .clear()
                .processed(true);
        encoder.topic(checked("declare: topic", topic.name()))
                .format(checked("declare: format", topic.format()))
                .key(checked("declare: key", topic.key()));
        return of(buffer, "declare", encoder.encodedLength());
    }

    /** Internal: sets the sequence of a publisher. */
    public static CommandFrame resetPublisher(
            final String clientName, final String user, final long publisherSequence) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final ResetPublisherEncoder encoder =
                new ResetPublisherEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .publisherSequence(publisherSequence)
                .ackTypes()
                .clear()
                .processed(true);
        encoder.clientName(checked("reset: client name", clientName)).user(checked("reset: user", user));
        return of(buffer, "reset", encoder.encodedLength());
    }

    /** Internal: deletes a topic. */
    public static CommandFrame deleteTopic(final String topic) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final DeleteTopicEncoder encoder =
                new DeleteTopicEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).ackTypes().clear().processed(true);
        encoder.topic(checked("delete topic: name", topic));
        return of(buffer, "delete topic", encoder.encodedLength());
    }

    private static CommandFrame of(final ExpandableArrayBuffer buffer, final String command, final int encodedLength) {
        final int length = FrameHeader.LENGTH + encodedLength;
        if (length > LENGTH_MAX) {
            throw tooLong(command, length);
        }
        return new CommandFrame(buffer, length);
    }

    private static String checked(final String subject, final String text) {
        final int length = Utf8Encoder.length(text);
        if (length > LENGTH_MAX - INITIAL_LENGTH) {
            throw tooLong(subject, length);
        }
        return text;
    }

    private static PenstockException tooLong(final String subject, final int length) {
        return new PenstockException(
                ErrorCode.BAD_TEXT,
                subject + ": too long: " + length + " bytes (use less than " + (LENGTH_MAX - INITIAL_LENGTH) + ")");
    }
}
