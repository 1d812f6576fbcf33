package io.penstock.broker.query.collect;

import java.util.List;

/**
 * Groups whose keys are fields, nothing computed.
 *
 * @param keys       slots of the fields that are the key; none when all rows are one group.
 * @param parts      of a group, whose arguments are fields; none when some are computed.
 * @param isComputed whether arguments are computed.
 */
public record GroupShape(List<Integer> keys, List<Part> parts, boolean isComputed) {
    /** What a part keeps. */
    public enum Use {
        COUNT,
        SUM,
        EXTREMES,
        DISTINCT
    }

    /**
     * A part of each group.
     *
     * @param slot of the field that is its argument.
     * @param use  what it keeps.
     */
    public record Part(int slot, Use use) {}

    /** Makes it unmodifiable. */
    public GroupShape {
        keys = List.copyOf(keys);
        parts = List.copyOf(parts);
    }
}
