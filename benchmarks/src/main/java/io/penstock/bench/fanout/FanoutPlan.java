package io.penstock.bench.fanout;

import java.util.Locale;

/**
 * What is measured.
 *
 * @param connections   that receive.
 * @param subscriptions to all messages, of each connection.
 * @param length        of a message, in bytes.
 * @param burst         messages that are published one after the other, before their deliveries are waited for.
 * @param rounds        whose medians count.
 * @param seconds       of a round.
 */
record FanoutPlan(int connections, int subscriptions, int length, int burst, int rounds, double seconds) {
    /** Deliveries of one message. */
    int fanOut() {
        return connections * subscriptions;
    }

    FanoutPlan with(final int otherConnections, final int otherSubscriptions) {
        return new FanoutPlan(otherConnections, otherSubscriptions, length, burst, rounds, seconds);
    }

    String title() {
        return String.format(Locale.ROOT, "connections_%d_subscriptions_%d", connections, subscriptions);
    }
}
