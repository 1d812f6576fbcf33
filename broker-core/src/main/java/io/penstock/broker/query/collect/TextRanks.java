package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.TextDictionary;

/** The places of a column's texts in their order, of those that there were when this was made. */
final class TextRanks {
    /** The most texts that are brought into order: it takes a millisecond or two. */
    static final int COUNT_MAX = 1 << 13;

    /** The text came later. */
    static final int UNKNOWN = -1;

    private final int[] ranks;

    /** @param texts of which there are no more than {@link #COUNT_MAX}, or the later ones are unknown. */
    TextRanks(final TextDictionary texts) {
        final int[] sorted = sorted(texts, Math.min(texts.count(), COUNT_MAX));
        ranks = new int[sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            ranks[sorted[i]] = i;
        }
    }

    /** The place of a text, by its number in the dictionary. */
    int rank(final int code) {
        return code < ranks.length ? ranks[code] : UNKNOWN;
    }

    private static int[] sorted(final TextDictionary texts, final int count) {
        int[] from = new int[count];
        for (int i = 0; i < count; i++) {
            from[i] = i;
        }
        int[] to = new int[count];
        for (int width = 1; width < count; width *= 2) {
            for (int start = 0; start < count; start += 2 * width) {
                merge(texts, from, to, start, Math.min(start + width, count), Math.min(start + 2 * width, count));
            }
            final int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    private static void merge(
            final TextDictionary texts,
            final int[] from,
            final int[] to,
            final int start,
            final int middle,
            final int end) {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            if (left < middle && (right >= end || texts.compare(from[left], from[right]) <= 0)) {
                to[i] = from[left++];
            } else {
                to[i] = from[right++];
            }
        }
    }
}
