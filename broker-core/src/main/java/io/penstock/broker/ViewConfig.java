package io.penstock.broker;

/**
 * A view: a topic with state that is computed from another one and kept up to date with it. Nobody can publish to it;
 * it is queried and subscribed to like any other.
 *
 * @param name    of the view.
 * @param source  name of a declared topic with state, or of a view that comes before; with a window of any declared topic.
 * @param filter  on the source's records; empty for all.
 * @param select  what its rows are made of, for example {@code origin, COUNT(*) AS flights, AVG(delay) AS mean}.
 * @param groupBy what makes a group, for example {@code origin}; empty for one row a record or, with aggregates, for one
 *                row in all.
 * @param window  which messages of the source the aggregates are of; {@link ViewWindowConfig#NONE} for its records.
 */
public record ViewConfig(
        String name, String source, String filter, String select, String groupBy, ViewWindowConfig window) {
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
    }

    /**
     * A view of records.
     *
     * @param name    of the view.
     * @param source  name of a declared topic with state, or of a view that comes before.
     * @param filter  on the source's records; empty for all.
     * @param select  what its rows are made of.
     * @param groupBy what makes a group.
     */
    public ViewConfig(
            final String name, final String source, final String filter, final String select, final String groupBy) {
        this(name, source, filter, select, groupBy, ViewWindowConfig.NONE);
    }

    /**
     * The same over the last messages of its source.
     *
     * @param messages that its aggregates are of.
     * @return a view.
     */
    public ViewConfig over(final ViewWindowConfig messages) {
        return new ViewConfig(name, source, filter, select, groupBy, messages);
    }
}
