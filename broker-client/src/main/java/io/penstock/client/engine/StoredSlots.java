package io.penstock.client.engine;

import org.agrona.BitUtil;
import org.jspecify.annotations.Nullable;

/** A ring with the state of messages in a publish store, by their positions. Owned by the agent. */
final class StoredSlots {
    final long[] sequences;
    final long[] commandIds;

    /** The acknowledgements for which the program waits, and those that release the message; 0 and 0 = done. */
    final byte[] askedTypes;

    final byte[] releaseTypes;
    final @Nullable PendingCommand[] publishes;
    private final int mask;

    StoredSlots(final int limit) {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(limit);
        sequences = new long[capacity];
        commandIds = new long[capacity];
        askedTypes = new byte[capacity];
        releaseTypes = new byte[capacity];
        publishes = new PendingCommand[capacity];
        mask = capacity - 1;
    }

    int capacity() {
        return mask + 1;
    }

    int of(final long position) {
        return (int) position & mask;
    }

    boolean isDone(final int slot) {
        return askedTypes[slot] == 0 && releaseTypes[slot] == 0;
    }

    /** Finds the position of a message among those from {@code head} up to {@code tail}; -1 when it is none of them. */
    long find(final long sequence, final long head, final long tail) {
        long low = head;
        long high = tail - 1;
        while (low <= high) {
            final long middle = low + (high - low) / 2;
            final long found = sequences[of(middle)];
            if (found == sequence) {
                return middle;
            }
            if (found < sequence) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
