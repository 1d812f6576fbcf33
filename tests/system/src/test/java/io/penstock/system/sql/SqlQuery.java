package io.penstock.system.sql;

import io.penstock.client.SowRequest;
import java.util.List;

/**
 * A query: the keys of rows, or a row for each group.
 *
 * @param condition of rows.
 * @param items     of groups, those of the group by first; none when keys of rows are asked for.
 * @param groupBy   values, as many as items have keys.
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

    boolean isOfGroups() {
        return !items.isEmpty();
    }

    /** Which rows match, whatever is asked of them. */
    SqlQuery rows() {
        return new SqlQuery(condition, List.of(), List.of(), "", List.of(), -1, 0);
    }

    List<Kind> kinds() {
        return isOfGroups() ? items.stream().map(Item::kind).toList() : List.of(Kind.NUMBER);
    }

    /** For the broker. */
    SowRequest request(final SowRequest of) {
        SowRequest request = of.filter(condition.ours());
        if (isOfGroups()) {
            request = request.select(String.join(
                            ", ",
                            items.stream()
                                    .map(each -> each.value().ours() + " AS " + each.name())
                                    .toList()))
                    .groupBy(String.join(", ", groupBy.stream().map(Sql::ours).toList()))
                    .having(having);
        } else {
            request = request.select("id");
        }
        if (!order.isEmpty()) {
            request = request.orderBy(
                    String.join(", ", order.stream().map(Term::ours).toList()));
        }
        return top < 0 ? request : request.top(top).skip(skip);
    }

    /** For a database. */
    String sql() {
        final StringBuilder sql = new StringBuilder("SELECT ");
        sql.append(
                isOfGroups()
                        ? String.join(
                                ", ",
                                items.stream()
                                        .map(each -> each.value().theirs() + " AS " + each.name())
                                        .toList())
                        : "id");
        sql.append(" FROM r WHERE ").append(condition.theirs());
        if (!groupBy.isEmpty()) {
            sql.append(" GROUP BY ")
                    .append(String.join(", ", groupBy.stream().map(Sql::theirs).toList()));
        }
        if (!having.isEmpty()) {
            sql.append(" HAVING ").append(having);
        }
        if (!order.isEmpty()) {
            sql.append(" ORDER BY ")
                    .append(String.join(", ", order.stream().map(Term::theirs).toList()));
        }
        return top < 0 ? sql.toString() : sql + " LIMIT " + top + " OFFSET " + skip;
    }
}
