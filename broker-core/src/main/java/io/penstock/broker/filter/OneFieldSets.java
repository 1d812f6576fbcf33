package io.penstock.broker.filter;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Sets of one field, which do not change: some of the last ones, for many filters are about few fields, and share them. Safe
 * on any thread.
 */
final class OneFieldSets {
    private static final int COUNT = 1024;
    private static final AtomicReferenceArray<FieldSet> SETS = new AtomicReferenceArray<>(COUNT);

    private OneFieldSets() {}

    static FieldSet of(final FieldPath path) {
        final int hash = path.hashCode();
        final int place = (hash ^ hash >>> 16) & COUNT - 1;
        final FieldSet known = SETS.get(place);
        if (known != null && known.path(0).equals(path)) {
            return known;
        }
        final FieldSet made = new FieldSet();
        made.slotOf(path);
        SETS.set(place, made);
        return made;
    }
}
