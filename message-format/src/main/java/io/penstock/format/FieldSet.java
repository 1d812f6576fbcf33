package io.penstock.format;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ordered set of field paths, each with a dense slot number from 0. Several filters share one set, so that a message
 * is read once for all of them. Not thread-safe; complete before a reader is made of it.
 */
public final class FieldSet {
    private static final FieldPath[] NO_PATHS = {};

    /** Up to so many are compared one by one. Most sets are of one filter and have one or two. */
    private static final int COMPARED_MAX = 8;

    private FieldPath[] paths = NO_PATHS;
    private int count;

    /** Slots of the paths when they are many, else null. */
    private @Nullable Map<FieldPath, Integer> slots;

    /**
     * Adds a path unless it is there.
     *
     * @param path to add.
     * @return its slot.
     */
    public int slotOf(final FieldPath path) {
        final int known = find(path);
        if (known >= 0) {
            return known;
        }
        if (count == paths.length) {
            paths = Arrays.copyOf(paths, count < COMPARED_MAX ? count + 1 : 2 * count);
        }
        paths[count] = path;
        if (slots != null) {
            slots.put(path, count);
        } else if (count == COMPARED_MAX) {
            slots = new HashMap<>();
            for (int slot = 0; slot <= count; slot++) {
                slots.put(paths[slot], slot);
            }
        }
        return count++;
    }

    private int find(final FieldPath path) {
        if (slots != null) {
            return slots.getOrDefault(path, -1);
        }
        for (int slot = 0; slot < count; slot++) {
            if (paths[slot].equals(path)) {
                return slot;
            }
        }
        return -1;
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
        for (int slot = 0; slot < count; slot++) {
            if (paths[slot].isHeader()) {
                return true;
            }
        }
        return false;
    }

    public int count() {
        return count;
    }

    public FieldPath path(final int slot) {
        return paths[Objects.checkIndex(slot, count)];
    }
}
