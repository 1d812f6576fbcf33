package io.penstock.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;

/** Ends connections whose peers take nothing of what they were answered for too long. Confined to the server's thread. */
final class SlowReaders {
    private SlowReaders() {}

    /**
     * Watches an answer until all of it is taken.
     *
     * @param channel   of the connection.
     * @param answer    that is being sent.
     * @param timeoutMs in which some of it has to be taken, again and again.
     */
    static void watch(final Channel channel, final ChannelFuture answer, final int timeoutMs) {
        if (!answer.isDone()) {
            watch(channel, answer, timeoutMs, progress(channel));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What is closed needs no more looks.
    private static void watch(
            final Channel channel, final ChannelFuture answer, final int timeoutMs, final long before) {
        channel.eventLoop()
                .schedule(
                        () -> {
                            if (!answer.isDone()) {
                                final long now = progress(channel);
                                if (now == before) {
                                    channel.close();
                                } else {
                                    watch(channel, answer, timeoutMs, now);
                                }
                            }
                        },
                        timeoutMs,
                        TimeUnit.MILLISECONDS);
    }

    /** A number that is another when the peer has taken something. */
    private static long progress(final Channel channel) {
        final ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }
}
