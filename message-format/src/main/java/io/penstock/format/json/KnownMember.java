package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.MessageBytes;
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

    private static final int COUNT_INITIAL = 4;

    /** The first word, if the one before it in the chain was in the same object, and not this the first there; else one that is nowhere. */
    private long nextWord = 1;

    private long nextMask;
    private boolean isString;
    /** Whether it is a string that no path goes to, as most are. */
    private boolean isPlainString;
    /** Whether it was the first of its object, with no comma before it. */
    private boolean isFirst;

    private @Nullable FieldNode object;
    private @Nullable FieldNode node;

    /** In a chain of members, of which each has one before and behind it except the ends. */
    @SuppressWarnings("NullAway.Init")
    private KnownMember previous;

    @SuppressWarnings("NullAway.Init")
    private KnownMember next;

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
     * @param isOfStart whether it is after the bracket; the member has to be the first of its object then, and else not.
     * @param parent   that paths go through there; it has to be the same.
     * @return whether it does.
     */
    boolean isAt(final JsonBytes bytes, final int position, final boolean isOfStart, final @Nullable FieldNode parent) {
        return isFirst == isOfStart && object == parent && isAt(bytes, position);
    }

    /**
     * Whether the member stands at a position behind the one before it in the chain, which stands there too: cheaper, as
     * nothing but bytes is compared.
     *
     * @param bytes    of the message.
     * @param position after that member's value.
     * @return whether it does; false also where it is to be asked by {@link #isAt(JsonBytes, int, boolean, FieldNode)}.
     */
    boolean isNextAt(final JsonBytes bytes, final int position) {
        return (bytes.word(position) & nextMask) == nextWord && isRestAt(bytes, position);
    }

    /** Becomes the member behind another in a chain. */
    void follow(final KnownMember member) {
        previous = member;
        member.next = this;
    }

    /** The one before it in the chain. */
    KnownMember previous() {
        return previous;
    }

    /** The one behind it in the chain. */
    KnownMember next() {
        return next;
    }

    /** This member, or the one before it in the chain, has changed. */
    void isBehindPrevious() {
        final boolean isNext = !isFirst && object == previous.object;
        nextMask = isNext ? MessageBytes.firstBytes(-1L, length()) : 0;
        nextWord = isNext ? firstWord() : 1;
    }

    /** Whether there was a string behind it, whose quote is the last of the bytes. */
    boolean isString() {
        return isString;
    }

    boolean isPlainString() {
        return isPlainString;
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
        isFirst = isOfStart;
        object = parent;
        node = memberNode;
        isPlainString = isString && node == null;
        learn(bytes, start, isString ? value + 1 - start : value - start);
    }
}
