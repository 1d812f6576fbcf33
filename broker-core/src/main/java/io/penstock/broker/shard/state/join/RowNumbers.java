package io.penstock.broker.shard.state.join;

import java.util.Arrays;

/**
 * Some numbers for each row, all {@link #NONE} at first. It grows by pages, and never moves what it has but their list.
 * Owned by the sequencer.
 */
final class RowNumbers {
    /** No row, and no number yet. */
    static final int NONE = -1;

    private static final int PAGE_SHIFT = 10;
    private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

    private final int width;
    private int[][] pages = new int[0][];
    private int pageCount;

    /** None yet, of so many for each row. */
    RowNumbers(final int width) {
        this.width = width;
    }

    int get(final int row, final int column) {
        final int page = row >>> PAGE_SHIFT;
        return page < pageCount ? pages[page][(row & PAGE_MASK) * width + column] : NONE;
    }

    void set(final int row, final int column, final int value) {
        final int page = row >>> PAGE_SHIFT;
        while (page >= pageCount) {
            addPage();
        }
        pages[page][(row & PAGE_MASK) * width + column] = value;
    }

    private void addPage() {
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, Math.max(4, 2 * pageCount));
        }
        final int[] added = new int[width << PAGE_SHIFT];
        Arrays.fill(added, NONE);
        pages[pageCount++] = added;
    }

    /** Has none any more. */
    void free() {
        pages = new int[0][];
        pageCount = 0;
    }

    /** The memory of the numbers, in bytes. */
    long memoryLength() {
        return (long) pageCount * (width << PAGE_SHIFT) * Integer.BYTES;
    }
}
