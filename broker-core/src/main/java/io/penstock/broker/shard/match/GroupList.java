package io.penstock.broker.shard.match;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The groups of a matcher by their places. It grows by parts, which are not moved. Confined to the matcher's agent. */
final class GroupList<M extends Matcher.Member> {
    private static final int PART_BITS = 8;
    private static final int PART_LENGTH = 1 << PART_BITS;
    private static final int PART_MASK = PART_LENGTH - 1;
    private static final int FIRST_LENGTH = 8;

    /** The first one grows up to the length of the others. */
    private @Nullable FilterGroup<?>[][] parts = new FilterGroup<?>[1][0];

    private int size;

    int size() {
        return size;
    }

    @SuppressWarnings("unchecked")
    FilterGroup<M> get(final int place) {
        final FilterGroup<?> group = parts[place >>> PART_BITS][place & PART_MASK];
        if (group == null) {
            throw new IndexOutOfBoundsException("groups: no such place: " + place);
        }
        return (FilterGroup<M>) group;
    }

    void add(final FilterGroup<M> group) {
        final int part = size >>> PART_BITS;
        final int index = size & PART_MASK;
        if (part == 0) {
            if (index == parts[0].length) {
                parts[0] = Arrays.copyOf(parts[0], Math.max(FIRST_LENGTH, 2 * index));
            }
        } else if (index == 0) {
            if (part == parts.length) {
                parts = Arrays.copyOf(parts, 2 * part);
            }
            parts[part] = new FilterGroup<?>[PART_LENGTH];
        }
        group.place = size;
        parts[part][index] = group;
        size++;
    }

    /** Removes a group; the last one takes its place. */
    void remove(final FilterGroup<M> group) {
        final int last = size - 1;
        final FilterGroup<M> moved = get(last);
        moved.place = group.place;
        parts[group.place >>> PART_BITS][group.place & PART_MASK] = moved;
        parts[last >>> PART_BITS][last & PART_MASK] = null;
        size = last;
        if (last > 0 && (last & PART_MASK) == 0) {
            parts[last >>> PART_BITS] = new FilterGroup<?>[0];
        }
    }
}
