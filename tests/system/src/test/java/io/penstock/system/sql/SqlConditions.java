package io.penstock.system.sql;

import static io.penstock.system.sql.Sql.same;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;

/** Makes conditions and expressions of the table's columns, each of one type. */
final class SqlConditions {
    private static final String[] COMPARISONS = {"=", "<>", "<", "<=", ">", ">=", "!="};
    private static final String[] PATTERN_PIECES = {"a", "b", "A", "%", "%", "_", "ü", "😀", " ", "u1", "\\%", "\\_"};

    private final Random random;

    SqlConditions(final Random random) {
        this.random = random;
    }

    private Sql one(final List<Supplier<Sql>> of) {
        return of.get(random.nextInt(of.size())).get();
    }

    private String one(final String... of) {
        return of[random.nextInt(of.length)];
    }

    Sql condition(final int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return test();
        }
        return switch (random.nextInt(8)) {
            case 0 -> Sql.of("NOT (%s)", condition(depth - 1));
            case 1 -> Sql.of("(%s) IS " + one("", "NOT ") + one("TRUE", "FALSE"), condition(depth - 1));
            case 2, 3 -> Sql.of("(%s) OR (%s)", condition(depth - 1), condition(depth - 1));
            case 4 -> Sql.of("%s OR %s AND %s", test(), test(), test());
            case 5 -> Sql.of("NOT %s AND (%s)", test(), condition(depth - 1));
            default -> Sql.of("(%s) AND (%s)", condition(depth - 1), condition(depth - 1));
        };
    }

    private Sql test() {
        return one(List.of(
                this::numberTest, this::numberTest, this::numberTest, this::textTest, this::textTest, this::otherTest));
    }

    private Sql numberTest() {
        return switch (random.nextInt(5)) {
            case 0 -> Sql.of("%s" + not() + " BETWEEN %s AND %s", number(1), number(0), number(0));
            case 1 -> in(number(1), () -> random.nextInt(5) == 0 ? column("i", "n", "d") : literal());
            default ->
                Sql.of("%s " + one(COMPARISONS) + " %s", number(1), random.nextInt(3) == 0 ? number(1) : literal());
        };
    }

    private Sql textTest() {
        return switch (random.nextInt(7)) {
            case 0 -> Sql.of("%s" + not() + " BETWEEN %s AND %s", text(1), textLiteral(), text(0));
            case 1 -> in(text(1), () -> random.nextInt(5) == 0 ? column("t", "u") : textLiteral());
            case 2, 3 -> like();
            case 4 -> affix();
            default ->
                Sql.of("%s " + one(COMPARISONS) + " %s", text(1), random.nextInt(3) == 0 ? text(1) : textLiteral());
        };
    }

    private Sql otherTest() {
        return switch (random.nextInt(6)) {
            case 0 -> same("b");
            case 1 -> same("NOT b");
            case 2 -> same("b " + one("=", "<>") + one(" TRUE", " FALSE"));
            case 3 -> same("b IS " + one("", "NOT ") + one("TRUE", "FALSE"));
            case 4 -> Sql.of("%s IS" + not() + " NULL", random.nextBoolean() ? number(1) : text(1));
            default -> same(one("i", "n", "d", "t", "u", "b") + " IS" + not() + " NULL");
        };
    }

    private String not() {
        return random.nextInt(3) == 0 ? " NOT" : "";
    }

    private Sql in(final Sql value, final Supplier<Sql> item) {
        final List<Sql> items = new ArrayList<>();
        for (int count = 1 + random.nextInt(5); count > 0; count--) {
            items.add(item.get());
        }
        final String places =
                String.join(", ", items.stream().map(ignored -> "%s").toList());
        items.add(0, value);
        return Sql.of("%s" + not() + " IN (" + places + ")", items.toArray(Sql[]::new));
    }

    private Sql like() {
        final StringBuilder pattern = new StringBuilder();
        for (int count = random.nextInt(4); count >= 0; count--) {
            pattern.append(PATTERN_PIECES[random.nextInt(PATTERN_PIECES.length)]);
        }
        final String made = switch (random.nextInt(4)) {
            case 0 -> pattern + "%";
            case 1 -> "%" + pattern + "%";
            case 2 -> "%" + pattern;
            default -> pattern.toString();
        };
        return likeOf(text(1), not(), made, made.contains("\\") ? " ESCAPE '\\'" : "");
    }

    private static Sql likeOf(final Sql value, final String not, final String pattern, final String escape) {
        final String tail = not + " LIKE '" + pattern + "'" + escape;
        return new Sql(value.ours() + tail, value.theirs() + tail);
    }

    /** Databases search, or compare a part. */
    private Sql affix() {
        final String part = one("a", "b", "ab", "ü", "u1", "😀y", "%", " ");
        final int length = part.codePointCount(0, part.length());
        final Sql quoted = same("'" + part + "'");
        return switch (random.nextInt(3)) {
            case 0 -> Sql.of("%s CONTAINS %s", "INSTR(%s, %s) > 0", text(1), quoted);
            case 1 -> Sql.of("%s BEGINS WITH %s", "SUBSTR(%s, 1, " + length + ") = %s", text(1), quoted);
            default -> Sql.of("%s ENDS WITH %s", "SUBSTR(%s, -" + length + ") = %s", text(1), quoted);
        };
    }

    private Sql column(final String... names) {
        return same(one(names));
    }

    /** A number: a column, a literal or, with a depth, an expression in brackets. */
    Sql number(final int depth) {
        if (depth == 0 || random.nextInt(3) > 0) {
            return random.nextInt(6) == 0 ? literal() : column("i", "n", "d");
        }
        return switch (random.nextInt(11)) {
            case 0 -> Sql.of("(%s + %s)", number(depth - 1), number(depth - 1));
            case 1 -> Sql.of("(%s - %s)", number(depth - 1), number(depth - 1));
            case 2 -> Sql.of("(%s * %s)", column("i", "d"), number(depth - 1));
            case 3 -> Sql.of("(%1$s / %2$s)", "(CAST(%1$s AS DOUBLE) / NULLIF(%2$s, 0))", number(0), number(0));
            case 4 -> Sql.of("(%1$s %% %2$s)", "(%1$s %% NULLIF(%2$s, 0))", column("i", "n"), same("" + integer()));
            case 5 -> Sql.of("ABS(%s)", number(depth - 1));
            case 6 -> Sql.of("COALESCE(%s, %s)", number(0), number(0));
            case 7 -> Sql.of("IF(%s, %s, %s)", "CASE WHEN %s THEN %s ELSE %s END", test(), number(0), number(0));
            case 8 -> Sql.of("NULLIF(%s, %s)", number(0), number(0));
            case 9 -> Sql.of(one("FLOOR", "CEIL", "ROUND") + "(%s)", column("i", "d"));
            default -> integerOfText();
        };
    }

    private Sql integerOfText() {
        return random.nextBoolean()
                ? Sql.of("LENGTH(%s)", text(0))
                : Sql.of("INSTR(%s, %s)", text(0), same("'" + one("a", "b", "ü", "u1") + "'"));
    }

    private Sql literal() {
        return same(random.nextBoolean() ? "" + integer() : decimal());
    }

    private int integer() {
        return random.nextInt(4) == 0 ? random.nextInt(20_000) - 10_000 : random.nextInt(41) - 20;
    }

    /** One that is no double that is rounded to a whole number of cents by chance. */
    private String decimal() {
        return String.format(Locale.ROOT, "%.2fe0", random.nextInt(40_001) / 100.0 - 200);
    }

    private Sql textLiteral() {
        final String text = random.nextInt(4) == 0 ? "u" + random.nextInt(3000) : one(SqlRow.TEXTS);
        return same("'" + text.replace("'", "''") + "'");
    }

    /** A text. */
    Sql text(final int depth) {
        if (depth == 0 || random.nextInt(3) > 0) {
            return column("t", "u");
        }
        return switch (random.nextInt(7)) {
            case 0 -> Sql.of("(%s || %s)", text(0), textLiteral());
            case 1 -> Sql.of("(%s || %s)", text(0), text(0));
            case 2 -> Sql.of("SUBSTR(%s, " + (1 + random.nextInt(3)) + ", " + random.nextInt(4) + ")", text(0));
            case 3 -> Sql.of("COALESCE(%s, %s)", text(0), textLiteral());
            case 4 -> Sql.of("REPLACE(%s, 'a', %s)", text(0), textLiteral());
            case 5 -> Sql.of("TRIM(%s)", text(0));
            // Databases know the upper case of ASCII alone, or of all letters.
            default -> same("UPPER(u)");
        };
    }
}
