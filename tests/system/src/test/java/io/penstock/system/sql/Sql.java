package io.penstock.system.sql;

import java.util.Arrays;

/**
 * A piece of a query as each of those who are asked has it. Where dialects differ by design, it is written so that all of
 * them mean the same:
 *
 * <ul>
 *   <li>Division of integers: the broker's is real, SQLite's is not, so databases divide a double. A zero as the divisor is
 *       NULL here, and DuckDB has infinity, so databases divide by {@code NULLIF(x, 0)}.
 *   <li>Decimal literals have an exponent: DuckDB takes {@code 0.1} for a DECIMAL, whose products are exact.
 *   <li>NULLs are the greatest values of the broker's orders, SQLite has them as the least, and DuckDB as the last. Databases are told.
 *   <li>{@code IF} is {@code CASE}.
 *   <li>SQLite's LIKE ignores the case of ASCII; a pragma of the connection changes that.
 *   <li>SQLite has no booleans: 1 is TRUE, so none is compared with a number.
 *   <li>Texts and numbers are never compared: they are different here, in SQLite too, and DuckDB turns one into the other.
 *   <li>HAVING and ORDER BY name items of the select list.
 * </ul>
 *
 * @param ours   of the broker.
 * @param theirs of SQLite and DuckDB.
 */
record Sql(String ours, String theirs) {
    static Sql same(final String text) {
        return new Sql(text, text);
    }

    /** Puts parts in the places of a text. */
    static Sql of(final String text, final Sql... parts) {
        return of(text, text, parts);
    }

    /** Puts parts in the places of two texts. */
    static Sql of(final String ours, final String theirs, final Sql... parts) {
        return new Sql(
                ours.formatted(Arrays.stream(parts).map(Sql::ours).toArray()),
                theirs.formatted(Arrays.stream(parts).map(Sql::theirs).toArray()));
    }
}
