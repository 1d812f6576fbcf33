package io.penstock.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Takes connections. When that fails, for example since there are too many open files, it is reported, and tried again
 * after a pause. Confined to the server's thread.
 */
final class Acceptor extends ChannelInboundHandlerAdapter {
    private static final int WAITING_LENGTH_MIN = 64 * 1024;
    private static final int WAITING_LENGTH_MAX = 256 * 1024;
    private static final long PAUSE_MS = 1000;

    private final EventLoopGroup threads;
    private final ChannelHandler connections;
    private final Guard guard;

    /**
     * Makes it.
     *
     * @param threads     that serve connections.
     * @param connections put into the pipeline of each of them.
     * @param guard       is told of failures.
     */
    Acceptor(final EventLoopGroup threads, final ChannelHandler connections, final Guard guard) {
        this.threads = threads;
        this.connections = connections;
        this.guard = guard;
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object accepted) {
        if (!(accepted instanceof Channel channel)) {
            ReferenceCountUtil.release(accepted);
            return;
        }
        try {
            channel.config().setOption(ChannelOption.TCP_NODELAY, true);
            channel.config()
                    .setOption(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark(WAITING_LENGTH_MIN, WAITING_LENGTH_MAX));
            channel.pipeline().addLast(connections);
            threads.register(channel).addListener(registered -> {
                if (!registered.isSuccess()) {
                    guard.report(registered.cause());
                    channel.unsafe().closeForcibly();
                }
            });
        } catch (final Throwable e) {
            guard.report(e);
            channel.unsafe().closeForcibly();
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It ends with the thread.
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
        guard.report(cause);
        final Channel listening = context.channel();
        listening.config().setAutoRead(false);
        context.executor()
                .schedule(guard.guarded(() -> listening.config().setAutoRead(true)), PAUSE_MS, TimeUnit.MILLISECONDS);
    }
}
