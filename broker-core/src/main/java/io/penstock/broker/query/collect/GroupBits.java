package io.penstock.broker.query.collect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which of some small numbers were met in which group, for the first groups. Allocates only to grow. */
final class GroupBits {
    /** Groups from here on have no bits. */
    static final int GROUP_COUNT = 64;

    /** Numbers are below this, so that a group has 8 KiB at most. */
    static final int RANGE = 1 << 16;

    private final long[] @Nullable [] bits = new long[GROUP_COUNT][];

    /** Whether a number was not met in a group before. Now it was. */
    boolean isNew(final int group, final int number) {
        final int at = number / Long.SIZE;
        long[] ofGroup = bits[group];
        if (ofGroup == null || at >= ofGroup.length) {
            ofGroup = ofGroup == null
                    ? new long[at + 1]
                    : Arrays.copyOf(ofGroup, Math.min(RANGE / Long.SIZE, Math.max(at + 1, 2 * ofGroup.length)));
            bits[group] = ofGroup;
        }
        final long before = ofGroup[at];
        ofGroup[at] = before | 1L << number;
        return (before & 1L << number) == 0;
    }

    /** No number was met. */
    void clear() {
        for (final long[] ofGroup : bits) {
            if (ofGroup != null) {
                Arrays.fill(ofGroup, 0);
            }
        }
    }
}
