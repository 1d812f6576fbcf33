package io.penstock.broker.session.client;

import io.penstock.broker.query.QueryPlan;

/**
 * A query as its client has asked for it. Immutable.
 *
 * @param commandId   returned in the answer.
 * @param ackTypes    acknowledgements asked for, as bits.
 * @param id          of the query or subscription.
 * @param plan        of the query.
 * @param isDurable   whether only what is on stable storage is answered.
 * @param progressNs  interval in which its progress is reported to its client, in nanoseconds; 0 for never.
 * @param isExplained whether its client is told at the end how it was answered.
 */
public record QueryCommand(
        long commandId,
        int ackTypes,
        long id,
        QueryPlan plan,
        boolean isDurable,
        long progressNs,
        boolean isExplained) {
    /** A query that is not explained. */
    public QueryCommand(
            final long commandId,
            final int ackTypes,
            final long id,
            final QueryPlan plan,
            final boolean isDurable,
            final long progressNs) {
        this(commandId, ackTypes, id, plan, isDurable, progressNs, false);
    }

    /** The same query with less time. */
    public QueryCommand within(final long timeoutNs) {
        return new QueryCommand(commandId, ackTypes, id, plan.within(timeoutNs), isDurable, progressNs, isExplained);
    }
}
