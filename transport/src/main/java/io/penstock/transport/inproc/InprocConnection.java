package io.penstock.transport.inproc;

import io.penstock.transport.BasicConnection;
import io.penstock.transport.RingReads;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** One end of a link. Owned by the agent of its transport. */
final class InprocConnection extends BasicConnection implements ControlledMessageHandler {
    private final InprocTransport transport;
    private final TransportContext context;
    private final TransportCounters counters;
    private final InprocLink link;
    private final InprocLink.End own;
    private final InprocLink.End peer;
    private final OneToOneRingBuffer outbound;
    private final OneToOneRingBuffer inbound;

    private int receivedFrameLength;
    private int receivedFrameOffset;
    private int fragmentCount;
    private boolean isWakePending;
    private boolean isReading;
    private boolean isRefused;

    InprocConnection(
            final InprocTransport transport,
            final TransportContext context,
            final InprocLink link,
            final boolean isConnector,
            final long id,
            final String peerName) {
        super(id, peerName, true, InprocLink.PART_LENGTH_MAX);
        this.transport = transport;
        this.context = context;
        this.counters = context.counters();
        this.link = link;
        this.own = isConnector ? link.connector() : link.acceptor();
        this.peer = isConnector ? link.acceptor() : link.connector();
        this.outbound = own.ring();
        this.inbound = peer.ring();
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public long offer(
            final DirectBuffer header,
            final int headerOffset,
            final int headerLength,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength,
            final int remaining) {
        if (isClosed() || peer.isClosed()) {
            return CLOSED;
        }
        final int length = headerLength + bodyLength;
        final int frameLength = length + remaining;
        checkPart(length, remaining);
        final int index = claim(frameLength + 1, length);
        if (index < 0) {
            return BACK_PRESSURED;
        }
        final AtomicBuffer buffer = outbound.buffer();
        buffer.putBytes(index, header, headerOffset, headerLength);
        buffer.putBytes(index + headerLength, body, bodyOffset, bodyLength);
        outbound.commit(index);
        isWakePending = true;
        counters.onCopied(length);
        counters.onSent(length);
        return onTaken(length, remaining);
    }

    private int claim(final int type, final int length) {
        int index = outbound.tryClaim(type, length);
        if (index == RingBuffer.INSUFFICIENT_CAPACITY) {
            own.waitsForRoom(true);
            // The reader may have made room before it could see that this end waits.
            index = outbound.tryClaim(type, length);
            if (index >= 0) {
                own.waitsForRoom(false);
            }
        }
        return index;
    }

    @Override
    public boolean isBlocked() {
        return !isClosed() && !peer.isClosed() && own.waitsForRoom();
    }

    @Override
    public boolean isFlushed() {
        return !isWakePending;
    }

    @Override
    public void close() {
        if (!isClosed()) {
            markClosed();
            isWakePending = false;
            transport.onClosed();
            if (!isReading) {
                link.release(own, peer);
            }
        }
    }

    /** Notifies the peer's agent if something was offered since the last time. */
    int flush() {
        if (isWakePending && !isClosed()) {
            isWakePending = false;
            peer.wake();
            return 1;
        }
        return 0;
    }

    /** A refused fragment is not ready: only the owner knows when there is room for it. */
    boolean isReady() {
        return !isClosed() && !isRefused && (inbound.size() > 0 || peer.isClosed());
    }

    /** Returns the fragments delivered, and one more when the connection has ended. */
    int poll(final int limit) {
        if (isClosed()) {
            return 0;
        }
        // Looked at first: what the peer wrote before it closed is in the ring by then.
        final boolean isPeerClosed = peer.isClosed();
        int workCount = inbound.size() > 0 ? read(limit) : 0;
        if (isPeerClosed && !isClosed() && inbound.size() == 0) {
            disconnect("closed by peer");
            workCount++;
        }
        return workCount;
    }

    private int read(final int limit) {
        fragmentCount = 0;
        isReading = true;
        // Not by counting fragments: the padding at the end of a ring takes room as well.
        final long positionBefore = inbound.consumerPosition();
        try {
            final int unused = RingReads.read(inbound, this, limit);
        } finally {
            isReading = false;
            if (inbound.consumerPosition() > positionBefore) {
                peer.wakeIfWaitingForRoom();
            }
            if (isClosed()) {
                link.release(own, peer);
            }
        }
        return fragmentCount;
    }

    @Override
    public Action onMessage(final int typeId, final MutableDirectBuffer buffer, final int index, final int length) {
        if (receivedFrameOffset == receivedFrameLength) {
            receivedFrameLength = typeId - 1;
            receivedFrameOffset = 0;
        }
        if (receivedFrameLength > context.frameLengthMax()) {
            counters.onProtocolError();
            disconnect("frame is longer than transport.frameLengthMax: " + receivedFrameLength + " (the limit is "
                    + context.frameLengthMax() + ")");
            return Action.BREAK;
        }
        // Advanced first: the ring drops the record of a handler that throws.
        final int frameOffset = receivedFrameOffset;
        receivedFrameOffset += length;
        isRefused = !context.handler().onFragment(this, buffer, index, length, frameOffset, receivedFrameLength);
        if (isRefused) {
            receivedFrameOffset = frameOffset;
            return isClosed() ? Action.BREAK : Action.ABORT;
        }
        fragmentCount++;
        counters.onReceived(length);
        return isClosed() ? Action.BREAK : Action.CONTINUE;
    }

    private void disconnect(final String reason) {
        close();
        context.handler().onDisconnect(this, reason);
    }
}
