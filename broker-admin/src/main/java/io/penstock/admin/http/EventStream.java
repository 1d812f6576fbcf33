package io.penstock.admin.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import java.nio.charset.StandardCharsets;

/** The parts of an answer, sent as they come. Safe on any thread; the parts of one thread keep their order. */
public final class EventStream {
    private final Channel channel;
    private final int timeoutMs;
    private final Guard guard;

    EventStream(final Channel channel, final int timeoutMs, final Guard guard) {
        this.channel = channel;
        this.guard = guard;
        this.timeoutMs = timeoutMs;
    }

    /** Whether the reader has taken enough of what was sent, so that more may be. */
    public boolean isReady() {
        return channel.isWritable();
    }

    /** Whether the reader is still there. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /** Has something run when the reader has gone, or at once when it has. */
    public void onClosed(final Runnable listener) {
        channel.closeFuture().addListener(closed -> guard.run(listener));
    }

    /**
     * Sends a part.
     *
     * @param part  of the answer.
     * @param taken run on the server's thread when the medium has taken it; not when the reader has gone.
     */
    public void send(final byte[] part, final Runnable taken) {
        send(Unpooled.wrappedBuffer(part), taken);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A failure closes the connection.
    private void send(final ByteBuf part, final Runnable taken) {
        channel.writeAndFlush(new DefaultHttpContent(part)).addListener(sent -> {
            if (sent.isSuccess()) {
                guard.run(taken);
            } else {
                channel.close();
            }
        });
    }

    /** Sends a part. */
    public void send(final byte[] part) {
        send(part, () -> {});
    }

    /** Sends the last part. A reader may pause before it, but has to take what is left then. */
    @SuppressWarnings("FutureReturnValueIgnored") // The connection is closed behind it.
    public void end(final byte[] part) {
        channel.write(new DefaultHttpContent(Unpooled.wrappedBuffer(part)));
        final ChannelFuture last =
                channel.writeAndFlush(new DefaultLastHttpContent()).addListener(ChannelFutureListener.CLOSE);
        channel.eventLoop().execute(guard.guarded(() -> SlowReaders.watch(channel, last, timeoutMs)));
    }

    /**
     * An event as its stream has it.
     *
     * @param name of the event; empty for a comment.
     * @param id   of the event; empty for none.
     * @param data of the event, without line breaks.
     * @return bytes to be sent.
     */
    public static byte[] event(final String name, final String id, final byte[] data) {
        final StringBuilder head = new StringBuilder(64);
        if (!id.isEmpty()) {
            head.append("id: ").append(id).append('\n');
        }
        head.append(name.isEmpty() ? ": " : "event: ").append(name);
        if (!name.isEmpty()) {
            head.append("\ndata: ");
        }
        final byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
        final byte[] event = new byte[start.length + data.length + 2];
        System.arraycopy(start, 0, event, 0, start.length);
        System.arraycopy(data, 0, event, start.length, data.length);
        event[event.length - 2] = '\n';
        event[event.length - 1] = '\n';
        return event;
    }
}
