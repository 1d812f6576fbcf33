package io.penstock.format.json;

import io.penstock.format.FieldNode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes before the value of a member in the previous message: {@code ,"price":} or {@code , "symbol": "}, that is
 * from after the value before to the value, into it when it is a string. Messages of a topic mostly have the same
 * members in the same order. That these bytes stand here again is seen by comparing two words; to find the end of a
 * name, what stands after it and what the name means takes many steps that wait for one another.
 */
final class KnownMember extends KnownBytes {
    /** Most members of a message that are remembered. */
    static final int COUNT_MAX = 128;

    /** Stands for no object. */
    private static final FieldNode FIRST = FieldNode.newRoot();

    private static final int COUNT_INITIAL = 4;

    private boolean isString;
    /** Whether it is a string that no path goes to, as most are. */
    private boolean isPlainString;
    /** The object that it was a member of, but not the first one; {@link #FIRST} when it was. */
    private @Nullable FieldNode object;

    /** The object that it was the first member of. */
    private @Nullable FieldNode firstOf;

    private @Nullable FieldNode node;

    /** Twice as many members, those that there are first; {@link #COUNT_MAX} is reached exactly. */
    static KnownMember[] more(final KnownMember[] members) {
        final int count = Math.max(COUNT_INITIAL, 2 * members.length);
        final KnownMember[] more = Arrays.copyOf(members, count);
        for (int i = members.length; i < count; i++) {
            more[i] = new KnownMember();
        }
        return more;
    }

    /**
     * Whether the member stands at a position.
     *
     * @param bytes    of the message.
     * @param position after the value before, or after the bracket.
     * @param parent   that paths go through there; it has to be the same.
     * @return whether it does.
     */
    @SuppressWarnings("ReferenceEquality") // Nodes are the same or different.
    boolean isAt(final JsonBytes bytes, final int position, final @Nullable FieldNode parent) {
        return object == parent && isAt(bytes, position);
    }

    /** Whether there was a string behind it, whose quote is the last of the bytes. */
    boolean isString() {
        return isString;
    }

    boolean isPlainString() {
        return isPlainString;
    }

    /** Whether the member stands at a position after its object's bracket, and stood in such a place before. */
    @SuppressWarnings("ReferenceEquality") // Nodes are the same or different.
    boolean isFirstAt(final JsonBytes bytes, final int position, final @Nullable FieldNode parent) {
        return firstOf == parent && isAt(bytes, position, FIRST);
    }

    /** The node of the member for a reader; null when no path goes there. */
    @Nullable
    FieldNode node() {
        return node;
    }

    /**
     * Learns a member. When there is more before its value than is remembered, it will not be recognised.
     *
     * @param bytes      of the message.
     * @param start      after the value before, or behind the bracket when it is an object's first member.
     * @param value      where the value starts.
     * @param isOfStart  whether it is the first of its object.
     * @param parent     that the member was read in.
     * @param memberNode that a reader's paths go on to.
     */
    void learn(
            final JsonBytes bytes,
            final int start,
            final int value,
            final boolean isOfStart,
            final @Nullable FieldNode parent,
            final @Nullable FieldNode memberNode) {
        isString = bytes.at(value) == '"';
        object = isOfStart ? FIRST : parent;
        firstOf = isOfStart ? parent : null;
        node = memberNode;
        isPlainString = isString && node == null;
        learn(bytes, start, isString ? value + 1 - start : value - start);
    }
}
