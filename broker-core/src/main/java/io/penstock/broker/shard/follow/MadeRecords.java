package io.penstock.broker.shard.follow;

import io.penstock.broker.shard.match.FollowOptions;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The records that were derived from one change, so that followers with the same options share them. Owned by the
 * sequencer; allocates nothing once warm.
 */
final class MadeRecords {
    /** There is none. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final ArrayList<Made> made = new ArrayList<>();
    private int count;

    /** It is about another change from now on. */
    void clear() {
        count = 0;
    }

    /** Position of the record that was added for the same options; or {@link #UNKNOWN}. */
    long find(final boolean isDelta, final FollowOptions options) {
        for (int i = 0; i < count; i++) {
            final Made each = made.get(i);
            if (each.isDelta == isDelta && each.options != null && isSame(each.options, options)) {
                return each.position;
            }
        }
        return UNKNOWN;
    }

    private static boolean isSame(final FollowOptions one, final FollowOptions other) {
        return one.noEmpties() == other.noEmpties() && Objects.equals(one.selection(), other.selection());
    }

    /** Keeps where a record is, or why there is none. */
    void add(final boolean isDelta, final FollowOptions options, final long position) {
        if (count == made.size()) {
            made.add(new Made());
        }
        final Made entry = made.get(count++);
        entry.isDelta = isDelta;
        entry.options = options;
        entry.position = position;
    }

    private static final class Made {
        private boolean isDelta;
        private @Nullable FollowOptions options;
        private long position;
    }
}
