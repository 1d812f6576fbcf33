package io.penstock.broker.session.send;

/**
 * Runs of the log that a connection has taken but not completed: which part of the window it still needs. Empty for
 * media that copy or send at once. Bounded: at the bound nothing more is offered. Confined to one I/O agent.
 */
public final class InFlight {
    private static final int COUNT_MAX = 256;
    private static final int FIELD_COUNT = 3;

    private long[] entries = new long[0];
    private int head;
    private int count;

    /** Whether no other run may be added. */
    public boolean isFull() {
        return count == COUNT_MAX;
    }

    /** A run was taken: it is needed until the connection has completed a position. */
    public void add(final long connectionPosition, final int shard, final long logPosition) {
        if (entries.length == 0) {
            entries = new long[COUNT_MAX * FIELD_COUNT];
        }
        final int at = ((head + count) % COUNT_MAX) * FIELD_COUNT;
        entries[at] = connectionPosition;
        entries[at + 1] = shard;
        entries[at + 2] = logPosition;
        count++;
    }

    /** Forgets what the connection has completed. */
    public void onCompleted(final long completedPosition) {
        while (count > 0 && entries[head * FIELD_COUNT] <= completedPosition) {
            head = (head + 1) % COUNT_MAX;
            count--;
        }
    }

    /** Whether something before a position of a shard's log is still needed. */
    public boolean isBefore(final int shard, final long logPosition) {
        for (int i = 0; i < count; i++) {
            final int at = ((head + i) % COUNT_MAX) * FIELD_COUNT;
            if (entries[at + 1] == shard && entries[at + 2] < logPosition) {
                return true;
            }
        }
        return false;
    }
}
