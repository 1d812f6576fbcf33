package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;

/**
 * Finds bytes in bytes in linear time and constant space: the two-way algorithm of Crochemore and Perrin (Two-way
 * string-matching, J. ACM 38, 1991). The part is split once at a critical place, from which its period is known.
 */
public final class TextSearch {
    private static final long PERIODIC = Long.MIN_VALUE;
    private static final int SPLIT_MASK = Integer.MAX_VALUE;

    private TextSearch() {}

    /** Splits a part: its period, the length of its left half, and whether the whole repeats with the period. */
    public static long factors(final DirectBuffer part, final int offset, final int length) {
        if (length < 2) {
            return 1L << Integer.SIZE;
        }
        final long rising = maximalSuffix(part, offset, length, 1);
        final long falling = maximalSuffix(part, offset, length, -1);
        final long longer = split(falling) > split(rising) ? falling : rising;
        final int split = split(longer);
        final int period = period(longer);
        if (split + period <= length && Texts.equal(part, offset, part, offset + period, split)) {
            return longer | PERIODIC;
        }
        return pack(Math.max(split, length - split) + 1, split);
    }

    private static long pack(final int period, final int split) {
        return (long) period << Integer.SIZE | split;
    }

    private static int split(final long factors) {
        return (int) factors & SPLIT_MASK;
    }

    private static int period(final long factors) {
        return (int) (factors >> Integer.SIZE) & SPLIT_MASK;
    }

    /** The suffix that comes last in the order of bytes, or in its reverse: where it starts, and its period. */
    private static long maximalSuffix(final DirectBuffer part, final int offset, final int length, final int order) {
        int suffix = 0;
        int candidate = 1;
        int matched = 0;
        int period = 1;
        while (candidate + matched < length) {
            final int a = part.getByte(offset + suffix + matched) & 0xFF;
            final int b = part.getByte(offset + candidate + matched) & 0xFF;
            if (a == b) {
                matched++;
                if (matched == period) {
                    candidate += period;
                    matched = 0;
                }
            } else if (order * (a - b) > 0) {
                candidate += matched + 1;
                matched = 0;
                period = candidate - suffix;
            } else {
                suffix = candidate++;
                matched = 0;
                period = 1;
            }
        }
        return pack(period, suffix);
    }

    /**
     * Finds the first place of a part.
     *
     * @param text    searched.
     * @param from    where to start.
     * @param end     of the text.
     * @param factors of the part.
     * @return offset in the text, or negative when it is not there.
     */
    public static int find(
            final DirectBuffer text,
            final int from,
            final int end,
            final DirectBuffer part,
            final int partOffset,
            final int partLength,
            final long factors) {
        final int split = split(factors);
        final int period = period(factors);
        final int periodicOverlap = factors < 0 ? partLength - period : 0;
        int at = from;
        int known = 0;
        while (partLength <= end - at) {
            int i = Math.max(split, known);
            while (i < partLength && part.getByte(partOffset + i) == text.getByte(at + i)) {
                i++;
            }
            if (i < partLength) {
                at += i - split + 1;
                known = 0;
                continue;
            }
            i = split;
            while (i > known && part.getByte(partOffset + i - 1) == text.getByte(at + i - 1)) {
                i--;
            }
            if (i <= known) {
                return at;
            }
            at += period;
            known = periodicOverlap;
        }
        return -1;
    }
}
