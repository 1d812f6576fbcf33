package io.penstock.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An ordered set of field paths, each with a dense slot number from 0. Several filters share one set, so that a message
 * is read once for all of them. Not thread-safe; complete before a reader is made of it.
 */
public final class FieldSet {
    private final List<FieldPath> paths = new ArrayList<>();
    private final Map<FieldPath, Integer> slots = new HashMap<>();
    private boolean hasHeaders;

    /**
     * Adds a path unless it is there.
     *
     * @param path to add.
     * @return its slot.
     */
    public int slotOf(final FieldPath path) {
        final Integer known = slots.putIfAbsent(path, paths.size());
        if (known != null) {
            return known;
        }
        paths.add(path);
        hasHeaders |= path.isHeader();
        return paths.size() - 1;
    }

    /**
     * Adds the paths of another set, unless they are there.
     *
     * @param other set.
     * @return for each slot of the other set the one here.
     */
    public int[] slotsOf(final FieldSet other) {
        final int[] here = new int[other.count()];
        for (int slot = 0; slot < here.length; slot++) {
            here[slot] = slotOf(other.path(slot));
        }
        return here;
    }

    /**
     * Returns whether headers are among the paths.
     *
     * @return true when one of them is.
     */
    public boolean hasHeaders() {
        return hasHeaders;
    }

    public int count() {
        return paths.size();
    }

    public FieldPath path(final int slot) {
        return paths.get(slot);
    }
}
