package io.penstock.broker.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.CollectedAnswers.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Random records, most of whose fields are mostly of one type, as records are: {@code s} and {@code t} texts, {@code p},
 * {@code d} and {@code f} decimals with 2, up to 6 and any count of digits, {@code q} and {@code n} integers, {@code b}
 * booleans, {@code m} anything. And queries of them. In each test some fields have other values now and then.
 */
final class MixedRecords {
    private static final String[] FIELDS = {"s", "t", "p", "d", "f", "q", "n", "b", "m"};
    private static final String[] ANY = {
        "null",
        "true",
        "false",
        "0",
        "-0.0",
        "1",
        "1.0",
        "2.5",
        "\"\"",
        "\"a\"",
        "\"zü\"",
        "[]",
        "[3]",
        "[\"a\",2]",
        "{\"x\":1}",
        "1e999",
        "-1e999",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "1e300",
        "0.1",
        "1e-7",
        "12345678901234567890"
    };
    private static final String[] FUNCTIONS = {
        "COUNT(", "COUNT(DISTINCT ", "COUNT(DISTINCT ", "SUM(", "AVG(", "MIN(", "MAX("
    };
    private static final String[] FILTERS = {
        "", "", "", "q BETWEEN 10 AND 60", "s LIKE 'S1%'", "p > 3 AND q < 90", "m IS NULL OR b", "q * 2 > 50 AND q < 80"
    };

    private final Random random;
    private final int strangeFields;
    private final int strangeness;
    private final int textCount;

    MixedRecords(final Random random) {
        this.random = random;
        final int someFields = random.nextInt(1 << FIELDS.length);
        strangeFields = someFields & random.nextInt(1 << FIELDS.length);
        strangeness = random.nextBoolean() ? 10 : 1_000;
        textCount = random.nextBoolean() ? 12 : 1_500;
    }

    String json() {
        final StringBuilder json = new StringBuilder("{\"id\":").append(random.nextInt(1 << 20));
        for (int i = 0; i < FIELDS.length; i++) {
            final boolean isStrange = (strangeFields & 1 << i) != 0 && random.nextInt(strangeness) == 0;
            if (!isStrange || random.nextInt(4) > 0) {
                json.append(",\"").append(FIELDS[i]).append("\":");
                json.append(isStrange ? ANY[random.nextInt(ANY.length)] : value(FIELDS[i]));
            }
        }
        return json.append('}').toString();
    }

    private String value(final String field) {
        return switch (field) {
            case "s" -> "\"S" + random.nextInt(textCount) + "\"";
            case "t" -> random.nextInt(5) == 0 ? "\"\"" : "\"t" + random.nextInt(3) + "\"";
            case "p" -> random.nextInt(8) == 0 ? "" + random.nextInt(100) : String.format(Locale.ROOT, "%.2f", price());
            case "d" -> String.format(Locale.ROOT, "%." + random.nextInt(7) + "f", random.nextGaussian() * 1000);
            case "f" -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(12) - 3));
            case "q" -> "" + random.nextInt(100);
            case "n" -> "" + random.nextLong() / (1L << (8 * random.nextInt(8)));
            case "b" -> random.nextInt(4) == 0 ? "null" : "" + random.nextBoolean();
            default -> ANY[random.nextInt(ANY.length)];
        };
    }

    private double price() {
        return random.nextInt(40_000) / 100.0 * (random.nextInt(50) == 0 ? -1e6 : 1);
    }

    private String field() {
        return FIELDS[random.nextInt(FIELDS.length)];
    }

    private String filter() {
        final String filter = FILTERS[random.nextInt(FILTERS.length)];
        return filter.isEmpty() ? "" : FilterCompiler.canonicalText(filter, FilterLimits.COMBINED);
    }

    Query groups() {
        final List<String> by = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            final String value = random.nextInt(8) == 0 ? "LENGTH(" + field() + ")" : field();
            if (!by.contains(value)) {
                by.add(value);
            }
        }
        final List<String> items = new ArrayList<>();
        for (int i = 0; i < by.size(); i++) {
            items.add(by.get(i) + " AS g" + i);
        }
        for (int i = random.nextInt(5); i >= 0; i--) {
            items.add(item() + " AS r" + i);
        }
        return Query.groups(filter(), String.join(", ", items), String.join(", ", by));
    }

    private String item() {
        final String function = FUNCTIONS[random.nextInt(FUNCTIONS.length)];
        return switch (random.nextInt(10)) {
            case 0 -> "COUNT(*)";
            case 1 -> function + "p * q)";
            default -> function + field() + ")";
        };
    }

    Query top() {
        final List<String> terms = new ArrayList<>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            final String order = random.nextBoolean() ? " DESC" : "";
            final String nulls = random.nextInt(3) > 0 ? "" : random.nextBoolean() ? " NULLS FIRST" : " NULLS LAST";
            terms.add(field() + order + nulls);
        }
        final int topN = random.nextInt(6) == 0 ? -1 : random.nextInt(random.nextBoolean() ? 12 : 3_000);
        return new Query(filter(), "", String.join(", ", terms), random.nextInt(3) == 0 ? random.nextInt(30) : 0, topN);
    }
}
