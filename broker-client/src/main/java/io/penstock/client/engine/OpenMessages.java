package io.penstock.client.engine;

import org.agrona.BitUtil;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Messages that were handed to a program and are not processed yet. All messages of a shard up to the first open one
 * are noted as processed. Bounded: when there are too many, no more are handed over. The agent adds messages; any
 * thread marks them as done.
 */
final class OpenMessages {
    private final Int2ObjectHashMap<OfShard> shards = new Int2ObjectHashMap<>();
    private final int limit;
    private final Noted noted;
    private final Runnable wakeup;
    private int count;
    private boolean isAgentRefused;

    /** Called under the lock, so that notes come in order. */
    interface Noted {
        void onNoted(int shard, long sequence);
    }

    private static final class OfShard {
        private final long[] sequences;
        private final boolean[] isDone;
        private long head;
        private long tail;

        OfShard(final int capacity) {
            sequences = new long[capacity];
            isDone = new boolean[capacity];
        }

        int slot(final long position) {
            return (int) position & (sequences.length - 1);
        }

        int find(final long sequence) {
            long low = head;
            long high = tail - 1;
            while (low <= high) {
                final long middle = low + (high - low) / 2;
                final long found = sequences[slot(middle)];
                if (found == sequence) {
                    return slot(middle);
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

    OpenMessages(final int limit, final Noted noted, final Runnable wakeup) {
        this.limit = limit;
        this.noted = noted;
        this.wakeup = wakeup;
    }

    synchronized boolean hasRoom() {
        isAgentRefused = count == limit;
        return !isAgentRefused;
    }

    synchronized void add(final int shard, final long sequence) {
        OfShard of = shards.get(shard);
        if (of == null) {
            of = new OfShard(BitUtil.findNextPositivePowerOfTwo(limit));
            shards.put(shard, of);
        }
        final int slot = of.slot(of.tail++);
        of.sequences[slot] = sequence;
        of.isDone[slot] = false;
        count++;
    }

    /** Whether this is the newest open one of its shard. */
    synchronized boolean isNewest(final int shard, final long sequence) {
        final OfShard of = shards.get(shard);
        return of != null && of.head < of.tail && of.sequences[of.slot(of.tail - 1)] == sequence;
    }

    /** Nothing happens for a message that is not open. */
    void done(final int shard, final long sequence) {
        if (markDone(shard, sequence)) {
            wakeup.run();
        }
    }

    /** Returns true when the agent waits for room and has it now. */
    private synchronized boolean markDone(final int shard, final long sequence) {
        final OfShard of = shards.get(shard);
        final int found = of == null ? -1 : of.find(sequence);
        if (of == null || found < 0) {
            return false;
        }
        of.isDone[found] = true;
        long last = 0;
        while (of.head < of.tail && of.isDone[of.slot(of.head)]) {
            last = of.sequences[of.slot(of.head)];
            of.head++;
            count--;
        }
        if (last > 0) {
            noted.onNoted(shard, last);
        }
        final boolean isAwaited = isAgentRefused && count < limit;
        isAgentRefused &= !isAwaited;
        return isAwaited;
    }
}
