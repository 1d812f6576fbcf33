package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.penstock.bridge.giop.MessageReader;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ProtocolException;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.transport.PeerIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a CORBA client. It is read as long as there is room for what it asks and for what it is answered.
 * Owned by its thread of Netty, except where a method says otherwise.
 */
final class IiopConnection extends ChannelInboundHandlerAdapter {
    private static final System.Logger LOG = System.getLogger(IiopConnection.class.getName());

    private final IiopServer server;
    private final Channel channel;
    private final MessageReader reader;
    private final IncomingRequests requests;
    private final CallsUnderWay calls;
    private final CallTurn turn;
    private final SendQueue sends;
    private final UsedSessions sessions = new UsedSessions();
    private final Activity activity = new Activity();
    private final ConnectionEnd end;
    private boolean isReading;
    private boolean isWriteDue;
    // Read by the thread that looks for idle connections.
    private volatile boolean isWaitingForRoom;

    /** Received bytes that were not read for want of room; the socket is not read meanwhile. */
    private final Queue<ByteBuf> unread = new ArrayDeque<>(1);

    IiopConnection(final IiopServer server, final Channel channel) {
        this.server = server;
        this.channel = channel;
        calls = new CallsUnderWay(server.held().asked());
        turn = new CallTurn(server.pool());
        sends = new SendQueue(channel, server.held().answered());
        end = new ConnectionEnd(channel, sends, calls);
        requests = new IncomingRequests(this, calls);
        reader = new MessageReader(server.limits(), server.held().received(), channel.alloc(), requests);
    }

    IiopServer server() {
        return server;
    }

    /** Where the client is; any thread may ask. */
    InetAddress caller() {
        return callerAddress().getAddress();
    }

    /** Likewise, with its port. */
    InetSocketAddress callerAddress() {
        return (InetSocketAddress) channel.remoteAddress();
    }

    /** What the client has proved; any thread may ask. */
    PeerIdentity identity() {
        final PeerIdentity proved = channel.attr(ConnectionStart.IDENTITY).get();
        return proved == null ? PeerIdentity.UNKNOWN : proved;
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message) {
        activity.onActive();
        unread.add((ByteBuf) message);
        readOn();
        if (!unread.isEmpty()) {
            // No more comes from the socket.
            keepBounds();
        }
    }

    /** Reads what has come, up to where there is no room for another request. */
    private void readOn() {
        isReading = true;
        try {
            ByteBuf in = unread.peek();
            while (in != null && !end.isBegun() && !isFull()) {
                final int length = in.readableBytes();
                reader.read(in);
                activity.onRead(length - in.readableBytes(), reader.isInMessage());
                if (!in.isReadable()) {
                    unread.remove().release();
                    in = unread.peek();
                }
            }
        } catch (final ProtocolException e) {
            refuse(e);
        } catch (final RuntimeException | Error e) {
            // Nobody else would hear of it when it was read in a task.
            fail(e);
            end.cut();
        } finally {
            isReading = false;
        }
        if (end.isBegun()) {
            dropUnread();
        }
    }

    private void dropUnread() {
        unread.forEach(ByteBuf::release);
        unread.clear();
    }

    /** Answers to what was read go out together. */
    @Override
    public void channelReadComplete(final ChannelHandlerContext context) {
        write();
    }

    @Override
    public void channelWritabilityChanged(final ChannelHandlerContext context) {
        write();
    }

    private void write() {
        final boolean isWritten = sends.write();
        if (end.say(requests.minor()) || isWritten) {
            channel.flush();
        }
        keepBounds();
    }

    /** No more is read, and no more is begun, than there is room for. */
    private void keepBounds() {
        final boolean isSendingMuch = isMuch(sends.length(), server.held().answered());
        final boolean hasRoom = !end.isBegun() && !isFull();
        if (hasRoom && !unread.isEmpty()) {
            readOn();
            writeSoon();
            return;
        }
        if (channel.config().isAutoRead() != hasRoom) {
            activity.onReadingChanged();
            channel.config().setAutoRead(hasRoom);
        }
        isWaitingForRoom = !hasRoom && !end.isBegun();
        turn.hold(isSendingMuch);
    }

    /** Whether there is no room for another request. */
    boolean isFull() {
        return calls.count() >= server.waiting().requestCountMax()
                || isMuch(calls.length(), server.held().asked())
                || isMuch(sends.length(), server.held().answered());
    }

    /** A connection without requests and answers gets a turn, however much all connections have. */
    private boolean isMuch(final long length, final SharedLength ofAll) {
        return length >= server.waiting().lengthMax() || (length > 0 && ofAll.isOver());
    }

    /** Whether it is about to close; any thread may ask. */
    boolean isEnding() {
        return end.isBegun();
    }

    /** Keeps a session as long as the connection is there. */
    void use(final IiopSession session) {
        sessions.use(session);
    }

    /** The same, from any thread. */
    void useLater(final IiopSession session) {
        onThread(() -> {
            if (channel.isActive()) {
                use(session);
            }
        });
    }

    /** Has work done in the connection's turn, by a thread that may wait; any thread may ask. */
    void submit(final Runnable work) {
        turn.submit(work);
    }

    /** Takes work back; returns false when it has begun. Any thread may ask. */
    boolean withdraw(final Runnable work) {
        return turn.withdraw(work);
    }

    /** Has work done after a time, by the connection's thread; any thread may ask. */
    ScheduledFuture<?> schedule(final Runnable work, final long delayNs) {
        return channel.eventLoop().schedule(work, delayNs, TimeUnit.NANOSECONDS);
    }

    /** Has work done by the connection's thread; any thread may ask. */
    void onThread(final Runnable work) {
        if (channel.eventLoop().inEventLoop()) {
            work.run();
        } else {
            try {
                channel.eventLoop().execute(work);
            } catch (final RejectedExecutionException e) {
                // The bridge is closed, and all connections with it.
                return;
            }
        }
    }

    /** A call is answered; called by any thread. There is no answer when its client does not wait. */
    void onAnswered(final Call call, final @Nullable OutgoingMessage answer) {
        onThread(() -> {
            forget(call);
            send(call, answer);
        });
    }

    /** Sends the answer to a call, which may go on counting. */
    void send(final Call call, final @Nullable OutgoingMessage answer) {
        if (answer == null || end.isSaid() || !channel.isActive()) {
            call.endHandOver();
        } else {
            sends.add(answer, call::endHandOver);
        }
        if (!isReading) {
            writeSoon();
        }
    }

    /** After what else is known by now, so that answers go out together. */
    private void writeSoon() {
        if (!isWriteDue) {
            isWriteDue = true;
            channel.eventLoop().execute(() -> {
                isWriteDue = false;
                write();
            });
        }
    }

    /** A call was given up, and nothing is done for it any more; called by any thread. */
    void onOver(final Call call) {
        onThread(() -> {
            forget(call);
            if (!isReading) {
                writeSoon();
            }
        });
    }

    private void forget(final Call call) {
        if (calls.remove(call)) {
            activity.onActive();
        }
    }

    private void refuse(final ProtocolException reason) {
        server.counters().add(BridgeCounter.ARGUMENTS_REFUSED, 1);
        LOG.log(System.Logger.Level.DEBUG, () -> "a client is disconnected: " + reason.getMessage());
        end(MessageType.MESSAGE_ERROR);
    }

    /** Reads no more from now on, and closes when it can be said why. */
    private void end(final int type) {
        if (end.begin(type) && !isReading) {
            writeSoon();
        }
    }

    /** Closes when all that was asked is answered, in the way that lets a client connect again; any thread may ask. */
    void close() {
        onThread(() -> end(MessageType.CLOSE_CONNECTION));
    }

    /** Waits until it is closed, and closes it then without a word. */
    void awaitClose(final long deadlineNs) {
        if (!channel.closeFuture()
                .awaitUninterruptibly(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS)) {
            drop();
        }
    }

    /**
     * Called in turn, by another thread: closes when nothing comes, or too little of a message, or nothing is taken;
     * goes on when others have made room; refuses what the broker has not answered in time.
     */
    void lookAfter(final long nowNs, final long timeoutNs) {
        if (isWaitingForRoom) {
            onThread(this::keepBounds);
        }
        if (calls.count() > 0) {
            onThread(() -> calls.refuseLate(nowNs));
        }
        if (end.isBegun()) {
            if (end.isLate(nowNs, timeoutNs) && nowNs - sends.progressNs() > timeoutNs) {
                drop();
            }
        } else if (!sends.isEmpty() && nowNs - sends.progressNs() > timeoutNs) {
            drop();
        } else if (isIdle(nowNs, timeoutNs)) {
            onThread(() -> {
                // Something may have come meanwhile.
                if (isIdle(nowNs, timeoutNs)) {
                    end(MessageType.CLOSE_CONNECTION);
                }
            });
        } else if (channel.config().isAutoRead() && activity.isPartLate(nowNs, timeoutNs)) {
            drop();
        }
    }

    /** Whether it is closed, and nothing is done for it any more; any thread may ask. */
    boolean isOver() {
        return end.isGone() && calls.count() == 0;
    }

    private boolean isIdle(final long nowNs, final long timeoutNs) {
        return calls.count() == 0 && sends.isEmpty() && activity.isNoneFor(nowNs, timeoutNs);
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context) {
        end.cut();
        dropUnread();
        reader.release();
        sends.clear();
        calls.cancelAll();
        turn.end();
        sessions.exitAll();
    }

    /** The last that is heard of the channel, even of one that was never active. */
    @Override
    public void handlerRemoved(final ChannelHandlerContext context) {
        end.onGone();
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
        fail(cause);
    }

    private void fail(final Throwable cause) {
        drop();
        if (!(cause instanceof IOException)) {
            FailureLog.warn("bridge: a connection has failed", cause);
        }
    }

    /** Closes it without a word; any thread may ask. */
    void drop() {
        final var unused = channel.close();
    }
}
