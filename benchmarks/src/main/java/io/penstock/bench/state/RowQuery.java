package io.penstock.bench.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A query of rows: {@code symbol LIKE 'xx%' AND price > c AND qty BETWEEN a AND b}; without the symbol if it finds more than half
 * of them, as no prefix is that frequent.
 *
 * @param prefix of the symbol, a number of {@link RowDocuments}, or {@link #ANY}.
 * @param cents  that the price is above.
 * @param low    least quantity.
 * @param high   greatest quantity.
 */
record RowQuery(int prefix, int cents, int low, int high) {
    /** No prefix is asked for. */
    static final int ANY = -1;

    private static final int SHAPES = 5;

    /** Prefixes that are more than a few of all rows. */
    private static final int PREFIXES_ASKED_MAX = 8;

    /**
     * Makes different queries.
     *
     * @param count       of them.
     * @param selectivity of each: about this part of the rows matches, 1 for all.
     * @return the queries.
     */
    static List<RowQuery> list(final int count, final double selectivity) {
        int prefixes = 1;
        while (prefixes < PREFIXES_ASKED_MAX && Math.pow(0.5, prefixes + 1) >= 2 * selectivity) {
            prefixes++;
        }
        final List<RowQuery> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // The first one asks for a rare prefix, as most questions do.
            final int prefix = selectivity > 0.5 ? ANY : (prefixes - 1 + i) % prefixes;
            final double rest = selectivity / Math.pow(0.5, prefix + 1);
            // What is left is split between price and quantity, in another way each time.
            final double split = 0.3 + 0.1 * (i % SHAPES);
            final int dear = (int) Math.round(Math.pow(rest, split) * RowDocuments.PRICE_COUNT);
            final int width = Math.max(1, (int) Math.round(Math.pow(rest, 1 - split) * RowDocuments.QTY_COUNT));
            final int low = RowDocuments.QTY_MIN + i * 379 % (RowDocuments.QTY_COUNT - width + 1);
            queries.add(new RowQuery(
                    prefix,
                    RowDocuments.PRICE_MIN + RowDocuments.PRICE_COUNT - 1 - Math.max(1, dear),
                    low,
                    low + width - 1));
        }
        return queries;
    }

    /** The condition in SQL, as the broker and others take it. */
    String text() {
        final String symbol = prefix == ANY
                ? ""
                : String.format(
                        Locale.ROOT, "symbol LIKE '%c%c%%' AND ", 'A' + prefix, RowDocuments.secondLetter(prefix));
        return String.format(
                Locale.ROOT,
                "%sprice > %d.%02d AND qty BETWEEN %d AND %d",
                symbol,
                cents / 100,
                cents % 100,
                low,
                high);
    }

    /** The same as numbers, for the C program. */
    String words() {
        return prefix + " " + cents + " " + low + " " + high;
    }
}
