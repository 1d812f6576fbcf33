package io.penstock.broker.session.send;

import io.penstock.transport.Connection;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableRingBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Answers to one client that its connection does not take at once. Bounded: while there is no room for another answer
 * the client is not read. Takes memory only while something waits. Confined to the client's I/O agent.
 */
public final class Outbox {
    /** No answer is longer than this. */
    static final int ANSWER_LENGTH_MAX = 2048;

    private static final int CAPACITY_INITIAL = 4 * 1024;
    private static final int CAPACITY_MAX = 64 * 1024;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final Connection connection;
    private final ExpandableRingBuffer.MessageConsumer offerWaiting = this::offerWaiting;
    private @Nullable ExpandableRingBuffer waiting;
    private boolean held;

    /** Has nothing that waits for the connection. */
    public Outbox(final Connection connection) {
        this.connection = connection;
    }

    /** Whether two answers fit: one to a command, and one to what it causes. */
    public boolean hasRoom() {
        return waiting == null || CAPACITY_MAX - waiting.size() > 4 * ANSWER_LENGTH_MAX;
    }

    /** Sends an answer now, or keeps it until the connection takes it. */
    void send(final DirectBuffer buffer, final int offset, final int length) {
        if (!held
                && waiting == null
                && connection.offer(buffer, offset, length, EMPTY, 0, 0, 0) != Connection.BACK_PRESSURED) {
            return;
        }
        if (waiting == null) {
            waiting = new ExpandableRingBuffer(CAPACITY_INITIAL, CAPACITY_MAX, true);
        }
        if (!waiting.append(buffer, offset, length)) {
            throw new IllegalStateException("outbox: no room for an answer of " + length + " bytes");
        }
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return waiting == null;
    }

    /** Keeps all answers back while a long message is half sent, since nothing may come between its parts. */
    public void hold(final boolean value) {
        held = value;
    }

    /** Sends what waits, and returns whether nothing is left. */
    public boolean flush() {
        if (held) {
            return false;
        }
        if (waiting != null) {
            waiting.consume(offerWaiting, Integer.MAX_VALUE);
            if (!waiting.isEmpty()) {
                return false;
            }
            waiting = null;
        }
        return true;
    }

    private boolean offerWaiting(
            final MutableDirectBuffer buffer, final int offset, final int length, final int headOffset) {
        return connection.offer(buffer, offset, length, EMPTY, 0, 0, 0) != Connection.BACK_PRESSURED;
    }
}
