package io.penstock.admin.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first byte of a connection, and does the handshake of TLS when that is spoken here; a peer that speaks the
 * other is told so. Confined to the server's thread.
 */
final class ConnectionStart extends ChannelInboundHandlerAdapter {
    /** What a handshake of TLS begins with, and no request of HTTP. */
    private static final int TLS_HANDSHAKE = 22;

    private final @Nullable Encryption tls;
    private final RequestReader reader;
    private @Nullable ScheduledFuture<?> deadline;
    private boolean isBegun;
    private boolean isDone;
    private boolean isFailed;

    /**
     * Made for one connection.
     *
     * @param tls    encrypts it; null when it is to be plain.
     * @param reader of its requests.
     */
    ConnectionStart(final @Nullable Encryption tls, final RequestReader reader) {
        this.tls = tls;
        this.reader = reader;
    }

    @Override
    public void channelActive(final ChannelHandlerContext ctx) {
        if (tls != null) {
            final long timeoutMs = tls.handshakeTimeoutMs();
            deadline = ctx.executor().schedule(() -> onOverdue(ctx, timeoutMs), timeoutMs, TimeUnit.MILLISECONDS);
        }
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(final ChannelHandlerContext ctx) {
        stopWaiting();
        ctx.fireChannelInactive();
    }

    private void stopWaiting() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It is closed, or was.
    private void onOverdue(final ChannelHandlerContext ctx, final long timeoutMs) {
        fail(overdue(timeoutMs));
        ctx.close();
    }

    /** What follows the first failure says the same again. */
    private void fail(final String reason) {
        if (!isFailed) {
            isFailed = true;
            reader.onTlsFailed(reason);
        }
    }

    private static String overdue(final long timeoutMs) {
        return "the handshake was not done within " + timeoutMs
                + " ms (is it a peer that speaks TLS? raise tls.handshakeTimeoutMs if it is only slow)";
    }

    @Override
    public void channelRead(final ChannelHandlerContext ctx, final Object bytes) {
        if (!isBegun && bytes instanceof ByteBuf received && received.isReadable()) {
            isBegun = true;
            stopWaiting();
            final boolean isTls = received.getByte(received.readerIndex()) == TLS_HANDSHAKE;
            if (isTls != (tls != null)) {
                ReferenceCountUtil.release(bytes);
                reader.refuse(
                        isTls
                                ? new Problem(
                                        400,
                                        "TLS_TO_HTTP",
                                        "connection: speaks TLS, and this server does not (use http, or have it listen"
                                                + " with https by admin.listen)")
                                : new Problem(
                                        400,
                                        "HTTP_TO_TLS",
                                        "connection: does not speak TLS, and must here (use https)"));
                return;
            }
            if (tls != null) {
                begin(ctx, tls);
            }
        }
        ctx.fireChannelRead(bytes);
    }

    private void begin(final ChannelHandlerContext ctx, final Encryption encryption) {
        final SSLEngine engine = encryption.newEngine();
        final SslHandler handler = new SslHandler(engine, encryption.tasks()) {
            @Override
            public void handlerRemoved0(final ChannelHandlerContext removed) throws Exception {
                try {
                    super.handlerRemoved0(removed);
                } finally {
                    encryption.release(engine);
                }
            }
        };
        handler.setHandshakeTimeoutMillis(encryption.handshakeTimeoutMs());
        ctx.pipeline().addAfter(ctx.name(), "tls", handler).addAfter("tls", "tlsEnd", new Handshake(encryption));
    }

    /** Hears how the handshake ends, and of what is wrong with TLS later. */
    private final class Handshake extends ChannelInboundHandlerAdapter {
        private final Encryption encryption;

        Handshake(final Encryption encryption) {
            this.encryption = encryption;
        }

        @Override
        public void userEventTriggered(final ChannelHandlerContext ctx, final Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                if (handshake.isSuccess()) {
                    isDone = true;
                } else {
                    fail(reason(handshake.cause()));
                }
            }
            ctx.fireUserEventTriggered(event);
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext ctx, final Throwable cause) {
            if (isDone && cause instanceof DecoderException && cause.getCause() instanceof SSLException broken) {
                fail(encryption.reasonOf(broken));
            }
            ctx.fireExceptionCaught(cause);
        }

        private String reason(final Throwable cause) {
            if (cause instanceof SslHandshakeTimeoutException) {
                return overdue(encryption.handshakeTimeoutMs());
            }
            return cause instanceof ClosedChannelException
                    ? "closed by the peer during the handshake (see its log; does it trust the certificate?)"
                    : encryption.reasonOf(cause);
        }
    }
}
