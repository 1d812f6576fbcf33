package io.penstock.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Listens for HTTP and reads requests, with one thread of its own. Made and closed by any thread. */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 256;
    private static final int LINE_LENGTH_MAX = 8 * 1024;
    private static final int HEADERS_LENGTH_MAX = 16 * 1024;
    private static final int PART_LENGTH_MAX = 8 * 1024;
    private static final long CLOSE_TIMEOUT_S = 5;

    private final ServerSettings settings;
    private final UnaryOperator<String> hostOf;
    private final RequestCheck check;
    private final RequestHandler handler;
    private final Refusals refusals;
    private final Guard guard;
    private final Newcomers newcomers;
    private final EventLoopGroup threads;
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final AtomicInteger connectionCount = new AtomicInteger();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listening;

    /**
     * Begins to serve.
     *
     * @param settings bounds.
     * @param handler  answers requests.
     * @param refusals is notified of those that are refused.
     * @param hostOf   gives the host of a peer, whose connections count together.
     * @throws IOException when it cannot listen: the address, the reason and the remedy.
     */
    public HttpServer(
            final ServerSettings settings,
            final RequestHandler handler,
            final Refusals refusals,
            final UnaryOperator<String> hostOf)
            throws IOException {
        this.settings = settings;
        this.hostOf = hostOf;
        this.handler = handler;
        this.refusals = refusals;
        check = new RequestCheck(settings.hosts(), settings.isEncrypted());
        guard = new Guard(refusals);
        newcomers = new Newcomers(settings.connectionCountMax());
        threads = thread();
        listening = new ListenChannel();
        listening.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
        listening.config().setOption(ChannelOption.SO_REUSEADDR, true);
        listening.pipeline().addLast(new Acceptor(threads, new Connections(), guard));
        threads.register(listening).syncUninterruptibly();
        final ChannelFuture bound = listening.bind(settings.address()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            isClosing.set(true);
            listening.close().awaitUninterruptibly(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
            close(threads);
            throw new IOException(
                    "admin.listen: cannot listen on " + settings.address().getHostString() + ":"
                            + settings.address().getPort() + ": "
                            + bound.cause().getMessage() + " (use another port, or 0 for a free one)",
                    bound.cause());
        }
    }

    /** Made by a class that Netty 4.1 has as well, since a framework may choose the version. */
    @SuppressWarnings("deprecation")
    private EventLoopGroup thread() {
        return new NioEventLoopGroup(1, task -> {
            final Thread thread = new FastThreadLocalThread(() -> run(task), "penstock-admin");
            thread.setDaemon(true);
            return thread;
        });
    }

    private void run(final Runnable task) {
        try {
            task.run();
        } finally {
            if (!isClosing.get()) {
                guard.report(new IllegalStateException(
                        "admin: its thread has ended by itself, and nobody is served (start the broker again)"));
            }
        }
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Connections that are open. */
    public int connectionCount() {
        return connectionCount.get();
    }

    /**
     * Has something done by the server's thread each second.
     *
     * @param task which must not block; its failures are reported.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // It ends with the thread.
    public void everySecond(final Runnable task) {
        threads.scheduleAtFixedRate(guard.guarded(task), 1, 1, TimeUnit.SECONDS);
    }

    /** Closes all connections, and waits for the thread to end. Idempotent. */
    @Override
    public void close() {
        isClosing.set(true);
        listening.close().awaitUninterruptibly(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        // A thread that ends does not close all that it has.
        connections.close().awaitUninterruptibly(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        close(threads);
    }

    private static void close(final EventLoopGroup threads) {
        threads.shutdownGracefully(0, CLOSE_TIMEOUT_S, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    }

    /** Prepares each connection. */
    private final class Connections extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(final SocketChannel channel) {
            channel.closeFuture().addListener(closed -> {
                connectionCount.decrementAndGet();
                newcomers.remove(channel);
            });
            connections.add(channel);
            newcomers.add(channel, hostOf.apply(settings.peer(channel)));
            if (connectionCount.incrementAndGet() > settings.connectionCountMax()) {
                turnAway(channel);
                return;
            }
            final RequestReader reader = new RequestReader(settings, check, handler, refusals, guard, newcomers);
            channel.pipeline().addLast(new ConnectionStart(settings.tls(), reader));
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(final ChannelHandlerContext ctx, final Object bytes) {
                    reader.onBytes(bytes);
                    ctx.fireChannelRead(bytes);
                }
            });
            channel.pipeline()
                    .addLast(new HttpRequestDecoder(LINE_LENGTH_MAX, HEADERS_LENGTH_MAX, PART_LENGTH_MAX))
                    .addLast(new HttpResponseEncoder())
                    .addLast(reader);
        }

        /** Unlike Netty's, logs nothing. */
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // It is closed, or was.
        public void exceptionCaught(final ChannelHandlerContext ctx, final Throwable cause) {
            guard.report(cause);
            ctx.close();
        }

        private void turnAway(final SocketChannel channel) {
            final Problem problem = new Problem(
                    503,
                    "TOO_MANY_CONNECTIONS",
                    "server: has " + settings.connectionCountMax()
                            + " connections already (try again later, or raise admin.connectionCountMax)");
            refusals.onRefused(settings.peer(channel), "", problem);
            final var response = Responses.whole(problem.status(), Problem.MEDIA_TYPE, problem.bytes());
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
            channel.pipeline().addLast(new HttpResponseEncoder());
            channel.eventLoop()
                    .execute(() -> SlowReaders.watch(
                            channel,
                            channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE),
                            settings.idleTimeoutMs()));
        }
    }
}
