package io.penstock.broker.format;

import java.util.ArrayList;
import java.util.List;

/**
 * An ordered set of field paths, each with a dense slot number from 0. Several filters share one set, so that a message
 * is read once for all of them. Not thread-safe; complete before a reader is made of it.
 */
public final class FieldSet {
    private final List<FieldPath> paths = new ArrayList<>();

    /**
     * Adds a path unless it is there.
     *
     * @param path to add.
     * @return its slot.
     */
    public int slotOf(final FieldPath path) {
        final int index = paths.indexOf(path);
        if (index >= 0) {
            return index;
        }
        paths.add(path);
        return paths.size() - 1;
    }

    public int count() {
        return paths.size();
    }

    public FieldPath path(final int slot) {
        return paths.get(slot);
    }
}
