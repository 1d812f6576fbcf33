package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.penstock.bridge.config.IiopTls;
import io.penstock.bridge.service.TlsFailures;
import io.penstock.transport.PeerIdentity;
import io.penstock.transport.tls.TlsContexts;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first byte of a connection, which says whether it speaks TLS, and refuses it when it is not to, or has to.
 * Owned by the connection's thread of Netty.
 */
final class ConnectionStart extends ChannelInboundHandlerAdapter {
    /** What a client has proved. */
    static final AttributeKey<PeerIdentity> IDENTITY = AttributeKey.valueOf("penstock.bridge.identity");

    private static final int TLS_HANDSHAKE = 22;

    /** GIOP 1.0, big endian, a message of type 6 without a body: an error. */
    private static final byte[] MESSAGE_ERROR = {'G', 'I', 'O', 'P', 1, 0, 0, 6, 0, 0, 0, 0};

    private final IiopTls mode;
    private final @Nullable TlsContexts contexts;
    private final TlsFailures failures;
    private @Nullable ScheduledFuture<?> deadline;

    /**
     * Made for one connection.
     *
     * @param mode     whether it may speak TLS, and has to.
     * @param contexts of certificates; null without TLS.
     * @param failures are notified when it is refused.
     */
    ConnectionStart(final IiopTls mode, final @Nullable TlsContexts contexts, final TlsFailures failures) {
        this.mode = mode;
        this.contexts = contexts;
        this.failures = failures;
    }

    /** Where a client is, for people. */
    static String peer(final InetSocketAddress address) {
        final String host = address.getAddress().getHostAddress();
        return "iiop://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    static String overdue(final TlsContexts contexts) {
        return "the handshake was not done within " + TimeUnit.NANOSECONDS.toMillis(contexts.handshakeTimeoutNs())
                + " ms (is it a peer that speaks TLS? raise tls.handshakeTimeoutMs if it is only slow)";
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It is closed, or was.
    public void channelActive(final ChannelHandlerContext context) {
        if (mode == IiopTls.REQUIRED && contexts != null) {
            deadline = context.executor()
                    .schedule(
                            () -> {
                                fail(context, overdue(contexts));
                                return context.close();
                            },
                            contexts.handshakeTimeoutNs(),
                            TimeUnit.NANOSECONDS);
        }
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context) {
        stopWaiting();
        context.fireChannelInactive();
    }

    private void stopWaiting() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    private void fail(final ChannelHandlerContext context, final String reason) {
        failures.onFailed(peer((InetSocketAddress) context.channel().remoteAddress()), reason);
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message) {
        final ByteBuf received = (ByteBuf) message;
        if (!received.isReadable()) {
            context.fireChannelRead(message);
            return;
        }
        stopWaiting();
        final boolean isTls = received.getByte(received.readerIndex()) == TLS_HANDSHAKE;
        if (isTls && contexts != null) {
            EncryptedChannel.begin(context, contexts, failures);
        } else if (isTls) {
            fail(
                    context,
                    "speaks TLS, and this port does not (have the client connect without, or set bridge.iiop.tls)");
            ReferenceCountUtil.release(message);
            final var unused = context.close();
            return;
        } else if (mode == IiopTls.REQUIRED) {
            fail(
                    context,
                    "does not speak TLS, and has to (have the client connect with TLS, or set bridge.iiop.tls to optional)");
            ReferenceCountUtil.release(message);
            context.writeAndFlush(Unpooled.wrappedBuffer(MESSAGE_ERROR)).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        // Whoever comes next sees the first bytes as well.
        context.fireChannelRead(message);
        context.pipeline().remove(this);
    }
}
