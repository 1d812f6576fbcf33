package io.penstock.bench;

import io.penstock.broker.IdleMode;

/**
 * What to measure.
 *
 * @param messages        what is published.
 * @param filter          of each subscription; empty = everything.
 * @param subscriberCount subscribers, each with a connection of its own.
 * @param rate            messages a second; 0 = as many as the slowest subscriber takes.
 * @param idle            what the broker, and the threads of this process, do without work.
 * @param broker          whom they are published to.
 * @param warmUpNs        before each round is measured.
 * @param seconds         measured in each round, after the warm-up.
 */
record BenchPlan(
        Messages messages,
        String filter,
        int subscriberCount,
        double rate,
        IdleMode idle,
        BrokerPlan broker,
        long warmUpNs,
        int seconds) {
    private static final int AHEAD_COUNT_MAX = 20_000;
    private static final long AHEAD_LENGTH_MAX = 16L * 1024 * 1024;

    /** The same, of a broker that writes its state to files all the time. */
    BenchPlan withSnapshots() {
        return new BenchPlan(messages, filter, subscriberCount, rate, idle, broker.withSnapshots(), warmUpNs, seconds);
    }

    /** How many messages the publisher may be ahead of the slowest subscriber. */
    int aheadLimit() {
        return (int) Math.max(1, Math.min(AHEAD_COUNT_MAX, AHEAD_LENGTH_MAX / messages.lengthMax() / subscriberCount));
    }
}
