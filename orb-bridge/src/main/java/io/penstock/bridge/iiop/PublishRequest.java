package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.penstock.orb.Publication;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The arguments of {@code publish}. Valid as long as what was received.
 *
 * @param publication what to publish, without its payload.
 * @param data        the payload, where it was received.
 * @param isPersisted whether to wait for stable storage.
 */
record PublishRequest(Publication publication, ByteBuf data, boolean isPersisted) {
    /** The payload where it is, or, when it lies in several pieces, copied together. */
    DirectBuffer payload() {
        final ByteBuffer whole = data.nioBuffer();
        return new UnsafeBuffer(whole, whole.position(), whole.remaining());
    }

    /** The same with its payload, for as long as it takes. */
    Publication copied() {
        return Values.with(publication, ByteBufUtil.getBytes(data));
    }
}
