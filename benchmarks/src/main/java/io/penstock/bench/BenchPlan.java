package io.penstock.bench;

import io.penstock.broker.IdleMode;

/**
 * What to measure.
 *
 * @param transport       {@code tcp}, {@code ipc}, {@code ipc_futex} or {@code inproc}.
 * @param messages        what is published.
 * @param filter          of each subscription; empty = everything.
 * @param subscriberCount subscribers, each with a connection of its own.
 * @param rate            messages a second; 0 = as many as the slowest subscriber takes.
 * @param idle            what the broker, and the threads of this process, do without work.
 * @param threading       of the broker; empty = its default.
 * @param journal         of the broker: a directory for it; empty = none.
 * @param sync            of the journal: a policy; empty = its default.
 * @param snapshots       whether the broker writes its state to files all the time.
 * @param warmUpNs        before each round is measured.
 * @param seconds         measured in each round, after the warm-up.
 */
record BenchPlan(
        String transport,
        Messages messages,
        String filter,
        int subscriberCount,
        double rate,
        IdleMode idle,
        String threading,
        String journal,
        String sync,
        boolean snapshots,
        long warmUpNs,
        int seconds) {
    private static final int AHEAD_COUNT_MAX = 20_000;
    private static final long AHEAD_LENGTH_MAX = 16L * 1024 * 1024;

    /** The same, of a broker that writes its state to files all the time. */
    BenchPlan withSnapshots() {
        return new BenchPlan(
                transport,
                messages,
                filter,
                subscriberCount,
                rate,
                idle,
                threading,
                journal,
                sync,
                true,
                warmUpNs,
                seconds);
    }

    /** How many messages the publisher may be ahead of the slowest subscriber. */
    int aheadLimit() {
        return (int) Math.max(1, Math.min(AHEAD_COUNT_MAX, AHEAD_LENGTH_MAX / messages.lengthMax() / subscriberCount));
    }
}
