package io.penstock.broker.format;

/**
 * Questions asked of eight bytes at once, held in a long with the first byte lowest. An answer is a mask whose lowest set
 * bit is the top bit of the first byte that qualifies; bits above that one may be wrong, because a borrow runs upwards.
 */
final class Swar {
    static final int WORD_LENGTH = Long.BYTES;

    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = LOW_BITS * '"';
    private static final long BACKSLASHES = LOW_BITS * '\\';

    private Swar() {}

    static int firstByte(final long mask) {
        return Long.numberOfTrailingZeros(mask) >>> 3;
    }

    /** The first bytes of a word, with zeros behind them. */
    static long firstBytes(final long word, final int count) {
        return count >= WORD_LENGTH ? word : word & ((1L << (count * Byte.SIZE)) - 1);
    }

    static long zeroBytes(final long word) {
        return (word - LOW_BITS) & ~word & HIGH_BITS;
    }

    /** Where a string ends or an escape starts. */
    static long quotesAndBackslashes(final long word) {
        return zeroBytes(word ^ QUOTES) | zeroBytes(word ^ BACKSLASHES);
    }

    /** Bytes that are not plain text within a string: quotes, backslashes, controls and bytes that are not ASCII. */
    static long stringSpecials(final long word) {
        final long quotes = word ^ QUOTES;
        final long backslashes = word ^ BACKSLASHES;
        final long low = ((quotes - LOW_BITS) & ~quotes)
                | ((backslashes - LOW_BITS) & ~backslashes)
                | ((word - LOW_BITS * ' ') & ~word)
                | word;
        return low & HIGH_BITS;
    }

    /** Bytes that are not decimal digits. This mask is exact. */
    static long nonDigits(final long word) {
        final long value = word ^ LOW_BITS * '0';
        return (((value & ~HIGH_BITS) + LOW_BITS * (0x80 - 10)) | value) & HIGH_BITS;
    }

    /** Quotes and brackets, and some letters beside them: what the end of a nested value is found by. */
    static long quotesAndBrackets(final long word) {
        // With bit 5 set, '[' and '{' are 0x7B, ']' and '}' are 0x7D, and bit 1 and 2 tell them apart.
        final long folded = word | LOW_BITS * 0x20;
        return zeroBytes(word ^ QUOTES) | zeroBytes(folded ^ LOW_BITS * '{') | zeroBytes(folded ^ LOW_BITS * '}');
    }

    /** What may stand behind a number or a literal: a comma, a closing bracket, white space, or no byte at all. */
    static long scalarEnds(final long word) {
        final long folded = word | LOW_BITS * 0x20;
        return zeroBytes(word ^ LOW_BITS * ',')
                | zeroBytes(folded ^ LOW_BITS * '}')
                | ((word - LOW_BITS * (' ' + 1)) & ~word & HIGH_BITS);
    }
}
