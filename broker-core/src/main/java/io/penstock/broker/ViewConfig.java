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
public record ViewConfig(String name, String source, String filter, String select, String groupBy, Join join) {
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
        this(name, source, filter, select, groupBy, Join.NONE);
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
    public static ViewConfig join(final String name, final Join join, final String filter, final String select) {
        return new ViewConfig(name, "", filter, select, "", join);
    }

    private static void checkJoin(final String name, final String source, final String groupBy, final Join join) {
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

    /**
     * That a view is computed from two topics: a row for each pair of their records that have equal values in some fields.
     *
     * @param left      name of a declared topic with state, or of a view that comes before; empty for no join.
     * @param right     the same, of the other one.
     * @param leftName  how expressions call records of the left one; empty for its name.
     * @param rightName how they call records of the right one; empty for its name.
     * @param type      which records of the left one have rows.
     * @param on        which fields have to be equal, for example {@code /orders/customer = /customers/id}.
     */
    public record Join(String left, String right, String leftName, String rightName, JoinType type, String on) {
        /** No join. */
        public static final Join NONE = new Join("", "", "", "", JoinType.INNER, "");

        public Join {
            final boolean isUsed = !left.isEmpty() || !right.isEmpty() || !on.isBlank();
            if (isUsed && (left.isEmpty() || right.isEmpty() || on.isBlank())) {
                throw new IllegalArgumentException("views.join: left, right or on missing (give all three)");
            }
            if (leftName.isEmpty()) {
                leftName = left;
            }
            if (rightName.isEmpty()) {
                rightName = right;
            }
            if (isUsed && leftName.equals(rightName)) {
                throw new IllegalArgumentException("views.join: left and right have the same name: " + leftName
                        + " (give one of them another one, as leftName or rightName)");
            }
        }

        /**
         * A row for each pair of records.
         *
         * @param left  name of a topic.
         * @param right name of the other one.
         * @param on    which fields have to be equal.
         * @return the join.
         */
        public static Join inner(final String left, final String right, final String on) {
            return new Join(left, right, "", "", JoinType.INNER, on);
        }

        /**
         * The same, and a row for each record of the left topic without a pair.
         *
         * @param left  name of a topic.
         * @param right name of the other one.
         * @param on    which fields have to be equal.
         * @return the join.
         */
        public static Join left(final String left, final String right, final String on) {
            return new Join(left, right, "", "", JoinType.LEFT, on);
        }

        /**
         * Whether there is a join.
         *
         * @return false for {@link #NONE}.
         */
        public boolean isUsed() {
            return !left.isEmpty();
        }
    }

    /** Which records of the left topic of a join have rows. */
    public enum JoinType {
        /** Those with a record of the right one. */
        INNER,

        /** All: where there is no record of the right one, its fields are absent. */
        LEFT
    }
}
