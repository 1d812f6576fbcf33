package io.penstock.bridge.iiop;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.penstock.bridge.service.TlsFailures;
import io.penstock.transport.tls.ReleasableEngine;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsIdentity;
import io.penstock.transport.tls.TlsReasons;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Hears how the handshake of a connection ends, and of what is wrong with its TLS later. Behind what encrypts it. Owned by
 * the connection's thread of Netty.
 */
final class EncryptedChannel extends ChannelInboundHandlerAdapter {
    private final SslHandler handler;
    private final TlsContexts contexts;
    private final TlsFailures failures;
    private boolean isDone;
    private boolean isFailed;

    private EncryptedChannel(final SslHandler handler, final TlsContexts contexts, final TlsFailures failures) {
        this.handler = handler;
        this.contexts = contexts;
        this.failures = failures;
    }

    /** Has what comes behind a handler be encrypted from here on. */
    static void begin(final ChannelHandlerContext context, final TlsContexts contexts, final TlsFailures failures) {
        final SSLEngine engine = contexts.boundedServerEngine();
        final SslHandler handler = new SslHandler(engine, contexts.tasks()) {
            @Override
            public void handlerRemoved0(final ChannelHandlerContext removed) throws Exception {
                try {
                    super.handlerRemoved0(removed);
                } finally {
                    ReleasableEngine.release(engine);
                }
            }
        };
        handler.setHandshakeTimeoutMillis(TimeUnit.NANOSECONDS.toMillis(contexts.handshakeTimeoutNs()));
        context.pipeline()
                .addAfter(context.name(), "tls", handler)
                .addAfter("tls", "tlsEnd", new EncryptedChannel(handler, contexts, failures));
    }

    @Override
    public void userEventTriggered(final ChannelHandlerContext context, final Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            isDone = handshake.isSuccess();
            if (isDone) {
                context.channel()
                        .attr(ConnectionStart.IDENTITY)
                        .set(TlsIdentity.of(handler.engine().getSession(), true));
            } else {
                fail(context.channel(), reason(handshake.cause()));
                final var unused = context.close();
            }
        }
        if (event instanceof SslCloseCompletionEvent) {
            // A client that calls waits for the answer.
            final var unused = context.close();
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
        if (cause instanceof DecoderException && cause.getCause() instanceof SSLException broken) {
            if (isDone) {
                fail(context.channel(), TlsReasons.of(broken));
            }
            final var unused = context.close();
            return;
        }
        context.fireExceptionCaught(cause);
    }

    /** What follows the first failure says the same again. */
    private void fail(final Channel channel, final String reason) {
        if (!isFailed) {
            isFailed = true;
            failures.onFailed(ConnectionStart.peer((InetSocketAddress) channel.remoteAddress()), reason);
        }
    }

    private String reason(final Throwable cause) {
        if (cause instanceof SslHandshakeTimeoutException) {
            return ConnectionStart.overdue(contexts);
        }
        return cause instanceof ClosedChannelException
                ? "closed by the peer during the handshake (see its log; does it trust the certificate?)"
                : TlsReasons.of(cause);
    }
}
