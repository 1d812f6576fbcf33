package io.penstock.format.json;

/**
 * Questions asked of eight bytes at once, held in a long with the first byte lowest. The answer is a mask whose lowest set
 * bit is the top bit of the first byte that qualifies; bits above that one may be wrong, because a borrow runs upwards.
 */
final class Swar {
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = LOW_BITS * '"';
    /** The bit that moves the quote in front of the space, and the two characters between them behind it. */
    private static final long QUOTE_BITS = LOW_BITS * ('"' ^ ' ');

    private static final long BACKSLASHES = LOW_BITS * '\\';
    private static final long SPACES = LOW_BITS * ' ';
    /** The bit that makes brackets of '[' and ']' into braces. */
    private static final long BRACE_BITS = SPACES;

    private Swar() {}

    static int firstByte(final long mask) {
        return Long.numberOfTrailingZeros(mask) >>> 3;
    }

    /** Quotes, backslashes and control characters. */
    static long textStops(final long word) {
        return asciiTextStops(word) & ~word & HIGH_BITS;
    }

    /** Quotes, backslashes, control characters and bytes that are not ASCII. */
    static long plainTextStops(final long word) {
        return (asciiTextStops(word) | word) & HIGH_BITS;
    }

    private static long asciiTextStops(final long word) {
        return ((word ^ QUOTE_BITS) - (SPACES + LOW_BITS)) | ((word ^ BACKSLASHES) - LOW_BITS);
    }

    static long nonDigits(final long word) {
        final long value = word ^ LOW_BITS * '0';
        return ((value + LOW_BITS * (0x80 - 10)) | value) & HIGH_BITS;
    }

    static long quotesAndBrackets(final long word) {
        final long braces = word | BRACE_BITS;
        final long stops = ((word ^ QUOTES) - LOW_BITS)
                | ((braces ^ LOW_BITS * '{') - LOW_BITS)
                | ((braces ^ LOW_BITS * '}') - LOW_BITS);
        return stops & ~word & HIGH_BITS;
    }

    /**
     * Finds the bytes that may follow a number or a literal: a comma, a closing bracket, white space, or the end, read
     * as zeros.
     */
    static long scalarEnds(final long word) {
        final long stops = ((word ^ LOW_BITS * ',') - LOW_BITS)
                | (((word | BRACE_BITS) ^ LOW_BITS * '}') - LOW_BITS)
                | (word - (SPACES + LOW_BITS));
        return stops & ~word & HIGH_BITS;
    }
}
