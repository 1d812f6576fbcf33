package io.penstock.broker.topic;

import org.jspecify.annotations.Nullable;

/**
 * That a topic is computed from another one of its shard, or from two. Immutable.
 *
 * @param name    of the view.
 * @param source  name of the topic that it is computed from, which has state unless there is a window; of a join the left one.
 * @param filter  on the source's records; empty for all.
 * @param select  what its rows are made of: fields and expressions, or aggregates.
 * @param groupBy what makes a group; empty for one row a record or, with aggregates, for one row in all.
 * @param window  the messages of the source that it is about, or {@link WindowRule#NONE}.
 * @param join    the other topic; null when there is none.
 */
public record ViewRule(
        String name,
        String source,
        String filter,
        String select,
        String groupBy,
        WindowRule window,
        @Nullable JoinRule join) {
    /**
     * Computed from the records of one topic.
     *
     * @param name    of the view.
     * @param source  name of the topic with state that it is computed from.
     * @param filter  on the source's records; empty for all.
     * @param select  what its rows are made of.
     * @param groupBy what makes a group.
     */
    public ViewRule(
            final String name, final String source, final String filter, final String select, final String groupBy) {
        this(name, source, filter, select, groupBy, WindowRule.NONE, null);
    }
}
