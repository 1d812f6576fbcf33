package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;

/**
 * How a connection comes to its end: no more is read, what was asked is answered, and then it is said why. Owned by the
 * connection's thread, except where a method says otherwise.
 */
final class ConnectionEnd {
    private final Channel channel;
    private final SendQueue sends;
    private final CallsUnderWay calls;
    private int type;
    private boolean isSaid;
    // Read by the thread that looks for idle connections.
    private volatile boolean isBegun;
    private volatile boolean isGone;
    private volatile long begunNs;

    /**
     * Not begun.
     *
     * @param channel to close.
     * @param sends   go before.
     * @param calls   are answered before.
     */
    ConnectionEnd(final Channel channel, final SendQueue sends, final CallsUnderWay calls) {
        this.channel = channel;
        this.sends = sends;
        this.calls = calls;
    }

    /** Whether no more is read; any thread may ask. */
    boolean isBegun() {
        return isBegun;
    }

    /** Whether it began longer ago than that; any thread may ask. */
    boolean isLate(final long nowNs, final long timeoutNs) {
        return nowNs - begunNs > timeoutNs;
    }

    /** Whether nothing may be sent any more. */
    boolean isSaid() {
        return isSaid;
    }

    /** Whether the channel is closed; any thread may ask. */
    boolean isGone() {
        return isGone;
    }

    /** Begins, with a message of that type at last; returns false when it has begun before. */
    boolean begin(final int newType) {
        if (isBegun) {
            return false;
        }
        type = newType;
        begunNs = System.nanoTime();
        isBegun = true;
        return true;
    }

    /** The channel is closed, or about to be, without a word. */
    void cut() {
        isBegun = true;
    }

    void onGone() {
        isGone = true;
    }

    /**
     * Reports why the connection closes, after all answers. A client that is notified of a close may repeat unanswered
     * requests, so the notice waits for answers that are still to come. Returns whether it is reported now.
     */
    boolean say(final int minor) {
        if (!isBegun || isSaid || sends.isWaiting() || (type == MessageType.CLOSE_CONNECTION && calls.count() > 0)) {
            return false;
        }
        isSaid = true;
        final OutgoingMessage last = OutgoingMessage.empty(minor, type);
        final ByteBuf out = Unpooled.buffer(last.nextLengthMax());
        last.writeNext(out);
        channel.write(out).addListener(ChannelFutureListener.CLOSE);
        return true;
    }
}
