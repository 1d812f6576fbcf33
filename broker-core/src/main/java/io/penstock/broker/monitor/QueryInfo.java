package io.penstock.broker.monitor;

/**
 * What is known of a query that runs. Immutable.
 *
 * @param clientId          session of its client.
 * @param clientName        that its client gave.
 * @param user              that its client was proved to be.
 * @param commandId         of the command that asked for it.
 * @param isForSubscription whether it sends a subscription its first state.
 * @param topics            that it reads.
 * @param found             records that it has found.
 * @param sent              records that were sent.
 */
public record QueryInfo(
        long clientId,
        String clientName,
        String user,
        long commandId,
        boolean isForSubscription,
        int topics,
        long found,
        long sent) {}
