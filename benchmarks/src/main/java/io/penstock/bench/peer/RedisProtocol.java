package io.penstock.bench.peer;

import io.penstock.bench.Subject;
import io.penstock.standalone.CommandFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** Redis pub/sub in its own protocol (RESP2). */
final class RedisProtocol implements PeerProtocol {
    private static final byte[] PUBLISH = ("*3\r\n$7\r\nPUBLISH\r\n$" + Subject.TOPIC.length() + "\r\n" + Subject.TOPIC
                    + "\r\n$")
            .getBytes(StandardCharsets.US_ASCII);
    private static final String SUBSCRIBE =
            "*2\r\n$9\r\nSUBSCRIBE\r\n$" + Subject.TOPIC.length() + "\r\n" + Subject.TOPIC + "\r\n";
    private static final int MESSAGE_HEAD_LENGTH =
            ("*3\r\n$7\r\nmessage\r\n$" + Subject.TOPIC.length() + "\r\n" + Subject.TOPIC + "\r\n$").length();
    private static final int SUBSCRIBED_LENGTH =
            ("*3\r\n$9\r\nsubscribe\r\n$" + Subject.TOPIC.length() + "\r\n" + Subject.TOPIC + "\r\n:1\r\n").length();
    private static final int KIND_OFFSET = "*3\r\n$".length();

    private final Subject.DeliveryHandler handler;
    private boolean isSubscribed;

    RedisProtocol(final Subject.DeliveryHandler handler) {
        this.handler = handler;
    }

    @Override
    public String greeting() {
        return "";
    }

    @Override
    public void put(final DirectBuffer payload, final int offset, final int length, final ByteBuffer out) {
        PeerProtocol.putLines(PUBLISH, payload, offset, length, out);
    }

    @Override
    public String subscription() {
        return SUBSCRIBE;
    }

    @Override
    public boolean isSubscribed() {
        return isSubscribed;
    }

    @Override
    public String reply() {
        return "";
    }

    @Override
    public int parse(final DirectBuffer buffer, final int offset, final int end) {
        final byte type = buffer.getByte(offset);
        if (type == ':') {
            return PeerProtocol.afterLine(buffer, offset, end);
        }
        if (type != '*') {
            final int after = PeerProtocol.afterLine(buffer, offset, end);
            throw CommandFailure.failed("redis: "
                    + buffer.getStringWithoutLengthAscii(offset, (after < 0 ? end : after) - offset)
                            .strip());
        }
        if (end - offset < MESSAGE_HEAD_LENGTH) {
            return -1;
        }
        if (buffer.getByte(offset + KIND_OFFSET) == '9') {
            isSubscribed = end - offset >= SUBSCRIBED_LENGTH;
            return isSubscribed ? offset + SUBSCRIBED_LENGTH : -1;
        }
        final int lengthOffset = offset + MESSAGE_HEAD_LENGTH;
        final int payloadOffset = PeerProtocol.afterLine(buffer, lengthOffset, end);
        if (payloadOffset < 0) {
            return -1;
        }
        final int length = buffer.parseNaturalIntAscii(lengthOffset, payloadOffset - 2 - lengthOffset);
        if (end - payloadOffset < length + 2) {
            return -1;
        }
        handler.onDelivery(buffer, payloadOffset, length);
        return payloadOffset + length + 2;
    }
}
