package io.penstock.broker;

import java.util.List;

/**
 * A view: a topic with state that is computed from another one, or from two, and kept up to date with them. Nobody can
 * publish to it; it is queried and subscribed to like any other.
 *
 * @param name    of the view.
 * @param source  name of a declared topic with state, or of a view that comes before; empty for a join.
 * @param filter  on the source's records, or on the pairs of a join; empty for all.
 * @param select  what its rows are made of, for example {@code origin, COUNT(*) AS flights, AVG(delay) AS mean}.
 * @param groupBy what makes a group, for example {@code origin}; empty for one row a record or, with aggregates, for one
 *                row in all.
 * @param join    two topics in place of the source.
 */
public record ViewConfig(String name, String source, String filter, String select, String groupBy, JoinConfig join) {
    public ViewConfig {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("views.name: empty (name the view)");
        }
        if (select.isBlank()) {
            throw new IllegalArgumentException("views.select: empty: " + name + " (say what its rows are made of)");
        }
        if (name.equals(source)) {
            throw new IllegalArgumentException("views.source: the view itself: " + name + " (name another topic)");
        }
        if (join.isUsed()) {
            checkJoin(name, source, groupBy, join);
        }
    }

    /**
     * A view of one topic.
     *
     * @param name    of the view.
     * @param source  name of a declared topic with state, or of a view that comes before.
     * @param filter  on the source's records; empty for all.
     * @param select  what its rows are made of.
     * @param groupBy what makes a group.
     */
    public ViewConfig(
            final String name, final String source, final String filter, final String select, final String groupBy) {
        this(name, source, filter, select, groupBy, JoinConfig.NONE);
    }

    /**
     * A view of two topics.
     *
     * @param name   of the view.
     * @param join   which topics, and how.
     * @param filter on pairs of records; empty for all.
     * @param select what its rows are made of.
     * @return the view.
     */
    public static ViewConfig join(final String name, final JoinConfig join, final String filter, final String select) {
        return new ViewConfig(name, "", filter, select, "", join);
    }

    private static void checkJoin(final String name, final String source, final String groupBy, final JoinConfig join) {
        if (!source.isEmpty()) {
            throw new IllegalArgumentException(
                    "views.join: beside a source: " + name + " (leave out source, or the join)");
        }
        if (!groupBy.isBlank()) {
            throw new IllegalArgumentException(
                    "views.groupBy: of a join: " + name + " (group by in another view, whose source is this one)");
        }
        if (name.equals(join.left()) || name.equals(join.right())) {
            throw new IllegalArgumentException("views.join: the view itself: " + name + " (name another topic)");
        }
    }

    /**
     * What it is computed from.
     *
     * @return names of topics and views.
     */
    List<String> sources() {
        return join.isUsed() ? List.of(join.left(), join.right()) : List.of(source);
    }
}
