package io.penstock.bench.peer;

import io.penstock.bench.Subject;
import io.penstock.standalone.CommandFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** NATS core publish and subscribe in its own protocol. */
final class NatsProtocol implements PeerProtocol {
    private static final String CONNECT = "CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":true}\r\n";
    private static final byte[] PUBLISH = ("PUB " + Subject.TOPIC + " ").getBytes(StandardCharsets.US_ASCII);
    private static final String SUBSCRIBE = "SUB " + Subject.TOPIC + " 1\r\nPING\r\n";
    private static final String PONG = "PONG\r\n";
    private static final int MESSAGE_HEAD_LENGTH = ("MSG " + Subject.TOPIC + " 1 ").length();

    private final Subject.DeliveryHandler handler;
    private boolean isAnswered;
    private String reply = "";

    NatsProtocol(final Subject.DeliveryHandler handler) {
        this.handler = handler;
    }

    @Override
    public String greeting() {
        return CONNECT;
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
        return isAnswered;
    }

    @Override
    public String reply() {
        final String due = reply;
        reply = "";
        return due;
    }

    @Override
    public int parse(final DirectBuffer buffer, final int offset, final int end) {
        final int next = PeerProtocol.afterLine(buffer, offset, end);
        if (next < 0) {
            return -1;
        }
        switch (buffer.getByte(offset)) {
            case 'M' -> {
                final int lengthOffset = offset + MESSAGE_HEAD_LENGTH;
                final int length = buffer.parseNaturalIntAscii(lengthOffset, next - 2 - lengthOffset);
                if (end - next < length + 2) {
                    return -1;
                }
                handler.onDelivery(buffer, next, length);
                return next + length + 2;
            }
            case 'P' -> {
                if (buffer.getByte(offset + 1) == 'I') {
                    reply = PONG;
                } else {
                    isAnswered = true;
                }
                return next;
            }
            case '-' ->
                throw CommandFailure.failed("nats: "
                        + buffer.getStringWithoutLengthAscii(offset, next - offset)
                                .strip());
            default -> {
                return next;
            }
        }
    }
}
