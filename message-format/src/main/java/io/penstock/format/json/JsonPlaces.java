package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.MessageBytes;
import org.jspecify.annotations.Nullable;

/**
 * Where fields are in a message, noted while it is validated: only the first of several members of a name counts. It knows
 * which of the open objects and arrays paths lead through. Confined to one agent.
 */
final class JsonPlaces {
    private final JsonBytes bytes;
    private final @Nullable FieldNode root;
    private final JsonField[] fields;
    private final EscapedName escapedName = new EscapedName();
    /** By depth the nodes of the containers around the innermost, null for those that no path goes on in. */
    private final @Nullable FieldNode[] outer = new FieldNode[JsonFormat.DEPTH_MAX];

    private final int[] outerIndexes = new int[JsonFormat.DEPTH_MAX];
    private @Nullable FieldNode container;
    /** Of the next element, when the container is an array that paths go on in. */
    private int index;

    private long message;
    private boolean areUnique = true;

    /** Notes nothing. */
    JsonPlaces() {
        bytes = new JsonBytes();
        root = null;
        fields = new JsonField[0];
    }

    /**
     * Notes fields.
     *
     * @param bytes  of the messages.
     * @param root   of the paths to the fields.
     * @param fields by slot, each of which is told where it is.
     */
    JsonPlaces(final JsonBytes bytes, final FieldNode root, final JsonField[] fields) {
        this.bytes = bytes;
        this.root = root;
        this.fields = fields;
    }

    /** Another message begins. */
    void clear() {
        message++;
        container = null;
        areUnique = true;
    }

    /** The number of the message. */
    long message() {
        return message;
    }

    /** Whether there was nothing twice so far that is to be there once. */
    boolean areUnique() {
        return areUnique;
    }

    /** The node of the whole message; null when no fields are noted. */
    @Nullable
    FieldNode root() {
        return root;
    }

    /** The node of the innermost object or array; null when no path goes on in it. */
    @Nullable
    FieldNode container() {
        return container;
    }

    /**
     * An object or array begins.
     *
     * @param node     of it, null when no path goes there.
     * @param isObject whether it is an object.
     * @param depth    how many are around it.
     */
    void enter(final @Nullable FieldNode node, final boolean isObject, final int depth) {
        outer[depth] = container;
        outerIndexes[depth] = index;
        container = node != null && (isObject ? node.hasMembers() : node.hasElements()) ? node : null;
        index = 0;
    }

    /**
     * An object or array ends.
     *
     * @param depth how many are around it.
     */
    void leave(final int depth) {
        container = outer[depth];
        index = outerIndexes[depth];
    }

    /**
     * Finds a member of the container.
     *
     * @param start     of its name, after the quotation mark.
     * @param end       of its name, before the quotation mark.
     * @param isEscaped whether the name has escapes.
     * @return its node, null when no path goes there.
     */
    @Nullable
    FieldNode find(final int start, final int end, final boolean isEscaped) {
        final FieldNode object = container;
        if (object == null) {
            return null;
        }
        final JsonBytes source = isEscaped ? escapedName.decode(bytes, start, end) : bytes;
        final int at = isEscaped ? 0 : start;
        final int length = isEscaped ? escapedName.length() : end - start;
        return object.member(source, at, length, MessageBytes.firstBytes(source.word(at), length));
    }

    /**
     * A member is there that paths go to.
     *
     * @param node  of it.
     * @param value where its value starts.
     * @return the node, or null when the object had such a member before.
     */
    @Nullable
    FieldNode member(final FieldNode node, final int value) {
        if (!node.found(message)) {
            areUnique &= !node.isUnique();
            return null;
        }
        if (node.slot() != FieldNode.NO_SLOT) {
            fields[node.slot()].found(value, false, message);
        }
        return node;
    }

    /**
     * The next element of an array is there.
     *
     * @param value where it starts.
     * @return its node, null when no path goes there.
     */
    @Nullable
    FieldNode element(final int value) {
        final FieldNode array = container;
        final FieldNode node = array == null ? null : array.element(index++);
        if (node != null && node.slot() != FieldNode.NO_SLOT) {
            fields[node.slot()].found(value, true, message);
        }
        return node;
    }
}
