package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.FieldSet;
import io.penstock.format.UniqueFields;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Walks all members of the objects that some paths lead through. Names are compared as they read, without escapes. */
final class JsonUniqueFields implements UniqueFields {
    private static final int NOT_UNIQUE = -1;

    private final FieldNode root;
    private final JsonBytes bytes = new JsonBytes();
    private final JsonNames names = new JsonNames();

    /** Objects that were opened, by which a member is known to have been met in its object. */
    private long objectCount;

    JsonUniqueFields(final FieldSet fields) {
        root = FieldNode.rootOf(fields);
    }

    @Override
    public boolean areUnique(final DirectBuffer message, final int offset, final int length) {
        bytes.wrap(message, offset, length);
        return value(root, bytes.skipSpace(0)) != NOT_UNIQUE;
    }

    /** Passes over a value; the position after it, or {@link #NOT_UNIQUE}. */
    private int value(final @Nullable FieldNode node, final int position) {
        final int c = bytes.at(position);
        if (node != null && c == '{' && node.hasMembers()) {
            return members(node, position + 1);
        }
        if (node != null && c == '[' && node.hasElements()) {
            return elements(node, position + 1);
        }
        return bytes.skipValue(position);
    }

    private int members(final FieldNode object, final int position) {
        final long number = ++objectCount;
        int i = bytes.skipToItem(position);
        while (bytes.at(i) == '"') {
            final int quote = bytes.skipToQuote(i + 1);
            final FieldNode member = names.member(object, bytes, i + 1, quote);
            if (member != null && !member.found(number)) {
                return NOT_UNIQUE;
            }
            final int end = value(member, bytes.skipSpace(bytes.skipSpace(quote + 1) + 1));
            if (end == NOT_UNIQUE) {
                return NOT_UNIQUE;
            }
            i = bytes.skipToItem(end);
        }
        return i + 1;
    }

    private int elements(final FieldNode array, final int position) {
        int i = bytes.skipToItem(position);
        for (int index = 0; !bytes.isScalarEnd(i); index++) {
            final int end = value(array.element(index), i);
            if (end == NOT_UNIQUE) {
                return NOT_UNIQUE;
            }
            i = bytes.skipToItem(end);
        }
        return i + 1;
    }
}
