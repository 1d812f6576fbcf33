package io.penstock.broker.filter.value;

import io.penstock.broker.filter.regex.Utf8;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * A segment with underscores, matched a code point at a time. Looking for it keeps one bit per sign of the segment: bit
 * i says that the last i + 1 code points match the first i + 1 signs (shift-and; Baeza-Yates and Gonnet, A new approach
 * to text searching, CACM 35, 1992). The bits are scratch: a segment belongs to one agent.
 */
final class MaskedSegment implements LikeSegment {
    private static final int ASCII_COUNT = 128;

    private final int[] signs;
    private final int wordCount;
    private final long[] asciiMasks;
    private final int[] otherPoints;
    private final long[] otherMasks;
    private final long[] state;

    MaskedSegment(final int[] signs) {
        this.signs = signs;
        wordCount = (signs.length + Long.SIZE - 1) / Long.SIZE;
        otherPoints = Arrays.stream(signs)
                .filter(sign -> sign >= ASCII_COUNT)
                .sorted()
                .distinct()
                .toArray();
        asciiMasks = new long[ASCII_COUNT * wordCount];
        // The row after the last is for code points that the segment does not name.
        otherMasks = new long[(otherPoints.length + 1) * wordCount];
        state = new long[wordCount];
        for (int i = 0; i < signs.length; i++) {
            mask(i);
        }
    }

    private void mask(final int index) {
        final int word = index / Long.SIZE;
        final long bit = 1L << index;
        final int sign = signs[index];
        if (sign == LikePattern.ANY) {
            for (int row = 0; row < ASCII_COUNT; row++) {
                asciiMasks[row * wordCount + word] |= bit;
            }
            for (int row = 0; row <= otherPoints.length; row++) {
                otherMasks[row * wordCount + word] |= bit;
            }
        } else if (sign < ASCII_COUNT) {
            asciiMasks[sign * wordCount + word] |= bit;
        } else {
            otherMasks[Arrays.binarySearch(otherPoints, sign) * wordCount + word] |= bit;
        }
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public int width() {
        return wordCount;
    }

    @Override
    public int matchAt(final DirectBuffer text, final int start, final int end) {
        int at = start;
        for (final int sign : signs) {
            if (at >= end) {
                return -1;
            }
            final int next = Utf8.next(text, at, end);
            if (sign != LikePattern.ANY && sign != Utf8.codePoint(text, at, next)) {
                return -1;
            }
            at = next;
        }
        return at;
    }

    @Override
    public int startAtEnd(final DirectBuffer text, final int start, final int end) {
        int at = end;
        for (int i = 0; i < signs.length; i++) {
            if (at <= start) {
                return -1;
            }
            at = Utf8.previous(text, at, start);
        }
        return matchAt(text, at, end) == end ? at : -1;
    }

    @Override
    public int find(final DirectBuffer text, final int start, final int end) {
        Arrays.fill(state, 0);
        final int lastWord = wordCount - 1;
        final long lastBit = 1L << (signs.length - 1);
        int at = start;
        while (at < end) {
            final int next = Utf8.next(text, at, end);
            step(Utf8.codePoint(text, at, next));
            if ((state[lastWord] & lastBit) != 0) {
                return next;
            }
            at = next;
        }
        return -1;
    }

    private void step(final int codePoint) {
        final long[] masks;
        int row;
        if (codePoint < ASCII_COUNT) {
            masks = asciiMasks;
            row = codePoint;
        } else {
            masks = otherMasks;
            row = Arrays.binarySearch(otherPoints, codePoint);
            row = row < 0 ? otherPoints.length : row;
        }
        long carry = 1;
        for (int word = 0; word < wordCount; word++) {
            final long before = state[word];
            state[word] = (before << 1 | carry) & masks[row * wordCount + word];
            carry = before >>> (Long.SIZE - 1);
        }
    }
}
