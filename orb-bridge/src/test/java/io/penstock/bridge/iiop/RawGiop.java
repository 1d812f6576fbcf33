package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.giop.SystemException;

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

    /** Nobody waits for an answer. */
    static byte[] publish(final int id, final String topic) throws SystemException {
        return request(id, "publish", out -> writePublish(out, topic, new byte[] {'{', '}'}));
    }

    static void writePublish(final CdrWriter out, final String topic, final byte[] data) throws SystemException {
        out.string(topic);
        out.octets(data);
        out.string("");
        out.writeBoolean(false);
        out.writeLong(0);
        out.writeBoolean(false);
    }

    /** Nobody waits for an answer. */
    static byte[] next(final int id, final long subscription) throws SystemException {
        return request(id, "next", out -> {
            out.writeLong(subscription);
            out.writeInt(1);
            out.writeInt(60_000);
        });
    }

    /** Nobody waits for an answer. */
    static byte[] request(final int id, final String operation, final Call.Results arguments) throws SystemException {
        final CdrWriter request = CdrWriter.message(false);
        new RequestHeader(id, false, SessionKeys.GUEST_KEY, operation, 0).write(request, 2, true);
        arguments.write(request);
        return bytes(new OutgoingMessage(2, MessageType.REQUEST, id, request, 1 << 16));
    }

    static byte[] cancel(final int id) {
        final CdrWriter cancel = CdrWriter.message(false);
        cancel.writeInt(id);
        return bytes(new OutgoingMessage(2, MessageType.CANCEL_REQUEST, 0, cancel, 1 << 16));
    }
}
