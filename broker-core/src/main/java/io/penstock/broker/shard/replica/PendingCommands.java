package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.order.MessageEntry;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one origin that are not applied yet, in a ring of bounded memory, so that they can be handed over again.
 * Pieces of long messages have only their headers in it. Owned by the I/O agent.
 */
final class PendingCommands {
    private static final int COUNT_MAX = 4 * 1024;
    private static final int MASK = COUNT_MAX - 1;

    private final UnsafeBuffer memory;
    private final int capacity;
    private final long[] positions = new long[COUNT_MAX];
    private final int[] lengths = new int[COUNT_MAX];
    private final @Nullable DirectBuffer[] bodies = new DirectBuffer[COUNT_MAX];
    private final int[] bodyOffsets = new int[COUNT_MAX];
    private final int[] bodyLengths = new int[COUNT_MAX];

    /** The number of the oldest that is not applied. */
    private long first = 1;

    /** The number of the next one. */
    private long next = 1;

    private long head;
    private long tail;
    private long claimed;

    /** @param length of the memory in bytes, a power of two. */
    PendingCommands(final int length) {
        if (Integer.bitCount(length) != 1) {
            throw new IllegalArgumentException("commands in flight: not a power of two: " + length);
        }
        capacity = length;
        memory = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    UnsafeBuffer memory() {
        return memory;
    }

    /** The number that the next command has. */
    long next() {
        return next;
    }

    /** The number of the oldest command that is not applied; {@link #next} when there is none. */
    long first() {
        return first;
    }

    /** Whether there is room for so many commands of so many bytes together, wherever the ring begins anew. */
    boolean hasRoom(final int count, final int length) {
        return next - first + count <= COUNT_MAX && tail - head + length <= capacity;
    }

    /** Finds room for the next command. Returns where, or -1. It is taken by {@link #add}. */
    int claim(final int length) {
        if (next - first == COUNT_MAX) {
            return -1;
        }
        final int index = (int) tail & (capacity - 1);
        claimed = length > capacity - index ? tail + capacity - index : tail;
        return claimed + length - head > capacity ? -1 : (int) claimed & (capacity - 1);
    }

    /** A command was written where it was claimed, with this length at most. */
    void add(final int length) {
        add(length, null, 0, 0);
    }

    /** The same for one of which a part lies elsewhere, and stays there until it is applied. */
    void add(final int length, final @Nullable DirectBuffer body, final int bodyOffset, final int bodyLength) {
        final int at = (int) next & MASK;
        positions[at] = claimed;
        lengths[at] = length;
        bodies[at] = body;
        bodyOffsets[at] = bodyOffset;
        bodyLengths[at] = bodyLength;
        tail = claimed + MessageEntry.align(length);
        next++;
    }

    int offset(final long number) {
        return (int) positions[(int) number & MASK] & (capacity - 1);
    }

    int length(final long number) {
        return lengths[(int) number & MASK];
    }

    @Nullable
    DirectBuffer body(final long number) {
        return bodies[(int) number & MASK];
    }

    int bodyOffset(final long number) {
        return bodyOffsets[(int) number & MASK];
    }

    int bodyLength(final long number) {
        return bodyLengths[(int) number & MASK];
    }

    /** All commands up to a number are applied. Returns whether that is news. */
    boolean onApplied(final long number) {
        if (number < first) {
            return false;
        }
        for (long each = first; each <= number; each++) {
            bodies[(int) each & MASK] = null;
        }
        first = number + 1;
        head = first == next ? tail : positions[(int) first & MASK];
        return true;
    }
}
