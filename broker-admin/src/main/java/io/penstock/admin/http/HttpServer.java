package io.penstock.admin.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens for HTTP and reads requests, with one thread of its own. Made and closed by any thread. */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 256;
    private static final int LINE_LENGTH_MAX = 8 * 1024;
    private static final int HEADERS_LENGTH_MAX = 16 * 1024;
    private static final int PART_LENGTH_MAX = 8 * 1024;
    private static final int WAITING_LENGTH_MIN = 64 * 1024;
    private static final int WAITING_LENGTH_MAX = 256 * 1024;
    private static final long CLOSE_TIMEOUT_S = 5;

    private final ServerSettings settings;
    private final RequestCheck check;
    private final RequestHandler handler;
    private final Refusals refusals;
    private final EventLoopGroup threads;
    private final AtomicInteger connectionCount = new AtomicInteger();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listening;

    /**
     * Begins to serve.
     *
     * @param settings bounds.
     * @param handler  answers requests.
     * @param refusals is notified of those that are refused.
     * @throws IOException when it cannot listen: the address, the reason and the remedy.
     */
    public HttpServer(final ServerSettings settings, final RequestHandler handler, final Refusals refusals)
            throws IOException {
        this.settings = settings;
        this.handler = handler;
        this.refusals = refusals;
        check = new RequestCheck(settings.hosts(), settings.isEncrypted());
        threads = thread();
        final ChannelFuture bound = new ServerBootstrap()
                .group(threads)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                // Readers of streams that are gone without a word are found by this.
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(WAITING_LENGTH_MIN, WAITING_LENGTH_MAX))
                .childHandler(new Connections())
                .bind(settings.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close(threads);
            throw new IOException(
                    "admin.listen: cannot listen on " + settings.address().getHostString() + ":"
                            + settings.address().getPort() + ": "
                            + bound.cause().getMessage() + " (use another port, or 0 for a free one)",
                    bound.cause());
        }
        listening = bound.channel();
    }

    /** Made by a class that Netty 4.1 has as well, since a framework may choose the version. */
    @SuppressWarnings("deprecation")
    private static EventLoopGroup thread() {
        return new NioEventLoopGroup(1, task -> {
            final Thread thread = new FastThreadLocalThread(task, "penstock-admin");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Connections that are open. */
    public int connectionCount() {
        return connectionCount.get();
    }

    /** The server's thread, for what is to be done later. */
    public ScheduledExecutorService executor() {
        return threads;
    }

    /** Closes all connections, and waits for the thread to end. Idempotent. */
    @Override
    public void close() {
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
            channel.closeFuture().addListener(closed -> connectionCount.decrementAndGet());
            connections.add(channel);
            if (connectionCount.incrementAndGet() > settings.connectionCountMax()) {
                turnAway(channel);
                return;
            }
            final RequestReader reader = new RequestReader(settings, check, handler, refusals);
            channel.pipeline().addLast(new ConnectionStart(settings.tls(), reader));
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(final ChannelHandlerContext ctx, final Object bytes) {
                    reader.onBytes();
                    ctx.fireChannelRead(bytes);
                }
            });
            channel.pipeline()
                    .addLast(new HttpRequestDecoder(LINE_LENGTH_MAX, HEADERS_LENGTH_MAX, PART_LENGTH_MAX))
                    .addLast(new HttpResponseEncoder())
                    .addLast(reader);
        }

        private void turnAway(final SocketChannel channel) {
            final Problem problem = new Problem(
                    503,
                    "TOO_MANY_CONNECTIONS",
                    "server: has " + settings.connectionCountMax()
                            + " connections already (try again later, or raise admin.connectionCountMax)");
            refusals.onRefused(String.valueOf(channel.remoteAddress()), "", problem);
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
