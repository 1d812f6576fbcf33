package io.penstock.broker;

import io.penstock.broker.topic.WindowRule;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A view: a topic with state that is computed from another one, or from two, and kept up to date with them. Nobody can
 * publish to it; it is queried and subscribed to like any other.
 *
 * @param name    of the view.
 * @param source  name of a declared topic with state, or of a view that comes before; with a window of any declared topic;
 *                empty for a join.
 * @param filter  on the source's records, or on the pairs of a join; empty for all.
 * @param select  what its rows are made of, for example {@code origin, COUNT(*) AS flights, AVG(delay) AS mean}.
 * @param groupBy what makes a group, for example {@code origin}; empty for one row a record or, with aggregates, for one
 *                row in all.
 * @param window  which messages of the source the aggregates are of; {@link Window#NONE} for its records.
 * @param join    two topics in place of the source.
 */
public record ViewConfig(
        String name, String source, String filter, String select, String groupBy, Window window, Join join) {
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
            checkJoin(name, source, groupBy, window, join);
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
        this(name, source, filter, select, groupBy, Window.NONE, Join.NONE);
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
        return new ViewConfig(name, "", filter, select, "", Window.NONE, join);
    }

    private static void checkJoin(
            final String name, final String source, final String groupBy, final Window window, final Join join) {
        if (!source.isEmpty()) {
            throw new IllegalArgumentException(
                    "views.join: beside a source: " + name + " (leave out source, or the join)");
        }
        if (!groupBy.isBlank()) {
            throw new IllegalArgumentException(
                    "views.groupBy: of a join: " + name + " (group by in another view, whose source is this one)");
        }
        if (!window.equals(Window.NONE)) {
            throw new IllegalArgumentException("views.window: of a join: " + name
                    + " (have the window in another view, whose source is this one)");
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
     * The same over the last messages of its source.
     *
     * @param messages that its aggregates are of.
     * @return a view.
     */
    public ViewConfig over(final Window messages) {
        return new ViewConfig(name, source, filter, select, groupBy, messages, join);
    }

    /**
     * That a view is computed from the last messages of its source: a count of them, those of a time, or both.
     *
     * @param messageCount      the last messages of the source that pass the filter, in all; 0 for any number.
     * @param groupMessageCount the last messages of each group; 0 for any number. Not beside {@code messageCount}.
     * @param timeMs            how long a message counts after the broker took it, in milliseconds; 0 for ever.
     * @param lengthMax         bytes of memory for the messages; at the bound the oldest leave before their time.
     */
    public record Window(long messageCount, long groupMessageCount, long timeMs, long lengthMax) {
        public static final long LENGTH_MAX_DEFAULT = 64L << 20;
        public static final long LENGTH_MAX_MIN = 64L << 10;
        public static final long LENGTH_MAX_MAX = 64L << 30;

        /** No window: the view is computed from records. */
        public static final Window NONE = new Window(0, 0, 0, LENGTH_MAX_DEFAULT);

        private static final long COUNT_MAX = 1_000_000_000;

        /** Longest time: a hundred years. */
        private static final long TIME_MS_MAX = 100L * 366 * 24 * 3600 * 1000;

        public Window {
            Limits.check("views.window.messageCount", messageCount, 0, COUNT_MAX);
            Limits.check("views.window.groupMessageCount", groupMessageCount, 0, COUNT_MAX);
            Limits.check("views.window.timeMs", timeMs, 0, TIME_MS_MAX);
            Limits.check("views.window.lengthMax", lengthMax, LENGTH_MAX_MIN, LENGTH_MAX_MAX);
            if (messageCount > 0 && groupMessageCount > 0) {
                throw new IllegalArgumentException("views.window.groupMessageCount: there is a messageCount, too: "
                        + messageCount + " (give one of them)");
            }
        }

        /**
         * The last messages of the source.
         *
         * @param count of messages.
         * @return a window.
         */
        public static Window messages(final long count) {
            return new Window(count, 0, 0, LENGTH_MAX_DEFAULT);
        }

        /**
         * The last messages of each group.
         *
         * @param count of messages.
         * @return a window.
         */
        public static Window groupMessages(final long count) {
            return new Window(0, count, 0, LENGTH_MAX_DEFAULT);
        }

        /**
         * The messages of the last time.
         *
         * @param timeMs in milliseconds.
         * @return a window.
         */
        public static Window time(final long timeMs) {
            return new Window(0, 0, timeMs, LENGTH_MAX_DEFAULT);
        }

        /**
         * The same with another bound of its memory.
         *
         * @param value in bytes.
         * @return a window.
         */
        public Window withLengthMax(final long value) {
            return new Window(messageCount, groupMessageCount, timeMs, value);
        }

        WindowRule rule() {
            return new WindowRule(messageCount, groupMessageCount, TimeUnit.MILLISECONDS.toNanos(timeMs), lengthMax);
        }
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
