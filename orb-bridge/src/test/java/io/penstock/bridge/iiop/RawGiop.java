package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.penstock.bridge.giop.OutgoingMessage;

/** Messages as bytes. */
final class RawGiop {
    private RawGiop() {}

    static byte[] bytes(final OutgoingMessage message) {
        final ByteBuf out = Unpooled.buffer();
        while (!message.isDone()) {
            message.writeNext(out);
        }
        return ByteBufUtil.getBytes(out);
    }
}
