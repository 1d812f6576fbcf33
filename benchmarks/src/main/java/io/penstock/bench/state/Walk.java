package io.penstock.bench.state;

/** Goes through all numbers below a count, each once, and round again. Confined to one thread. */
final class Walk {
    private final int count;
    private final boolean isSpread;
    private final int mask;
    private final int shift;
    private int next;

    private Walk(final int count, final boolean isSpread) {
        this.count = count;
        this.isSpread = isSpread;
        final int bits = Math.max(2, Integer.SIZE - Integer.numberOfLeadingZeros(count - 1));
        mask = (1 << bits) - 1;
        shift = bits / 2;
    }

    /** One after the other. */
    static Walk inOrder(final int count) {
        return new Walk(count, false);
    }

    /** Walks in an order that no cache predicts, the same each time. */
    static Walk spread(final int count) {
        return new Walk(count, true);
    }

    int count() {
        return count;
    }

    /** The next number. */
    int next() {
        final int number = at(next);
        next = next + 1 == count ? 0 : next + 1;
        return number;
    }

    /**
     * The number at a place of a round.
     *
     * @param place below the count.
     * @return number below the count.
     */
    int at(final int place) {
        int number = place;
        if (isSpread) {
            // Each step maps the numbers below the next power of two onto themselves; what is too large goes on.
            do {
                number = number * 0x5851_F42D & mask;
                number ^= number >>> shift;
                number = number * 0x2545_F491 & mask;
                number ^= number >>> shift;
            } while (number >= count);
        }
        return number;
    }
}
