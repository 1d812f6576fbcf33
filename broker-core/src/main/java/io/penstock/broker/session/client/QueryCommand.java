package io.penstock.broker.session.client;

import io.penstock.broker.query.QueryPlan;

/**
 * A query as its client has asked for it. Immutable.
 *
 * @param commandId  returned in the answer.
 * @param ackTypes   acknowledgements asked for, as bits.
 * @param id         of the query or subscription.
 * @param plan       of the query.
 * @param isDurable  whether only what is on stable storage is answered.
 * @param progressNs interval in which its progress is reported to its client, in nanoseconds; 0 for never.
 */
public record QueryCommand(long commandId, int ackTypes, long id, QueryPlan plan, boolean isDurable, long progressNs) {
    /** The same query with less time. */
    public QueryCommand within(final long timeoutNs) {
        return new QueryCommand(commandId, ackTypes, id, plan.within(timeoutNs), isDurable, progressNs);
    }
}
