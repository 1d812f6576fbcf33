package io.penstock.system.sql;

import io.penstock.client.SowRequest;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A query of rows, or of groups of them.
 *
 * @param condition of rows.
 * @param items     of rows, the key first; or of groups, those of the group by first.
 * @param groupBy   values, as many as items have keys; none for all rows, or for one group.
 * @param having    over names of items, or empty.
 * @param order     of the answer; its first part decides, the last one tells all rows apart. Empty for any order.
 * @param top       rows that are wanted; negative for all.
 * @param skip      rows that are left out first.
 */
record SqlQuery(
        Sql condition, List<Item> items, List<Sql> groupBy, String having, List<Term> order, int top, int skip) {
    /** What a column of the answer has. */
    enum Kind {
        /** Numbers that are the same in all. */
        NUMBER,
        /** Sums and means of doubles, which others round more often than once. */
        ROUNDED,
        TEXT,
        BOOLEAN
    }

    /**
     * An item.
     *
     * @param value what it is.
     * @param name  after AS.
     * @param kind  of the values.
     */
    record Item(Sql value, String name, Kind kind) {}

    /**
     * A part of an order.
     *
     * @param name         of a column.
     * @param isDescending whether the greatest comes first.
     * @param nulls        {@code FIRST} or {@code LAST}; empty where it does not matter, as NULLs are the greatest.
     */
    record Term(String name, boolean isDescending, String nulls) {
        private String ours() {
            return name + (isDescending ? " DESC" : "") + (nulls.isEmpty() ? "" : " NULLS " + nulls);
        }

        private String theirs() {
            return name + (isDescending ? " DESC" : " ASC") + " NULLS "
                    + (nulls.isEmpty() ? isDescending ? "FIRST" : "LAST" : nulls);
        }
    }

    List<Kind> kinds() {
        return items.stream().map(Item::kind).toList();
    }

    private String list(final Function<Sql, String> who) {
        return items.stream()
                .map(each -> who.apply(each.value()) + " AS " + each.name())
                .collect(Collectors.joining(", "));
    }

    private String groups(final Function<Sql, String> who) {
        return groupBy.stream().map(who).collect(Collectors.joining(", "));
    }

    private String order(final Function<Term, String> who) {
        return order.stream().map(who).collect(Collectors.joining(", "));
    }

    /** For the broker. */
    SowRequest request(final SowRequest of) {
        SowRequest request = of.filter(condition.ours()).select(list(Sql::ours));
        if (!groupBy.isEmpty()) {
            request = request.groupBy(groups(Sql::ours)).having(having);
        }
        if (!order.isEmpty()) {
            request = request.orderBy(order(Term::ours));
        }
        return top < 0 ? request : request.top(top).skip(skip);
    }

    /** For a database. */
    String sql() {
        return "SELECT " + list(Sql::theirs) + " FROM r WHERE " + condition.theirs()
                + (groupBy.isEmpty() ? "" : " GROUP BY " + groups(Sql::theirs))
                + (having.isEmpty() ? "" : " HAVING " + having)
                + (order.isEmpty() ? "" : " ORDER BY " + order(Term::theirs))
                + (top < 0 ? "" : " LIMIT " + top + " OFFSET " + skip);
    }
}
