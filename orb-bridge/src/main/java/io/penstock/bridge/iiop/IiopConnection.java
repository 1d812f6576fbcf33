package io.penstock.bridge.iiop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CodeSets;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageReader;
import io.penstock.bridge.giop.MessageSink;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ProtocolException;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeCounter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a CORBA client. It is read as long as there is room for what it asks and for what it is answered. Owned by
 * its thread of Netty's, but for what says otherwise.
 */
final class IiopConnection extends ChannelInboundHandlerAdapter implements MessageSink {
    private static final System.Logger LOG = System.getLogger(IiopConnection.class.getName());

    /** How many sessions it remembers before it looks for some that have ended. */
    private static final int SESSIONS_KEPT = 16;

    /** Of what has come in part, as much more has to come within the time after which a connection is idle, in bytes. */
    private static final int PART_LENGTH_MIN = 64 * 1024;

    private final IiopServer server;
    private final Channel channel;
    private final MessageReader reader;
    private final SendQueue sends;
    private final CallPool.Line line = new CallPool.Line();
    private final Set<Call> calls = new HashSet<>();
    private final Set<IiopSession> sessions = new HashSet<>();
    private long callsLength;
    private Charset charset = StandardCharsets.ISO_8859_1;
    private int minor = 2;
    private boolean isReading;
    private boolean isHeld;
    private boolean isWriteDue;
    private int endType;
    private boolean isEndSaid;
    // Read by the thread that looks for idle connections.
    private volatile boolean isEnding;
    private volatile boolean isGone;
    private volatile long endingNs;
    private volatile long activeNs = System.nanoTime();
    private volatile int callCount;
    private volatile boolean isWaitingForRoom;
    private volatile boolean isInPart;
    private volatile long partNs = System.nanoTime();
    private long partLength;

    /** What was received and not read for want of room; the socket is not read meanwhile. */
    private final Queue<ByteBuf> unread = new ArrayDeque<>(1);

    IiopConnection(final IiopServer server, final Channel channel) {
        this.server = server;
        this.channel = channel;
        sends = new SendQueue(channel, server.answered());
        reader = new MessageReader(server.limits(), server.received(), channel.alloc(), this);
    }

    IiopServer server() {
        return server;
    }

    /** Where the client is; any thread may ask. */
    InetAddress caller() {
        return ((InetSocketAddress) channel.remoteAddress()).getAddress();
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message) {
        activeNs = System.nanoTime();
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
            while (in != null && !isEnding && !isFull()) {
                final int length = in.readableBytes();
                reader.read(in);
                notePart(length - in.readableBytes());
                if (!in.isReadable()) {
                    unread.remove().release();
                    in = unread.peek();
                }
            }
        } catch (final ProtocolException e) {
            refuse(e);
        } catch (final RuntimeException e) {
            // Nobody else would hear of it when it was read in a task.
            fail(e);
            isEnding = true;
        } finally {
            isReading = false;
        }
        if (isEnding) {
            dropUnread();
        }
    }

    private void dropUnread() {
        unread.forEach(ByteBuf::release);
        unread.clear();
    }

    private void notePart(final int length) {
        final boolean isInMessage = reader.isInMessage();
        partLength += length;
        if (!isInPart || !isInMessage || partLength >= PART_LENGTH_MIN) {
            partLength = 0;
            partNs = System.nanoTime();
        }
        isInPart = isInMessage;
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
        if (sayEnd() || isWritten) {
            channel.flush();
        }
        keepBounds();
    }

    /** No more is read, and no more is begun, than there is room for. */
    private void keepBounds() {
        final boolean isSendingMuch = isMuch(sends.length(), server.answered());
        final boolean hasRoom = !isEnding && !isFull();
        if (hasRoom && !unread.isEmpty()) {
            readOn();
            writeSoon();
            return;
        }
        if (channel.config().isAutoRead() != hasRoom) {
            // The time in which it was not read does not count.
            partNs = System.nanoTime();
            channel.config().setAutoRead(hasRoom);
        }
        isWaitingForRoom = !hasRoom && !isEnding;
        if (isHeld != isSendingMuch) {
            isHeld = isSendingMuch;
            server.pool().hold(line, isHeld);
        }
    }

    @Override
    public boolean isFull() {
        return calls.size() >= server.requestCountMax()
                || isMuch(callsLength, server.asked())
                || isMuch(sends.length(), server.answered());
    }

    /** Whoever holds nothing gets a turn, however much all hold. */
    private boolean isMuch(final long length, final SharedLength ofAll) {
        return length >= server.waitingLengthMax() || (length > 0 && ofAll.isOver());
    }

    @Override
    public void onMessage(final MessageHeader header, final CdrReader body, final long length)
            throws ProtocolException {
        if (isEnding) {
            return;
        }
        minor = header.minor();
        switch (header.type()) {
            case MessageType.REQUEST -> onRequest(header, body, length);
            case MessageType.LOCATE_REQUEST -> {
                final RequestHeader request = read(header, body);
                call(header, request, length).locate(server.operations().isHere(request.key()));
            }
            case MessageType.CANCEL_REQUEST -> onCancel(body);
            case MessageType.CLOSE_CONNECTION, MessageType.MESSAGE_ERROR -> drop();
            default -> throw new ProtocolException("a client sends no message of type " + header.type());
        }
    }

    private static RequestHeader read(final MessageHeader header, final CdrReader body) throws ProtocolException {
        try {
            return header.type() == MessageType.REQUEST
                    ? RequestHeader.read(body, header.minor())
                    : RequestHeader.readLocate(body, header.minor());
        } catch (final SystemException e) {
            throw new ProtocolException("the header of a request cannot be read: " + e.getMessage());
        }
    }

    private Call call(final MessageHeader header, final RequestHeader request, final long length) {
        final Call call = new Call(this, header, request.id(), request.isReplyExpected(), length, charset);
        calls.add(call);
        callsLength += length;
        server.asked().force(length);
        callCount = calls.size();
        return call;
    }

    private void onRequest(final MessageHeader header, final CdrReader body, final long length)
            throws ProtocolException {
        final RequestHeader request = read(header, body);
        final Charset known = learnCharset(request);
        final Call call = call(header, request, length);
        body.charset(charset);
        try {
            if (known == null) {
                throw Failures.noCodeSet(request.codeSet());
            }
            server.operations().begin(call, request, body);
        } catch (final Throwable e) {
            // Whatever it is, its client waits, and so do the others of the connection.
            call.onFailure(e);
        }
    }

    /** What strings are from now on; null when the client names what is not known. */
    private @Nullable Charset learnCharset(final RequestHeader request) {
        final Charset known = request.codeSet() == 0 ? charset : CodeSets.charset(request.codeSet());
        charset = known == null ? charset : known;
        return known;
    }

    @Override
    public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason)
            throws ProtocolException {
        if (header.type() != MessageType.REQUEST) {
            throw new ProtocolException("a message of type " + header.type() + " is too long");
        }
        final RequestHeader request = read(header, begin);
        learnCharset(request);
        final Call call = call(header, request, 0);
        call.onFailure(reason == Refusal.TOO_LONG ? Failures.tooLong() : Failures.noRoom());
    }

    private void onCancel(final CdrReader body) throws ProtocolException {
        final int id;
        try {
            id = body.readInt();
        } catch (final SystemException e) {
            throw new ProtocolException("nothing to give up");
        }
        for (final Call each : new ArrayList<>(calls)) {
            if (each.id() == id) {
                each.cancel();
            }
        }
    }

    @Override
    public void onStaged(final int length) {
        server.counters().add(BridgeCounter.BYTES_STAGED, length);
    }

    /** Keeps a session as long as the connection is there. */
    void use(final IiopSession session) {
        if (!session.session().isGuest() && sessions.add(session)) {
            session.enter();
            if (sessions.size() > SESSIONS_KEPT) {
                sessions.removeIf(IiopSession::isEnded);
            }
        }
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
        server.pool().submit(line, work);
    }

    /** Takes work back; returns false when it has begun. Any thread may ask. */
    boolean withdraw(final Runnable work) {
        return server.pool().withdraw(line, work);
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

    /** A call is answered; any thread tells it. There is no answer when its client does not wait. */
    void onAnswered(final Call call, final @Nullable OutgoingMessage answer) {
        onThread(() -> {
            forget(call);
            send(call, answer);
        });
    }

    /** Sends the answer to a call, which may go on counting. */
    void send(final Call call, final @Nullable OutgoingMessage answer) {
        if (answer == null || isEndSaid || !channel.isActive()) {
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

    /** A call was given up, and nothing is done for it any more; any thread tells it. */
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
            callsLength -= call.length();
            server.asked().remove(call.length());
            callCount = calls.size();
            activeNs = System.nanoTime();
        }
    }

    private void refuse(final ProtocolException reason) {
        server.counters().add(BridgeCounter.ARGUMENTS_REFUSED, 1);
        LOG.log(System.Logger.Level.DEBUG, () -> "a client is disconnected: " + reason.getMessage());
        end(MessageType.MESSAGE_ERROR);
    }

    /** Reads no more from now on, and closes when it can be said why. */
    private void end(final int type) {
        if (!isEnding) {
            endType = type;
            endingNs = System.nanoTime();
            isEnding = true;
            if (!isReading) {
                writeSoon();
            }
        }
    }

    /**
     * Says why it closes, after all answers. A client that is told of a close may ask anew for what was not answered, so that
     * waits for the answers to come as well. Returns whether it is said now.
     */
    private boolean sayEnd() {
        if (!isEnding
                || isEndSaid
                || sends.isWaiting()
                || (endType == MessageType.CLOSE_CONNECTION && !calls.isEmpty())) {
            return false;
        }
        isEndSaid = true;
        final OutgoingMessage last = OutgoingMessage.empty(minor, endType);
        final ByteBuf out = Unpooled.buffer(last.nextLengthMax());
        last.writeNext(out);
        channel.write(out).addListener(ChannelFutureListener.CLOSE);
        return true;
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
        if (callCount > 0) {
            onThread(() -> new ArrayList<>(calls).forEach(each -> each.refuseWhenLate(nowNs)));
        }
        if (isEnding) {
            if (nowNs - endingNs > timeoutNs && nowNs - sends.progressNs() > timeoutNs) {
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
        } else if (isInPart && channel.config().isAutoRead() && nowNs - partNs > timeoutNs) {
            drop();
        }
    }

    /** Whether it is closed, and nothing is done for it any more; any thread may ask. */
    boolean isOver() {
        return isGone && callCount == 0;
    }

    private boolean isIdle(final long nowNs, final long timeoutNs) {
        return callCount == 0 && sends.isEmpty() && nowNs - activeNs > timeoutNs;
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context) {
        isEnding = true;
        dropUnread();
        reader.release();
        sends.clear();
        new ArrayList<>(calls).forEach(Call::cancel);
        // What was begun and is submitted again finds its call over, and says so.
        server.pool().hold(line, false);
        sessions.forEach(IiopSession::exit);
        sessions.clear();
    }

    /** The last that is heard of the channel, even of one that was never active. */
    @Override
    public void handlerRemoved(final ChannelHandlerContext context) {
        isGone = true;
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
        fail(cause);
    }

    private void fail(final Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.log(System.Logger.Level.WARNING, "bridge: a connection has failed", cause);
        }
        drop();
    }

    private void drop() {
        final var unused = channel.close();
    }
}
