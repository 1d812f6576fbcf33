package io.penstock.bench.state;

import io.penstock.bench.plain.Mix;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes the documents of the benchmark: orders such as those of {@code examples/data/orders-183.ndjson}, that follow from
 * their number and version. All versions of a number have the same length. Confined to one thread.
 */
final class OrderDocuments {
    /** Bytes of the longest document, and more. */
    static final int LENGTH_MAX = 192;

    static final long FIRST_ID = 1_000_000_000L;
    static final int ID_LENGTH = 10;

    private static final String[] SYMBOLS = {"IBM", "MSFT", "AAPL", "GE"};
    private static final byte[][] STARTS = new byte[SYMBOLS.length][];
    private static final byte[] AFTER_PRICE =
            bytes(",\"qty\":0000,\"status\":\"NEW\",\"text\":\"order text 000000 client desk\",\"ts\":1700000000000}");

    private static final String BEFORE_SYMBOL =
            "{\"id\":0000000000,\"clOrdId\":\"ORD-000000000\",\"account\":\"ACCT0000\",\"symbol\":\"";
    private static final int ID_OFFSET = BEFORE_SYMBOL.indexOf("0000000000");
    private static final int ORDER_OFFSET = BEFORE_SYMBOL.indexOf("ORD-") + 4;
    private static final int ACCOUNT_OFFSET = BEFORE_SYMBOL.indexOf("ACCT") + 4;
    private static final int QTY_OFFSET = ",\"qty\":".length();
    private static final int TEXT_OFFSET = new String(AFTER_PRICE, StandardCharsets.UTF_8).indexOf("000000 client");
    private static final int TIME_OFFSET = new String(AFTER_PRICE, StandardCharsets.UTF_8).indexOf("1700000000000");
    private static final long FIRST_TIME = 1_700_000_000_000L;

    static {
        for (int i = 0; i < SYMBOLS.length; i++) {
            STARTS[i] = bytes(BEFORE_SYMBOL + SYMBOLS[i] + "\",\"side\":\"B\",\"price\":");
        }
    }

    private OrderDocuments() {}

    /**
     * Writes a document.
     *
     * @param number  of the record, from 0.
     * @param version of the record, from 0.
     * @param to      where it is written.
     * @param offset  of its first byte.
     * @return its length in bytes.
     */
    static int write(final int number, final int version, final UnsafeBuffer to, final int offset) {
        final long fixed = mix(number);
        final long random = mix(fixed + version);
        final byte[] start = STARTS[(int) (fixed & 3)];
        to.putBytes(offset, start);
        to.putNaturalLongAscii(offset + ID_OFFSET, FIRST_ID + number);
        to.putNaturalIntAscii(offset + ORDER_OFFSET, 100_000_000 + (int) ((fixed >>> 8) % 900_000_000L));
        to.putNaturalIntAscii(offset + ACCOUNT_OFFSET, 1_000 + (int) ((fixed >>> 20) & 8191));
        // Some are sold, few are neither, as in the file.
        final int side = (int) (random & 15);
        to.putByte(offset + start.length - ",\"price\":".length() - 2, (byte) (side == 0 ? 'X' : side < 8 ? 'B' : 'S'));
        int at = offset + start.length;
        // A quarter costs less than 100, as in the file; which one does not change with its versions.
        final boolean isCheap = (fixed >>> 40 & 3) == 0;
        final int price = (int) ((random >>> 8 & 0xFFFFFF) % (isCheap ? 9_000 : 30_000)) + (isCheap ? 1_000 : 10_001);
        at += to.putNaturalIntAscii(at, price / 100);
        to.putByte(at++, (byte) '.');
        to.putByte(at++, (byte) ('0' + price / 10 % 10));
        to.putByte(at++, (byte) ('0' + price % 10));
        to.putBytes(at, AFTER_PRICE);
        to.putNaturalIntAscii(at + QTY_OFFSET, 1_000 + (int) (random >>> 32 & 8191));
        to.putNaturalIntAscii(at + TEXT_OFFSET, 100_000 + (int) ((random >>> 45) & 0x7FFFF));
        to.putNaturalLongAscii(at + TIME_OFFSET, FIRST_TIME + version);
        return at + AFTER_PRICE.length - offset;
    }

    /** Spreads numbers over all of a long, the same ones each time. */
    static long mix(final long number) {
        return Mix.of(number);
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
