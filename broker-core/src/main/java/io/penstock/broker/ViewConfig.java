package io.penstock.broker;

/**
 * A view: a topic with state that is computed from another one and kept up to date with it. Nobody can publish to it;
 * it is queried and subscribed to like any other.
 *
 * @param name    of the view.
 * @param source  name of a declared topic with state, or of a view that comes before.
 * @param filter  on the source's records; empty for all.
 * @param select  what its rows are made of, for example {@code origin, COUNT(*) AS flights, AVG(delay) AS mean}.
 * @param groupBy what makes a group, for example {@code origin}; empty for one row a record or, with aggregates, for one
 *                row in all.
 */
public record ViewConfig(String name, String source, String filter, String select, String groupBy) {
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
}
