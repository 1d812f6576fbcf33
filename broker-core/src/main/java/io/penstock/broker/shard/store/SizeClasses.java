package io.penstock.broker.shard.store;

/**
 * The lengths that pages are cut into. A class is as long as can be for its count of blocks in a page, so that classes
 * lie 8 bytes apart up to some 360 bytes and a page has no unused end.
 */
final class SizeClasses {
    private static final int ALIGNMENT_SHIFT = 3;
    private static final int ALIGNMENT = 1 << ALIGNMENT_SHIFT;

    /** The longest block that shares a page, in bytes. */
    static final int LENGTH_MAX = (Page.CAPACITY / 2) & -ALIGNMENT;

    private static final byte[] CLASS_BY_UNITS = new byte[(LENGTH_MAX >> ALIGNMENT_SHIFT) + 1];
    private static final int[] LENGTHS = lengths();

    private SizeClasses() {}

    private static int[] lengths() {
        final int[] lengths = new int[CLASS_BY_UNITS.length];
        int count = 0;
        for (int units = 1; units < CLASS_BY_UNITS.length; units++) {
            final int blockCount = Page.CAPACITY / (units << ALIGNMENT_SHIFT);
            final int length = (Page.CAPACITY / blockCount) & -ALIGNMENT;
            if (count == 0 || lengths[count - 1] != length) {
                lengths[count++] = length;
            }
            CLASS_BY_UNITS[units] = (byte) (count - 1);
        }
        return java.util.Arrays.copyOf(lengths, count);
    }

    static int count() {
        return LENGTHS.length;
    }

    /**
     * The class of the shortest blocks that are long enough.
     *
     * @param length in bytes, above 0, at most {@link #LENGTH_MAX}.
     * @return class.
     */
    static int of(final int length) {
        return CLASS_BY_UNITS[(length + ALIGNMENT - 1) >> ALIGNMENT_SHIFT];
    }

    /**
     * The length of a class's blocks.
     *
     * @param sizeClass below {@link #count()}.
     * @return bytes, a multiple of 8.
     */
    static int length(final int sizeClass) {
        return LENGTHS[sizeClass];
    }
}
