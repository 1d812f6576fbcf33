package io.penstock.bench.match;

import io.penstock.bench.embedded.PacedPublisher;
import io.penstock.bench.plain.Mix;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Filters, and messages that some of them match, which follow from their numbers. The C program {@code match_loops} has the
 * same. Confined to one thread.
 */
final class MatchWorkload implements PacedPublisher.NumberedMessages {
    /** Bytes of the longest message, and more. */
    static final int LENGTH_MAX = 256;

    private static final int SPOT_COUNT = 1_000_000_000;
    private static final int LETTERS_MAX = 6;
    private static final int LETTER_COUNT = 26;
    private static final int ID_LENGTH = 13;
    private static final long FIRST_ID = 1_000_000_000_000L;
    private static final int FIRST_ACCOUNT = 100_000_000;
    private static final String TEMPLATE = "{\"id\":0000000000000,\"account\":\"C000000000\",\"ref\":\"AAAAAAAA\","
            + "\"note\":\"order of client ...... desk 0000\",\"side\":\"B\",\"qty\":1200,\"probe\":0,\"spot\":";
    private static final byte[] TEMPLATE_BYTES = TEMPLATE.getBytes(StandardCharsets.US_ASCII);
    private static final int ID_OFFSET = TEMPLATE.indexOf("0000000000000");
    private static final int ACCOUNT_OFFSET = TEMPLATE.indexOf("\"C0") + 2;
    private static final int REF_OFFSET = TEMPLATE.indexOf("AAAAAAAA");
    private static final int WORD_OFFSET = TEMPLATE.indexOf("......");
    private static final int PROBE_OFFSET = TEMPLATE.indexOf("0,\"spot");

    private final MatchKind kind;
    private final int count;
    private final long seed;
    private final boolean isProbe;
    private final int letterCount;
    private final long letterWords;

    /**
     * Filters and messages.
     *
     * @param kind    of the filters.
     * @param count   of the filters.
     * @param seed    of all.
     * @param isProbe whether the messages match {@code probe = 1}, too.
     */
    MatchWorkload(final MatchKind kind, final int count, final long seed, final boolean isProbe) {
        this.kind = kind;
        this.count = count;
        this.seed = seed;
        this.isProbe = isProbe;
        int letters = 1;
        long words = LETTER_COUNT;
        while (words < count && letters < LETTERS_MAX) {
            words *= LETTER_COUNT;
            letters++;
        }
        letterCount = letters;
        letterWords = words;
    }

    /** The command that has the C program make the same. */
    String command() {
        return "filters " + kind.number() + " " + count + " " + seed;
    }

    /** The text of a filter. */
    String filter(final int number) {
        final long mixed = Mix.of(number, seed);
        final MatchKind of = kind == MatchKind.MIXED ? MatchKind.ofMixed(number) : kind;
        final String account = "account = 'C" + (FIRST_ACCOUNT + number) + "'";
        return switch (of) {
            case EQUALITY -> account;
            case RANGE -> range(mixed);
            case TEXT -> text(mixed, kind == MatchKind.MIXED ? number >> 2 : number);
            case MIXED -> account + " AND spot > " + Long.remainderUnsigned(mixed, SPOT_COUNT);
        };
    }

    private String range(final long mixed) {
        final int width = Math.max(1, SPOT_COUNT / count);
        final long low = Long.remainderUnsigned(mixed, SPOT_COUNT - width + 1);
        return String.format(Locale.ROOT, "spot BETWEEN %d AND %d", low, low + width - 1);
    }

    private String text(final long mixed, final int number) {
        final StringBuilder letters = new StringBuilder();
        long rest = Long.remainderUnsigned(mixed, letterWords);
        for (int i = 0; i < letterCount; i++) {
            letters.append((char) ('A' + rest % LETTER_COUNT));
            rest /= LETTER_COUNT;
        }
        return (number & 1) == 0 ? "ref LIKE '" + letters + "%'" : "note LIKE '%" + letters + "%'";
    }

    @Override
    public int write(final long number, final UnsafeBuffer to) {
        final long mixed = Mix.of(~number, seed);
        final long texts = Mix.of(mixed);
        to.putBytes(0, TEMPLATE_BYTES);
        to.putNaturalLongAscii(ID_OFFSET, FIRST_ID + number);
        to.putNaturalIntAscii(ACCOUNT_OFFSET, FIRST_ACCOUNT + (int) ((mixed & 0xFFFF_FFFFL) % count));
        putLetters(to, REF_OFFSET, (texts & 0xFFFF_FFFFL) % letterWords);
        putLetters(to, WORD_OFFSET, (texts >>> 32) % letterWords);
        to.putByte(PROBE_OFFSET, (byte) (isProbe ? '1' : '0'));
        final int end = TEMPLATE_BYTES.length
                + to.putNaturalIntAscii(TEMPLATE_BYTES.length, (int) ((mixed >>> 32) % SPOT_COUNT));
        to.putByte(end, (byte) '}');
        return end + 1;
    }

    private void putLetters(final UnsafeBuffer to, final int offset, final long word) {
        long rest = word;
        for (int i = 0; i < letterCount; i++) {
            to.putByte(offset + i, (byte) ('A' + rest % LETTER_COUNT));
            rest /= LETTER_COUNT;
        }
    }

    @Override
    public long number(final DirectBuffer from, final int offset) {
        return from.parseNaturalLongAscii(offset + ID_OFFSET, ID_LENGTH) - FIRST_ID;
    }
}
