package io.penstock.broker.shard.match;

import io.penstock.format.header.Headers;
import io.penstock.format.header.HeadersBuilder;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Conditions and messages of few fields and values, so that many are about each other. */
final class RandomMatching {
    private static final List<String> FIELDS = List.of("a", "b", "c", "/d/e", "/f[1]", "HEADER('h')", "HEADER('i')");
    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "2",
            "3",
            "5",
            "-1",
            "-2.5",
            "1.0",
            "1.5",
            "0.1",
            "-0.0",
            "2.0",
            "1e3",
            "1000",
            "9007199254740992",
            "9007199254740993",
            "9007199254740991",
            "-9007199254740993",
            "9223372036854775807",
            "9.223372036854775807e18",
            "-9223372036854775808",
            "1e300",
            "5e-324",
            "123456789012345678901",
            "9007199254740994");
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "ab",
            "abc",
            "abcd",
            "abcde",
            "abd",
            "b",
            "bc",
            "bcd",
            "xabc",
            "zabcdz",
            "é",
            "éa",
            "aé",
            "1",
            "1.0",
            "5",
            "true",
            "false",
            "Y",
            "N",
            "0",
            "a%b",
            "a_b",
            "abcdefghijkl",
            "abcdefghijkm",
            "abcdefgh");
    private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");

    private final Random random;
    private final int moreCount;

    /** As many further fields are in conditions, and some of them in messages. */
    RandomMatching(final Random random, final int moreCount) {
        this.random = random;
        this.moreCount = moreCount;
    }

    private String field() {
        return moreCount > 0 && random.nextBoolean() ? "/g/x" + random.nextInt(moreCount) : one(FIELDS);
    }

    /** One of some, mostly of the first. */
    private <T> T one(final List<T> of) {
        return of.get(random.nextInt(random.nextInt(3) > 0 ? Math.min(6, of.size()) : of.size()));
    }

    String condition() {
        return condition(random.nextInt(3));
    }

    private String condition(final int depth) {
        if (depth == 0) {
            return test();
        }
        return switch (random.nextInt(10)) {
            case 8 -> bounds(field());
            case 9 -> bounds(field()) + " AND " + test();
            case 0, 1, 2 -> row(" AND ", depth);
            case 3, 4 -> row(" OR ", depth);
            case 5 -> "NOT (" + condition(depth - 1) + ")";
            case 6 -> "(" + condition(depth - 1) + ") IS " + one(List.of("", "NOT ")) + one(List.of("TRUE", "FALSE"));
            default -> test();
        };
    }

    private String bounds(final String field) {
        return field + one(List.of(" > ", " >= ")) + one(NUMBERS) + " AND " + field + one(List.of(" < ", " <= "))
                + one(NUMBERS);
    }

    private String row(final String sign, final int depth) {
        return IntStream.range(0, 2 + random.nextInt(3))
                .mapToObj(i -> "(" + condition(depth - 1) + ")")
                .collect(Collectors.joining(sign));
    }

    private String test() {
        final String field = field();
        return switch (random.nextInt(14)) {
            case 0, 1, 2 -> field + " = " + literal();
            case 3, 4, 5 -> field + " " + one(OPERATORS) + " " + literal();
            case 6 -> field + one(List.of(" ", " NOT ")) + "BETWEEN " + literal() + " AND " + literal();
            case 7 -> field + one(List.of(" ", " NOT ")) + "IN (" + list() + ")";
            case 8 -> field + one(List.of(" IS NULL", " IS NOT NULL"));
            case 9 -> field;
            case 10 -> field + one(List.of(" ", " NOT ")) + "LIKE " + pattern();
            case 11 -> field + one(List.of(" BEGINS WITH ", " ENDS WITH ", " CONTAINS ")) + affixes();
            case 12 -> field + " LIKE_REGEX '^[a-c]+$'";
            default -> one(List.of(field + " + 1 = 2", field + " = " + one(FIELDS), "LENGTH(" + field + ") = 3"));
        };
    }

    private String literal() {
        return switch (random.nextInt(5)) {
            case 0, 1, 2 -> one(NUMBERS);
            case 3 -> "'" + one(TEXTS) + "'";
            default -> one(List.of("TRUE", "FALSE"));
        };
    }

    private String list() {
        return IntStream.range(0, 1 + random.nextInt(5))
                .mapToObj(i -> literal())
                .collect(Collectors.joining(", "));
    }

    private String affixes() {
        return random.nextInt(3) > 0 ? "'" + one(TEXTS) + "'" : "('" + one(TEXTS) + "', '" + one(TEXTS) + "')";
    }

    private String pattern() {
        final String text = one(TEXTS).replace("%", "").replace("_", "");
        return switch (random.nextInt(9)) {
            case 0 -> "'" + text + "%'";
            case 1 -> "'%" + text + "'";
            case 2 -> "'%" + text + "%'";
            case 3 -> "'" + text + "'";
            case 4 -> "'_" + text + "%'";
            case 5 -> "'" + text + "_'";
            case 6 -> "'a%" + text + "'";
            case 7 -> "'a!%b' ESCAPE '!'";
            default -> "'%" + text + "_" + one(TEXTS) + "%'";
        };
    }

    String message() {
        return "{" + member("a") + member("b") + member("c")
                + (random.nextInt(3) == 0 ? "" : "\"d\":" + one(List.of("{\"e\":" + value() + "}", "1", "null")) + ",")
                + (random.nextInt(3) == 0 ? "" : "\"f\":[" + value() + "," + value() + "],")
                + more() + "\"z\":0}";
    }

    private String more() {
        return moreCount == 0
                ? ""
                : "\"g\":{" + member("x" + random.nextInt(moreCount)) + member("x" + random.nextInt(moreCount))
                        + "\"y\":1},";
    }

    private String member(final String name) {
        return random.nextInt(4) == 0 ? "" : "\"" + name + "\":" + value() + ",";
    }

    private String value() {
        return switch (random.nextInt(12)) {
            case 0 -> "null";
            case 1 -> one(List.of("true", "false"));
            case 2 -> "{\"x\":1}";
            case 3, 4, 5 ->
                IntStream.range(0, random.nextInt(4))
                        .mapToObj(i -> random.nextInt(6) == 0 ? one(List.of("null", "[]", "{}")) : scalar())
                        .collect(Collectors.joining(",", "[", "]"));
            default -> scalar();
        };
    }

    private String scalar() {
        return random.nextBoolean()
                ? one(NUMBERS)
                : "\"" + one(TEXTS).replace("b", one(List.of("b", "\\u0062"))) + "\"";
    }

    Headers headers(final HeadersBuilder builder) {
        if (random.nextInt(3) > 0) {
            builder.put("h", random.nextBoolean() ? one(TEXTS) : one(NUMBERS));
        }
        switch (random.nextInt(4)) {
            case 0 -> builder.put("i", (long) random.nextInt(4));
            case 1 -> builder.put("i", new byte[] {1, 2});
            case 2 -> builder.put("i", one(TEXTS));
            default -> {}
        }
        return builder.build();
    }
}
