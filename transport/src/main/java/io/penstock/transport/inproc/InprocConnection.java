package io.penstock.transport.inproc;

import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/** One end of a link. Owned by the agent of its transport. */
final class InprocConnection implements Connection, ControlledMessageHandler {
    private final InprocTransport transport;
    private final TransportContext context;
    private final TransportCounters counters;
    private final InprocLink link;
    private final InprocLink.End own;
    private final InprocLink.End peer;
    private final OneToOneRingBuffer outbound;
    private final OneToOneRingBuffer inbound;
    private final long id;
    private final String peerName;

    private long position;
    private int sendRemaining;
    private int receivedFrameLength;
    private int receivedFrameOffset;
    private int fragmentCount;
    private boolean isWakePending;
    private boolean isReading;
    private boolean isRefused;
    private boolean isClosed;

    InprocConnection(
            final InprocTransport transport,
            final TransportContext context,
            final InprocLink link,
            final boolean isConnector,
            final long id,
            final String peerName) {
        this.transport = transport;
        this.context = context;
        this.counters = context.counters();
        this.link = link;
        this.own = isConnector ? link.connector() : link.acceptor();
        this.peer = isConnector ? link.acceptor() : link.connector();
        this.outbound = own.ring();
        this.inbound = peer.ring();
        this.id = id;
        this.peerName = peerName;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String peer() {
        return peerName;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public int bestSendLength() {
        return InprocLink.PART_LENGTH_MAX;
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
        if (isClosed || peer.isClosed()) {
            return CLOSED;
        }
        final int length = headerLength + bodyLength;
        final int frameLength = length + remaining;
        checkPart(length, remaining);
        assert sendRemaining == 0 || sendRemaining == frameLength : sendRemaining + " expected, got " + frameLength;
        final int index = claim(frameLength + 1, length);
        if (index < 0) {
            return BACK_PRESSURED;
        }
        final AtomicBuffer buffer = outbound.buffer();
        buffer.putBytes(index, header, headerOffset, headerLength);
        buffer.putBytes(index + headerLength, body, bodyOffset, bodyLength);
        outbound.commit(index);
        sendRemaining = remaining;
        isWakePending = true;
        position += length;
        counters.onCopied(length);
        counters.onSent(length);
        return position;
    }

    private static void checkPart(final int length, final int remaining) {
        if (length < 0 || length > InprocLink.PART_LENGTH_MAX || (length == 0 && remaining != 0)) {
            throw new IllegalArgumentException("offer: part has a bad length: " + length + " (use 1 to "
                    + InprocLink.PART_LENGTH_MAX + ", or 0 for an empty frame)");
        }
        if (remaining < 0 || remaining >= Integer.MAX_VALUE - length) {
            throw new IllegalArgumentException(
                    "offer: remaining is out of range: " + remaining + " (use a frame of less than 2 GiB)");
        }
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
    public long completedPosition() {
        return position;
    }

    @Override
    public boolean isFlushed() {
        return !isWakePending;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            isWakePending = false;
            transport.onClosed();
            if (!isReading) {
                link.release(own, peer);
            }
        }
    }

    @Override
    public String toString() {
        return peerName + "#" + id;
    }

    /** Tells the peer's agent that something was offered since the last time. */
    int flush() {
        if (isWakePending && !isClosed) {
            isWakePending = false;
            peer.wake();
            return 1;
        }
        return 0;
    }

    /** What the handler refused is not ready: only the owner knows when there is room for it. */
    boolean isReady() {
        return !isClosed && !isRefused && (inbound.size() > 0 || peer.isClosed());
    }

    /** Returns the fragments delivered, and one more when the connection turned out to be gone. */
    int poll(final int limit) {
        if (isClosed) {
            return 0;
        }
        // Looked at first: what the peer wrote before it closed is in the ring by then.
        final boolean isPeerClosed = peer.isClosed();
        int workCount = inbound.size() > 0 ? read(limit) : 0;
        if (isPeerClosed && !isClosed && inbound.size() == 0) {
            disconnect("closed by peer");
            workCount++;
        }
        return workCount;
    }

    private int read(final int limit) {
        fragmentCount = 0;
        isReading = true;
        // Not told by fragments: the padding at the end of a ring takes room as well.
        final long positionBefore = inbound.consumerPosition();
        try {
            inbound.controlledRead(this, limit);
        } finally {
            isReading = false;
            if (inbound.consumerPosition() > positionBefore) {
                peer.wakeIfWaitingForRoom();
            }
            if (isClosed) {
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
            return isClosed ? Action.BREAK : Action.ABORT;
        }
        fragmentCount++;
        counters.onReceived(length);
        return isClosed ? Action.BREAK : Action.CONTINUE;
    }

    private void disconnect(final String reason) {
        close();
        context.handler().onDisconnect(this, reason);
    }
}
