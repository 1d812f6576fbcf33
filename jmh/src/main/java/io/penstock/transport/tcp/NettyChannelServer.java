package io.penstock.transport.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.penstock.transport.TransportContext;
import io.penstock.transport.stream.StreamTransport;
import org.jspecify.annotations.Nullable;

/** What the transport would be on Netty's channels: same framing, same receive length, no allocation per frame. */
final class NettyChannelServer extends ChannelInitializer<Channel> {
    private final boolean isEcho;
    private volatile long frameCount;

    NettyChannelServer(final boolean isEcho) {
        this.isEcho = isEcho;
    }

    io.netty.channel.ChannelFuture bind(final EventLoopGroup group) {
        return new ServerBootstrap()
                .group(group)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(StreamTransport.RECEIVE_LENGTH))
                .childHandler(this)
                .bind("127.0.0.1", 0);
    }

    long frameCount() {
        return frameCount;
    }

    @Override
    protected void initChannel(final Channel channel) {
        channel.pipeline().addLast(new Frames());
    }

    private final class Frames extends ChannelInboundHandlerAdapter {
        private @Nullable ByteBuf tail;
        private @Nullable ByteBuf answer;
        private long count;

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message) {
            ByteBuf in = (ByteBuf) message;
            if (tail != null) {
                in = tail.writeBytes(in);
                ((ByteBuf) message).release();
                tail = null;
            }
            while (in.readableBytes() >= Integer.BYTES) {
                final int length = in.getIntLE(in.readerIndex());
                if (in.readableBytes() < Integer.BYTES + length) {
                    break;
                }
                if (isEcho) {
                    if (answer == null) {
                        answer = context.alloc().directBuffer(2 * TransportContext.FRAGMENT_LENGTH_MIN);
                    }
                    answer.writeBytes(in, in.readerIndex(), Integer.BYTES + length);
                }
                in.skipBytes(Integer.BYTES + length);
                count++;
            }
            if (in.isReadable()) {
                tail = context.alloc()
                        .directBuffer(2 * StreamTransport.RECEIVE_LENGTH)
                        .writeBytes(in);
            }
            in.release();
        }

        /** The void promise reports a failure to the pipeline. */
        @SuppressWarnings("FutureReturnValueIgnored")
        @Override
        public void channelReadComplete(final ChannelHandlerContext context) {
            frameCount = count;
            if (answer != null) {
                context.writeAndFlush(answer, context.voidPromise());
                answer = null;
            }
        }

        @Override
        public void channelInactive(final ChannelHandlerContext context) {
            if (tail != null) {
                tail.release();
            }
        }
    }
}
