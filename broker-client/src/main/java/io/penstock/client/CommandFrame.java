package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.DeclareTopicEncoder;
import io.penstock.protocol.codec.FlushEncoder;
import io.penstock.protocol.codec.HeartbeatEncoder;
import io.penstock.protocol.codec.LogonEncoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.StatEncoder;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.protocol.codec.TopicsEncoder;
import io.penstock.protocol.codec.UnsubscribeEncoder;
import org.agrona.ExpandableArrayBuffer;

/**
 * A command other than a publish, as a frame without a command id. These are rare, so each has a buffer of its own.
 *
 * @param buffer holding the frame from its start on.
 * @param length of the frame in bytes.
 */
record CommandFrame(ExpandableArrayBuffer buffer, int length) {
    /** Where every command has its id. */
    static final int COMMAND_ID_OFFSET = FrameHeader.LENGTH;

    /** Longest frame in bytes: brokers take commands whole. */
    static final int LENGTH_MAX = 64 * 1024;

    private static final int INITIAL_LENGTH = 256;

    static CommandFrame logon(final ClientConfig config) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final LogonEncoder encoder = new LogonEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L)
                .heartbeatIntervalMs(config.heartbeatIntervalMs())
                .clientName(checked("logon: name", config.name()))
                .user(checked("logon: user", config.user()))
                .password(checked("logon: password", config.password()));
        return of(buffer, "logon", encoder.encodedLength());
    }

    static CommandFrame subscribe(final long subscriptionId, final SubscribeRequest request) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final SubscribeEncoder encoder =
                new SubscribeEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).subscriptionId(subscriptionId);
        encoder.options().clear().topicPattern(request.isPattern());
        encoder.ackTypes().clear().processed(true);
        encoder.topic(checked("subscribe: topic", request.topic()))
                .filter(checked("subscribe: filter", request.filter()));
        return of(buffer, "subscribe", encoder.encodedLength());
    }

    static CommandFrame unsubscribe(final long subscriptionId) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final UnsubscribeEncoder encoder =
                new UnsubscribeEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).subscriptionId(subscriptionId);
        encoder.ackTypes().clear().processed(true);
        return of(buffer, "unsubscribe", encoder.encodedLength());
    }

    static CommandFrame flush() {
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

    static CommandFrame stat(final String prefix) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final StatEncoder encoder = new StatEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).prefix(checked("stat: prefix", prefix));
        return of(buffer, "stat", encoder.encodedLength());
    }

    static CommandFrame topics(final String prefix) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final TopicsEncoder encoder = new TopicsEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).prefix(checked("topics: prefix", prefix));
        return of(buffer, "topics", encoder.encodedLength());
    }

    static CommandFrame declareTopic(final String topic, final String format) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_LENGTH);
        final DeclareTopicEncoder encoder =
                new DeclareTopicEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        encoder.commandId(0L).ackTypes().clear().processed(true);
        encoder.topic(checked("declare: topic", topic)).format(checked("declare: format", format));
        return of(buffer, "declare", encoder.encodedLength());
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
