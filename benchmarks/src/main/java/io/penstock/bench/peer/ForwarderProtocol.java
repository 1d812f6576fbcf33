package io.penstock.bench.peer;

import static org.agrona.BitUtil.SIZE_OF_INT;

import io.penstock.bench.Subject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** The protocol of the {@link io.penstock.bench.forwarder.Forwarder}: the length of each message before it. */
final class ForwarderProtocol implements PeerProtocol {
    private final Subject.DeliveryHandler handler;
    private boolean isSubscribed;

    ForwarderProtocol(final Subject.DeliveryHandler handler) {
        this.handler = handler;
    }

    @Override
    public String greeting() {
        return "";
    }

    @Override
    public void put(final DirectBuffer payload, final int offset, final int length, final ByteBuffer out) {
        out.putInt(Integer.reverseBytes(length));
        payload.getBytes(offset, out, length);
    }

    @Override
    public String subscription() {
        return "\0\0\0\0";
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
        if (end - offset < SIZE_OF_INT) {
            return -1;
        }
        final int length = buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
        final int payloadOffset = offset + SIZE_OF_INT;
        if (end - payloadOffset < length) {
            return -1;
        }
        if (length == 0) {
            isSubscribed = true;
        } else {
            handler.onDelivery(buffer, payloadOffset, length);
        }
        return payloadOffset + length;
    }
}
