package io.penstock.broker.topic;

/**
 * That a topic is computed from another one of its shard. Immutable.
 *
 * @param name    of the view.
 * @param source  name of the topic with state that it is computed from.
 * @param filter  on the source's records; empty for all.
 * @param select  what its rows are made of: fields and expressions, or aggregates.
 * @param groupBy what makes a group; empty for one row a record or, with aggregates, for one row in all.
 */
public record ViewRule(String name, String source, String filter, String select, String groupBy) {}
