package io.penstock.admin.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Collects the parts of the requests of one connection, one request at a time. Confined to the server's thread. */
final class RequestReader extends SimpleChannelInboundHandler<HttpObject> {
    private final ServerSettings settings;
    private final RequestCheck check;
    private final RequestHandler handler;
    private final Refusals refusals;
    private final Guard guard;
    private final Newcomers newcomers;
    private final HeadLines lines = new HeadLines();
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable ChannelHandlerContext own;
    private @Nullable HttpRequest head;
    private ByteBuf body = Unpooled.EMPTY_BUFFER;
    private List<X509Certificate> certificates = List.of();
    private boolean isIdle;
    private boolean isAnswering;
    private boolean isRefused;

    RequestReader(
            final ServerSettings settings,
            final RequestCheck check,
            final RequestHandler handler,
            final Refusals refusals,
            final Guard guard,
            final Newcomers newcomers) {
        this.settings = settings;
        this.check = check;
        this.handler = handler;
        this.refusals = refusals;
        this.guard = guard;
        this.newcomers = newcomers;
    }

    @Override
    public void channelActive(final ChannelHandlerContext ctx) {
        if (!settings.isEncrypted()) {
            // Whoever connects has something to ask.
            await(ctx, settings.requestTimeoutMs());
        }
        ctx.fireChannelActive();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It is closed, or was.
    public void userEventTriggered(final ChannelHandlerContext ctx, final Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            certificates =
                    certificates(ctx.pipeline().get(SslHandler.class).engine().getSession());
            await(ctx, settings.requestTimeoutMs());
        } else if (event instanceof SslCloseCompletionEvent) {
            // Whoever asks waits for the answer.
            ctx.close();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(final ChannelHandlerContext ctx) {
        stopWaiting();
        ctx.fireChannelInactive();
    }

    private static List<X509Certificate> certificates(final SSLSession session) {
        try {
            return Arrays.stream(session.getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (final SSLPeerUnverifiedException e) {
            // It has shown none.
            return List.of();
        }
    }

    private void await(final ChannelHandlerContext ctx, final int timeoutMs) {
        stopWaiting();
        deadline = ctx.executor().schedule(guard.guarded(() -> onTimeout(ctx)), timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void stopWaiting() {
        final ScheduledFuture<?> present = deadline;
        if (present != null) {
            present.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void handlerAdded(final ChannelHandlerContext ctx) {
        own = ctx;
    }

    /** Bytes have come, the first of a request or more of it. */
    void onBytes(final Object bytes) {
        final ChannelHandlerContext ctx = own;
        if (ctx != null && !isRefused && bytes instanceof ByteBuf part && lines.isFolded(part)) {
            refuse(
                    ctx,
                    new Problem(
                            400,
                            "BAD_REQUEST",
                            "request: a header goes on in another line (send each in a line of its own)"));
            return;
        }
        if (isIdle && ctx != null) {
            isIdle = false;
            await(ctx, settings.requestTimeoutMs());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It is closed, or was.
    private void onTimeout(final ChannelHandlerContext ctx) {
        if (isIdle) {
            ctx.close();
        } else {
            refuse(
                    ctx,
                    new Problem(
                            408,
                            "TIMED_OUT",
                            "request: did not come whole within " + settings.requestTimeoutMs()
                                    + " ms (send it without pauses)"));
        }
    }

    @Override
    protected void channelRead0(final ChannelHandlerContext ctx, final HttpObject part) {
        if (isRefused) {
            return;
        }
        if (isAnswering) {
            refuse(
                    ctx,
                    new Problem(400, "PIPELINED", "request: came before the answer to the one before (wait for it)"));
        } else if (part.decoderResult().isFailure()) {
            refuse(ctx, malformed(part.decoderResult().cause()));
        } else {
            if (part instanceof HttpRequest request) {
                onHead(ctx, request);
            }
            if (part instanceof HttpContent content && !isRefused) {
                onBody(ctx, content);
            }
        }
    }

    private static Problem malformed(final Throwable cause) {
        if (cause instanceof TooLongFrameException) {
            final boolean isLine =
                    String.valueOf(cause.getClass().getSimpleName()).contains("Line");
            return isLine
                    ? new Problem(414, "TOO_LONG", "request: its first line is too long (use fewer parameters)")
                    : new Problem(431, "TOO_LONG", "request: its headers are too long (send fewer)");
        }
        return new Problem(400, "BAD_REQUEST", "request: not HTTP: " + cause.getMessage() + " (speak HTTP/1.1)");
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What cannot be written ends the connection.
    private void onHead(final ChannelHandlerContext ctx, final HttpRequest request) {
        head = request;
        final long length = HttpUtil.getContentLength(request, 0L);
        if (!request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            refuse(ctx, new Problem(505, "BAD_VERSION", "request: not HTTP/1.1 (speak that)"));
        } else if (length > settings.bodyLengthMax()) {
            refuse(ctx, tooLarge());
        } else if (HttpUtil.is100ContinueExpected(request)) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    private Problem tooLarge() {
        return new Problem(413, "TOO_LARGE", "body: longer than " + settings.bodyLengthMax() + " bytes (send less)");
    }

    private void onBody(final ChannelHandlerContext ctx, final HttpContent content) {
        final int length = body.readableBytes() + content.content().readableBytes();
        if (length > settings.bodyLengthMax()) {
            refuse(ctx, tooLarge());
            return;
        }
        if (content.content().isReadable()) {
            if (!body.isWritable(content.content().readableBytes())) {
                body = Unpooled.buffer(Math.min(settings.bodyLengthMax(), 2 * length), settings.bodyLengthMax())
                        .writeBytes(body);
            }
            body.writeBytes(content.content());
        }
        if (content instanceof LastHttpContent) {
            onRequest(ctx);
        }
    }

    private void onRequest(final ChannelHandlerContext ctx) {
        final HttpRequest request = head;
        if (request == null) {
            return;
        }
        final byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        head = null;
        body = Unpooled.EMPTY_BUFFER;
        stopWaiting();
        newcomers.remove(ctx.channel());
        isAnswering = true;
        final Exchange exchange;
        try {
            exchange = new Exchange(
                    ctx.channel(),
                    read(ctx, request, bytes),
                    HttpUtil.isKeepAlive(request),
                    settings.idleTimeoutMs(),
                    guard,
                    () -> onAnswered(ctx));
            check.check(exchange.request());
        } catch (final ProblemException e) {
            refuse(ctx, e.problem());
            return;
        }
        try {
            handler.handle(exchange);
        } catch (final ProblemException e) {
            refusals.onRefused(exchange.request().peer(), exchange.user(), e.problem());
            exchange.fail(e.problem());
        } catch (final RuntimeException | Error e) {
            guard.report(e);
            exchange.fail(new Problem(500, "INTERNAL_ERROR", "broker: failed at it (its error log says more)"));
        }
    }

    private Request read(final ChannelHandlerContext ctx, final HttpRequest request, final byte[] bytes) {
        final RequestLine line = RequestLine.parse(request.uri());
        final InetAddress address = ((InetSocketAddress) ctx.channel().remoteAddress()).getAddress();
        return new Request(
                request.method().name(),
                line.segments(),
                line.query(),
                request.headers(),
                bytes,
                new Request.Sender(
                        settings.peer(ctx.channel()),
                        address.isLoopbackAddress(),
                        settings.isEncrypted(),
                        certificates));
    }

    private void onAnswered(final ChannelHandlerContext ctx) {
        lines.begin();
        isAnswering = false;
        isIdle = true;
        if (ctx.channel().isActive()) {
            await(ctx, settings.idleTimeoutMs());
        }
    }

    /** It does not speak what this server speaks. */
    void refuse(final Problem problem) {
        final ChannelHandlerContext ctx = own;
        if (ctx != null) {
            refuse(ctx, problem);
        }
    }

    /** It is not what TLS allows. */
    void onTlsFailed(final String reason) {
        final ChannelHandlerContext ctx = own;
        if (ctx != null) {
            stopWaiting();
            refusals.onTlsFailed(settings.peer(ctx.channel()), reason);
        }
    }

    /** What follows cannot be trusted: the connection ends. */
    private void refuse(final ChannelHandlerContext ctx, final Problem problem) {
        isRefused = true;
        stopWaiting();
        refusals.onRefused(settings.peer(ctx.channel()), "", problem);
        final var response = Responses.whole(problem.status(), Problem.MEDIA_TYPE, problem.bytes());
        if (problem.status() == 405) {
            response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD, POST, DELETE");
        }
        response.headers().set(HttpHeaderNames.CONNECTION, "close");
        SlowReaders.watch(
                ctx.channel(),
                ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE),
                settings.idleTimeoutMs());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It is closed, or was.
    public void exceptionCaught(final ChannelHandlerContext ctx, final Throwable cause) {
        ctx.close();
        if (cause instanceof Error) {
            guard.report(cause);
        }
    }
}
