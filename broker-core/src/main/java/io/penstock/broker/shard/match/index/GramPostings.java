package io.penstock.broker.shard.match.index;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Postings of texts that a value contains. A text is known by four of its bytes that follow each other, those that the
 * fewest messages and filters have, or by all of it when it is shorter. So a value that is found may not contain it.
 */
final class GramPostings {
    static final int LENGTH_MAX = 4;
    private static final double SHARE = 0.02;

    private final PostingTable table;
    private final int[] lengthCounts = new int[LENGTH_MAX + 1];

    GramPostings(final int slot) {
        table = new PostingTable(PredicateKind.CONTAINS, slot);
    }

    boolean isEmpty() {
        return table.isEmpty();
    }

    void find(
            final DirectBuffer buffer, final int offset, final int length, final boolean isOfWhole, final Found found) {
        int gram = 0;
        for (int i = 0; i < length; i++) {
            gram = gram << Byte.SIZE | (buffer.getByte(offset + i) & 0xFF);
            for (int n = Math.min(LENGTH_MAX, i + 1); n > 0; n--) {
                if (lengthCounts[n] > 0) {
                    final Posting posting = table.get(number(gram, n));
                    if (posting != null) {
                        found.add(posting, isOfWhole);
                    }
                }
            }
        }
    }

    /** The posting of the one of a text's grams that is found least; null when that is one without a posting. */
    @Nullable
    Posting get(final byte[] text, final long search) {
        Posting best = null;
        double bestRate = Double.MAX_VALUE;
        boolean hasNew = false;
        for (int i = 0; i + length(text) <= text.length; i++) {
            final Posting posting = table.get(number(text, i));
            hasNew |= posting == null;
            final double rate = posting == null ? SHARE : Estimate.of(SHARE, posting, search);
            if (rate < bestRate) {
                bestRate = rate;
                best = posting;
            }
        }
        return hasNew && bestRate >= SHARE ? null : best;
    }

    Posting make(final byte[] text, final long search) {
        final Posting present = get(text, search);
        if (present != null) {
            return present;
        }
        int at = 0;
        while (table.get(number(text, at)) != null) {
            at++;
        }
        lengthCounts[length(text)]++;
        return table.make(number(text, at));
    }

    void remove(final Posting posting) {
        table.remove(posting);
        lengthCounts[(int) (((NumberPosting) posting).number >>> Integer.SIZE)]--;
    }

    private static int length(final byte[] text) {
        return Math.min(LENGTH_MAX, text.length);
    }

    private static long number(final byte[] text, final int at) {
        int gram = 0;
        final int length = length(text);
        for (int i = 0; i < length; i++) {
            gram = gram << Byte.SIZE | (text[at + i] & 0xFF);
        }
        return number(gram, length);
    }

    private static long number(final int gram, final int length) {
        final long bytes = length == LENGTH_MAX ? gram & 0xFFFF_FFFFL : gram & ((1L << (Byte.SIZE * length)) - 1);
        return (long) length << Integer.SIZE | bytes;
    }
}
