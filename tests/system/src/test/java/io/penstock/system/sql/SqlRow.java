package io.penstock.system.sql;

import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table: small integers {@code i}, large ones {@code n}, decimals {@code d}, of which some are whole, few
 * different texts {@code t}, many {@code u}, booleans {@code b}, all but the key with NULLs. No double is 0, so that no product is -0.0.
 */
record SqlRow(
        int id,
        @Nullable Long i,
        @Nullable Long n,
        @Nullable Double d,
        @Nullable String t,
        @Nullable String u,
        @Nullable Boolean b,
        boolean hasNulls) {
    static final String COLUMNS = "id BIGINT, i BIGINT, n BIGINT, d DOUBLE, t VARCHAR, u VARCHAR, b BOOLEAN";

    static final String[] TEXTS = {
        "", "a", "b", "ab", "AB", "aB", "abc", "a%b", "a_b", "a b", " a", "ü", "aü", "üb", "x😀y", "😀", "'", "\\", "zz"
    };

    static SqlRow random(final int id, final Random random) {
        return new SqlRow(
                id,
                random.nextInt(10) == 0 ? null : (Long) (long) (random.nextInt(41) - 20),
                random.nextInt(8) == 0 ? null : (Long) (random.nextLong() / (1L << (23 + random.nextInt(32)))),
                random.nextInt(10) == 0 ? null : (Double) decimal(random),
                random.nextInt(8) == 0 ? null : TEXTS[random.nextInt(TEXTS.length)],
                random.nextInt(20) == 0 ? null : "u" + random.nextInt(3000),
                random.nextInt(6) == 0 ? null : (Boolean) random.nextBoolean(),
                random.nextBoolean());
    }

    private static double decimal(final Random random) {
        final int cents = 1 + random.nextInt(20_000);
        final double value = random.nextInt(5) == 0 ? 1 + cents / 1000 : cents / 100.0;
        return random.nextInt(3) == 0 ? -value : value;
    }

    /** As a message; what is NULL is null, or left out. */
    String json() {
        final StringBuilder json = new StringBuilder("{\"id\":").append(id);
        add(json, "i", i);
        add(json, "n", n);
        add(json, "d", d);
        add(json, "t", t);
        add(json, "u", u);
        add(json, "b", b);
        return json.append('}').toString();
    }

    private void add(final StringBuilder json, final String name, final @Nullable Object value) {
        if (value != null || hasNulls) {
            json.append(",\"").append(name).append("\":");
            if (value instanceof String text) {
                json.append('"').append(text.replace("\\", "\\\\")).append('"');
            } else {
                json.append(value);
            }
        }
    }

    /** As a row of an INSERT. */
    String sql() {
        return String.format(
                Locale.ROOT, "(%d,%s,%s,%s,%s,%s,%s)", id, i, n, d == null ? null : d + "e0", quoted(t), quoted(u), b);
    }

    private static @Nullable String quoted(final @Nullable String text) {
        return text == null ? null : "'" + text.replace("'", "''") + "'";
    }
}
