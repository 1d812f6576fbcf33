package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.penstock.bridge.service.PublishCommand;
import io.penstock.client.PublishOptions;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The arguments of {@code publish}. Valid as long as what was received.
 *
 * @param topic       to publish to.
 * @param data        the payload, where it was received.
 * @param options     of the message.
 * @param isPersisted whether to wait for stable storage.
 */
record PublishRequest(String topic, ByteBuf data, PublishOptions options, boolean isPersisted) {
    /** With the payload where it is, or, when it lies in several pieces, copied together. */
    PublishCommand command() {
        final ByteBuffer[] pieces = data.nioBuffers();
        return command(pieces.length == 1 ? inPlace(pieces[0]) : copied());
    }

    private static DirectBuffer inPlace(final ByteBuffer piece) {
        return new UnsafeBuffer(piece, piece.position(), piece.remaining());
    }

    private DirectBuffer copied() {
        return new UnsafeBuffer(ByteBufUtil.getBytes(data));
    }

    /** The same, valid for as long as it takes. */
    PublishCommand kept(final PublishCommand command) {
        // Not by nioBufferCount, which counts the pieces of all that was received.
        final boolean isCopied = data.nioBuffers().length > 1;
        return isCopied ? command : command(copied());
    }

    private PublishCommand command(final DirectBuffer payload) {
        return new PublishCommand(topic, options, payload, isPersisted);
    }
}
