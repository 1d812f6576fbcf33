package io.penstock.system.sql;

import static io.penstock.system.sql.Sql.same;

import io.penstock.system.sql.SqlQuery.Item;
import io.penstock.system.sql.SqlQuery.Kind;
import io.penstock.system.sql.SqlQuery.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes queries of the table. */
final class SqlQueries {
    private final Random random;
    private final SqlConditions conditions;

    SqlQueries(final Random random) {
        this.random = random;
        conditions = new SqlConditions(random);
    }

    SqlQuery next() {
        return random.nextInt(5) < 2 ? groups() : rows();
    }

    private SqlQuery rows() {
        final Sql condition = conditions.condition(3);
        final List<Item> items = new ArrayList<>();
        items.add(new Item(same("id"), "id", Kind.NUMBER));
        if (random.nextInt(3) == 0) {
            items.add(computed());
        }
        if (random.nextInt(8) == 0) {
            return new SqlQuery(condition, items, List.of(), "", List.of(), -1, 0);
        }
        final List<Term> order = new ArrayList<>();
        for (int count = random.nextInt(3); count > 0; count--) {
            order.add(term(any()));
        }
        order.add(new Term("id", random.nextBoolean(), ""));
        return bounded(new SqlQuery(condition, items, List.of(), "", order, -1, 0));
    }

    private Item computed() {
        return switch (random.nextInt(4)) {
            case 0 -> new Item(conditions.text(1), "x", Kind.TEXT);
            case 1 -> new Item(conditions.condition(1), "x", Kind.BOOLEAN);
            default -> new Item(conditions.number(2), "x", Kind.NUMBER);
        };
    }

    private Term term(final String name) {
        final String nulls = random.nextInt(3) > 0 ? "" : random.nextBoolean() ? "FIRST" : "LAST";
        return new Term(name, random.nextBoolean(), nulls);
    }

    private SqlQuery bounded(final SqlQuery query) {
        return random.nextInt(12) == 0
                ? query
                : new SqlQuery(
                        query.condition(),
                        query.items(),
                        query.groupBy(),
                        query.having(),
                        query.order(),
                        1 + random.nextInt(random.nextBoolean() ? 20 : 400),
                        random.nextInt(3) == 0 ? random.nextInt(40) : 0);
    }

    private SqlQuery groups() {
        final List<Item> items = new ArrayList<>();
        for (int count = random.nextInt(3); count > 0; count--) {
            final Item key = key(items.size());
            if (items.stream().noneMatch(each -> each.value().equals(key.value()))) {
                items.add(key);
            }
        }
        final List<Sql> groupBy = items.stream().map(Item::value).toList();
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            items.add(aggregate("a" + count));
        }
        final List<Item> exact =
                items.stream().filter(each -> each.kind() != Kind.ROUNDED).toList();
        String having = "";
        if (!groupBy.isEmpty() && random.nextInt(4) == 0) {
            items.add(new Item(same("COUNT(*)"), "c", Kind.NUMBER));
            having = "c > " + random.nextInt(60);
        }
        final List<Term> order = new ArrayList<>();
        if (!groupBy.isEmpty() && random.nextBoolean()) {
            order.add(term(exact.get(random.nextInt(exact.size())).name()));
            for (int i = 0; i < groupBy.size(); i++) {
                order.add(term("k" + i));
            }
        }
        final SqlQuery query = new SqlQuery(conditions.condition(2), items, groupBy, having, order, -1, 0);
        return order.isEmpty() ? query : bounded(query);
    }

    private Item key(final int index) {
        final String name = "k" + index;
        return switch (random.nextInt(10)) {
            case 0, 1 -> new Item(same("i"), name, Kind.NUMBER);
            case 2, 3 -> new Item(same("t"), name, Kind.TEXT);
            case 4 -> new Item(same("b"), name, Kind.BOOLEAN);
            case 5 -> new Item(same("d"), name, Kind.NUMBER);
            case 6 -> new Item(same("u"), name, Kind.TEXT);
            case 7 -> new Item(same("LENGTH(u)"), name, Kind.NUMBER);
            case 8 -> new Item(same("d > 50"), name, Kind.BOOLEAN);
            default -> new Item(same("i % 7"), name, Kind.NUMBER);
        };
    }

    private Item aggregate(final String name) {
        return switch (random.nextInt(12)) {
            case 0 -> new Item(same("COUNT(*)"), name, Kind.NUMBER);
            case 1 -> new Item(same("COUNT(" + any() + ")"), name, Kind.NUMBER);
            case 2, 3, 4 -> new Item(Sql.of("COUNT(DISTINCT %s)", distinct()), name, Kind.NUMBER);
            case 5 -> new Item(Sql.of("SUM(%s)", whole()), name, Kind.NUMBER);
            case 6 -> new Item(Sql.of("SUM(%s)", decimal()), name, Kind.ROUNDED);
            case 7 -> new Item(Sql.of("AVG(%s)", random.nextBoolean() ? whole() : decimal()), name, Kind.ROUNDED);
            case 8 ->
                new Item(Sql.of(extreme() + "(%s)", random.nextBoolean() ? whole() : same("d")), name, Kind.NUMBER);
            case 9 -> new Item(Sql.of(extreme() + "(%s)", conditions.text(1)), name, Kind.TEXT);
            case 10 -> new Item(same("MAX(i) - MIN(i)"), name, Kind.NUMBER);
            default ->
                new Item(
                        Sql.of("SUM(%s) / COUNT(DISTINCT i)", "SUM(%s) / NULLIF(COUNT(DISTINCT i), 0)", decimal()),
                        name,
                        Kind.ROUNDED);
        };
    }

    private String extreme() {
        return random.nextBoolean() ? "MIN" : "MAX";
    }

    private String any() {
        return List.of("i", "n", "d", "t", "u", "b").get(random.nextInt(6));
    }

    private Sql distinct() {
        return switch (random.nextInt(10)) {
            case 0 -> same("LENGTH(t)");
            case 1 -> same("i + d");
            case 2 -> conditions.text(1);
            case 3 -> same("COALESCE(d, i)");
            case 4 -> same("i % 4");
            case 5 -> same("d > i");
            default -> same(any());
        };
    }

    private Sql whole() {
        return same(List.of("i", "n", "i + n", "LENGTH(u)", "i * 3").get(random.nextInt(5)));
    }

    private Sql decimal() {
        return same(List.of("d", "i * d", "d - 1.5e0").get(random.nextInt(3)));
    }
}
