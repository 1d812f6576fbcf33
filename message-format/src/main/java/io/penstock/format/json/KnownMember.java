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
final class KnownMember {
    /** Most members of a message that are remembered. */
    static final int COUNT_MAX = 128;

    /** Stands for no object. */
    private static final FieldNode FIRST = FieldNode.newRoot();

    private static final int COUNT_INITIAL = 4;

    private static final int LENGTH_MAX = 3 * MessageBytes.WORD_LENGTH;

    private long firstWord;
    private long firstMask;
    private long secondWord;
    private long secondMask;
    private long thirdWord;
    private long thirdMask;
    private int length;
    private boolean isString;
    /** Whether it is a string that no path goes to, as most are. */
    private boolean isPlainString;
    /** The object that it was a member of, but not the first one; {@link #FIRST} when it was. */
    private @Nullable FieldNode object;

    /** The object that it was the first member of. */
    private @Nullable FieldNode firstOf;
    private @Nullable FieldNode node;

    KnownMember() {
        forget();
    }

    /** Twice as many members, those that there are first; {@link #COUNT_MAX} is reached exactly. */
    static KnownMember[] more(final KnownMember[] members) {
        final int count = Math.max(COUNT_INITIAL, 2 * members.length);
        final KnownMember[] more = Arrays.copyOf(members, count);
        for (int i = members.length; i < count; i++) {
            more[i] = new KnownMember();
        }
        return more;
    }

    /** Is none from now on. */
    void forget() {
        firstMask = 0;
        firstWord = 1; // Under that mask no word is this one.
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
        return (bytes.word(position) & firstMask) == firstWord
                && object == parent
                && (secondMask == 0 || (bytes.word(position + MessageBytes.WORD_LENGTH) & secondMask) == secondWord)
                && (length <= 2 * MessageBytes.WORD_LENGTH || isEndAt(bytes, position + 2 * MessageBytes.WORD_LENGTH));
    }

    /** Not within {@link #isAt}, which is compiled into its callers: most names are too short for this. */
    private boolean isEndAt(final JsonBytes bytes, final int position) {
        return (bytes.word(position) & thirdMask) == thirdWord;
    }

    /** The count of bytes up to the value, with the opening quote when it is a string. */
    int length() {
        return length;
    }

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
        length = isString ? value + 1 - start : value - start;
        object = isOfStart ? FIRST : parent;
        firstOf = isOfStart ? parent : null;
        node = memberNode;
        isPlainString = isString && node == null;
        if (length > LENGTH_MAX) {
            forget();
            return;
        }
        firstMask = mask(0);
        firstWord = bytes.word(start) & firstMask;
        secondMask = mask(1);
        secondWord = bytes.word(start + MessageBytes.WORD_LENGTH) & secondMask;
        thirdMask = mask(2);
        thirdWord = bytes.word(start + 2 * MessageBytes.WORD_LENGTH) & thirdMask;
    }

    private long mask(final int word) {
        return MessageBytes.firstBytes(-1L, Math.max(0, length - word * MessageBytes.WORD_LENGTH));
    }
}
