package io.penstock.broker.filter.syntax;

import io.penstock.format.FieldPath;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Some of the last fields that conditions named: many filters are about few fields, and share them. What is in a place is
 * replaced by what comes next. Nodes are immutable, so that it does not matter which of some equal ones is found. Safe on any
 * thread.
 */
final class KnownFields {
    private static final int COUNT = 1024;
    private static final AtomicReferenceArray<Node.Field> FIELDS = new AtomicReferenceArray<>(COUNT);

    private KnownFields() {}

    static Node.Field of(final FieldPath path) {
        final int hash = path.hashCode();
        final int place = (hash ^ hash >>> 16) & COUNT - 1;
        final Node.Field known = FIELDS.get(place);
        if (known != null && known.path().equals(path)) {
            return known;
        }
        final Node.Field made = new Node.Field(path);
        FIELDS.set(place, made);
        return made;
    }
}
