package io.penstock.bench.state;

import io.penstock.bench.plain.Mix;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes the rows that are queried: JSON of about 200 bytes, which follows from seed, number and version. All versions of a
 * row have the same length. Symbols have four letters: half of them begin with the first of sixteen pairs of letters, a
 * quarter with the second, and so on. Prices are 100.00 to 499.99 and quantities 1000 to 9999, all equally frequent, and
 * change with the version. Confined to one thread. The C program {@code state_loops} has the same rows.
 */
final class RowDocuments {
    /** Bytes of the longest row, and more. */
    static final int LENGTH_MAX = 512;

    static final int PREFIX_COUNT = 16;
    static final int PRICE_COUNT = 40_000;
    static final int PRICE_MIN = 10_000;
    static final int QTY_COUNT = 9_000;
    static final int QTY_MIN = 1_000;

    static final int ID_LENGTH = 10;

    private static final long FIRST_ID = 1_000_000_000L;
    private static final long FIRST_TIME = 1_700_000_000_000L;
    private static final int TIME_LENGTH = 13;
    private static final int TEXT_LENGTH_MIN = 8;
    private static final int TEXT_LENGTH_MASK = 63;
    private static final String[] VENUES = {"XNAS", "XNYS", "BATS", "IEXG"};
    private static final String TEMPLATE =
            "{\"id\":0000000000,\"symbol\":\"SSSS\",\"side\":\"B\",\"price\":000.00,\"qty\":0000,"
                    + "\"venue\":\"VVVV\",\"account\":\"ACCT0000\",\"created\":1700000000000,\"updated\":1700000000000,\"text\":\"";
    private static final byte[] TEMPLATE_BYTES = TEMPLATE.getBytes(StandardCharsets.US_ASCII);
    private static final int ID_OFFSET = TEMPLATE.indexOf("0000000000");
    private static final int SYMBOL_OFFSET = TEMPLATE.indexOf("SSSS");
    private static final int SIDE_OFFSET = TEMPLATE.indexOf("B\",\"price");
    private static final int PRICE_OFFSET = TEMPLATE.indexOf("000.00");
    private static final int QTY_OFFSET = TEMPLATE.indexOf("0000,\"venue");
    private static final int VENUE_OFFSET = TEMPLATE.indexOf("VVVV");
    private static final int ACCOUNT_OFFSET = TEMPLATE.indexOf("ACCT") + 4;
    private static final int STAMP_OFFSET = TEMPLATE.indexOf("1700000000000,\"text");

    private final long seed;

    /** @param seed of all rows. */
    RowDocuments(final long seed) {
        this.seed = seed;
    }

    /**
     * Writes a row.
     *
     * @param row     its number, from 0.
     * @param version of the row, from 0.
     * @param stamp   a number that no query asks for, below 100 billion.
     * @param to      where it is written from the first byte on.
     * @return its length in bytes.
     */
    int write(final int row, final long version, final long stamp, final UnsafeBuffer to) {
        final long fixed = fixed(row);
        to.putBytes(0, TEMPLATE_BYTES);
        to.putNaturalLongAscii(ID_OFFSET, FIRST_ID + row);
        final int prefix = prefix(fixed);
        final int suffix = (int) (fixed >>> 16 & 63);
        to.putByte(SYMBOL_OFFSET, (byte) ('A' + prefix));
        to.putByte(SYMBOL_OFFSET + 1, secondLetter(prefix));
        to.putByte(SYMBOL_OFFSET + 2, (byte) ('A' + suffix / 8));
        to.putByte(SYMBOL_OFFSET + 3, (byte) ('A' + suffix % 8));
        to.putByte(SIDE_OFFSET, (byte) ((fixed >>> 25 & 1) == 0 ? 'B' : 'S'));
        final long changing = Mix.of(fixed + version);
        final int cents = cents(changing);
        to.putNaturalIntAscii(PRICE_OFFSET, cents / 100);
        to.putByte(PRICE_OFFSET + 4, (byte) ('0' + cents / 10 % 10));
        to.putByte(PRICE_OFFSET + 5, (byte) ('0' + cents % 10));
        to.putNaturalIntAscii(QTY_OFFSET, qty(changing));
        to.putStringWithoutLengthAscii(VENUE_OFFSET, VENUES[(int) (fixed >>> 23 & 3)]);
        to.putNaturalIntAscii(ACCOUNT_OFFSET, 1_000 + (int) (fixed >>> 40 & 8191));
        to.putNaturalLongAscii(STAMP_OFFSET, FIRST_TIME + stamp);
        final int textLength = TEXT_LENGTH_MIN + (int) (fixed >>> 26 & TEXT_LENGTH_MASK);
        to.setMemory(TEMPLATE_BYTES.length, textLength, (byte) 'x');
        final int end = TEMPLATE_BYTES.length + textLength;
        to.putByte(end, (byte) '"');
        to.putByte(end + 1, (byte) '}');
        return end + 2;
    }

    /**
     * Writes a row with more text, so that it is longer.
     *
     * @param length at least that of the row, in bytes.
     */
    void writeLonger(final int row, final long version, final int length, final UnsafeBuffer to) {
        final int end = write(row, version, 0L, to) - 2;
        to.setMemory(end, length - end - 2, (byte) 'x');
        to.putByte(length - 2, (byte) '"');
        to.putByte(length - 1, (byte) '}');
    }

    /** The stamp of a written row. */
    static long stamp(final DirectBuffer row, final int offset) {
        return row.parseNaturalLongAscii(offset + STAMP_OFFSET, TIME_LENGTH) - FIRST_TIME;
    }

    static long id(final int row) {
        return FIRST_ID + row;
    }

    static String symbol(final DirectBuffer row) {
        return row.getStringWithoutLengthAscii(SYMBOL_OFFSET, 4);
    }

    static double price(final DirectBuffer row) {
        final int whole = row.parseNaturalIntAscii(PRICE_OFFSET, 3);
        return (whole * 100 + row.parseNaturalIntAscii(PRICE_OFFSET + 4, 2)) / 100.0;
    }

    static int qty(final DirectBuffer row) {
        return row.parseNaturalIntAscii(QTY_OFFSET, 4);
    }

    static String venue(final DirectBuffer row) {
        return row.getStringWithoutLengthAscii(VENUE_OFFSET, 4);
    }

    /** Whether a query finds a row. */
    boolean matches(final RowQuery query, final int row, final long version) {
        final long fixed = fixed(row);
        final long changing = Mix.of(fixed + version);
        return (query.prefix() == RowQuery.ANY || prefix(fixed) == query.prefix())
                && cents(changing) > query.cents()
                && qty(changing) >= query.low()
                && qty(changing) <= query.high();
    }

    static byte secondLetter(final int prefix) {
        return (byte) ('A' + (prefix * 7 + 3) % 26);
    }

    private long fixed(final int row) {
        return Mix.of(row, seed);
    }

    private static int prefix(final long fixed) {
        return Long.numberOfTrailingZeros(fixed | 1L << (PREFIX_COUNT - 1));
    }

    private static int cents(final long changing) {
        return PRICE_MIN + (int) ((changing >>> 8 & 0xFFFFFF) % PRICE_COUNT);
    }

    private static int qty(final long changing) {
        return QTY_MIN + (int) ((changing >>> 32 & 0xFFFFFF) % QTY_COUNT);
    }
}
