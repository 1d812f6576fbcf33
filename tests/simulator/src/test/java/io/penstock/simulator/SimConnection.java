package io.penstock.simulator;

import io.penstock.simulator.Reached.State;
import io.penstock.transport.Connection;
import io.penstock.transport.TransportContext;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The broker's end of a connection. Bodies stay where they lie until they are sent, which may be later. */
final class SimConnection implements Connection {
    private final SimNetwork network;
    private final Life life;
    private final SimLink link;
    private final ArrayDeque<Part> parts = new ArrayDeque<>();
    private final ExpandableArrayBuffer assembly = new ExpandableArrayBuffer(256);
    private int assembled;
    private long position;
    private long completed;
    private boolean isClosed;

    private record Part(UnsafeBuffer header, DirectBuffer body, int length, int remaining, long position) {}

    SimConnection(final SimNetwork network, final Life life, final SimLink link) {
        this.network = network;
        this.life = life;
        this.link = link;
    }

    SimLink link() {
        return link;
    }

    /** Sends some of what was offered. Returns the number of parts. */
    int send() {
        final int limit = network.isCalm() ? Integer.MAX_VALUE : network.random.nextInt(8);
        return send(limit);
    }

    private int send(final int limit) {
        int count = 0;
        while (count < limit && !parts.isEmpty()) {
            final Part part = parts.remove();
            assembly.putBytes(assembled, part.header, 0, part.header.capacity());
            assembled += part.header.capacity();
            assembly.putBytes(assembled, part.body, 0, part.length);
            assembled += part.length;
            completed = part.position;
            if (part.remaining == 0) {
                final byte[] frame = new byte[assembled];
                assembly.getBytes(0, frame);
                assembled = 0;
                link.sendToClient(frame);
            }
            count++;
        }
        return count;
    }

    void closedByPeer() {
        parts.clear();
        isClosed = true;
    }

    @Override
    public long id() {
        return link.id();
    }

    @Override
    public String peer() {
        return "sim:" + link.id();
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public int bestSendLength() {
        return TransportContext.FRAGMENT_LENGTH_MIN;
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
        if (isClosed) {
            return CLOSED;
        }
        if (!life.isEnded() && !network.isCalm() && (!link.hasRoomToClient() || parts.size() >= 8)) {
            network.reached.add(State.BACK_PRESSURE);
            return BACK_PRESSURED;
        }
        position += headerLength + bodyLength;
        if (life.isEnded()) {
            completed = position;
            return position;
        }
        final byte[] copy = new byte[headerLength];
        header.getBytes(headerOffset, copy);
        parts.add(new Part(
                new UnsafeBuffer(copy),
                new UnsafeBuffer(body, bodyOffset, bodyLength),
                bodyLength,
                remaining,
                position));
        return position;
    }

    @Override
    public long completedPosition() {
        return completed;
    }

    @Override
    public boolean isFlushed() {
        return parts.isEmpty();
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        if (!isClosed) {
            if (!life.isEnded()) {
                send(Integer.MAX_VALUE);
                link.close();
            }
            closedByPeer();
        }
    }
}
