package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.MessageValidator;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks JSON in one pass, without recursion, and notes on the way where the fields are that somebody wants. Positions are
 * as {@link JsonMistake} says.
 */
final class JsonValidator implements MessageValidator {
    private final JsonBytes bytes;
    private final JsonMistake mistake = new JsonMistake();
    private final JsonStringValidator strings;
    private final JsonNumberValidator numbers;
    private final JsonPlaces places;
    /** The ends of a chain of members that were valid, in the order of the message; at none of them is ever a member. */
    private final KnownMember chainStart = new KnownMember();

    private final KnownMember chainEnd = new KnownMember();
    private int chainLength;
    /** The one that stood here before. */
    private KnownMember expected = chainEnd;

    private int depth;
    /** A bit for each level of nesting, the innermost lowest: whether it is an object. */
    private long objects;
    /** Of the member whose name was passed last, if paths go on to it. */
    private @Nullable FieldNode entered;

    /** Makes one that notes nothing. */
    JsonValidator() {
        this(new JsonBytes(), new JsonPlaces());
    }

    /**
     * Makes one.
     *
     * @param bytes  that it moves to each message.
     * @param places where it notes the fields.
     */
    JsonValidator(final JsonBytes bytes, final JsonPlaces places) {
        this.bytes = bytes;
        this.places = places;
        chainEnd.follow(chainStart);
        strings = new JsonStringValidator(bytes, mistake);
        numbers = new JsonNumberValidator(bytes, mistake);
    }

    @Override
    public @Nullable String validate(final DirectBuffer buffer, final int offset, final int length) {
        bytes.wrap(buffer, offset, length);
        places.clear();
        expected = chainStart.next();
        depth = 0;
        objects = 0;
        final int end = document();
        return end >= 0 ? null : mistake.describe(~end, length);
    }

    private int document() {
        int i = value(bytes.skipSpace(0), places.root());
        while (i >= 0 && depth > 0) {
            i = next(i);
        }
        if (i < 0) {
            return i;
        }
        i = bytes.skipSpace(i);
        return i == bytes.length() ? i : mistake.at(i, "expected nothing behind the value");
    }

    /** From after a value or a bracket at least to after the next one. */
    private int next(final int position) {
        final boolean inObject = (objects & 1) != 0;
        final int start = inObject ? knownMembers(position) : position;
        if (start != position) {
            return start;
        }
        final int i = bytes.skipSpace(position);
        final int c = bytes.at(i);
        if (c == ',') {
            final int item = bytes.skipSpace(i + 1);
            return inObject ? member(item, position) : value(item, places.element(item));
        }
        if (c == endBracket(inObject)) {
            depth--;
            objects >>>= 1;
            places.leave(depth);
            return i + 1;
        }
        return mistake.at(i, inObject ? "expected ',' or '}'" : "expected ',' or ']'");
    }

    /** Over members that stood here before, as long as their values are strings that nobody wants, and over one more. */
    private int knownMembers(final int position) {
        KnownMember member = expected;
        if (!member.isAt(bytes, position, false, places.container())) {
            return position;
        }
        int i = position;
        do {
            i += member.length();
            if (!member.isPlainString()) {
                expected = member.next();
                return valueOf(member, i);
            }
            i = strings.text(i);
            member = member.next();
        } while (i >= 0 && member.isNextAt(bytes, i));
        expected = member;
        return i;
    }

    private int valueOf(final KnownMember member, final int position) {
        final FieldNode node = member.node();
        final int i = member.isString() ? position - 1 : bytes.skipSpace(position);
        return value(i, node == null ? null : places.member(node, i));
    }

    /** From the start of a value to after the first scalar in it, or to the end bracket of a container with none. */
    private int value(final int position, final @Nullable FieldNode ofValue) {
        int i = position;
        int c = bytes.at(i);
        FieldNode node = ofValue;
        while (c == '{' || c == '[') {
            if (depth == JsonFormat.DEPTH_MAX) {
                return mistake.at(i, "nested deeper than " + JsonFormat.DEPTH_MAX + " levels");
            }
            final boolean isObject = c == '{';
            places.enter(node, isObject, depth);
            depth++;
            objects = objects << 1 | (isObject ? 1 : 0);
            final int inside = i + 1;
            if (isObject && expected.isAt(bytes, inside, true, places.container())) {
                i = knownFirst(inside);
            } else {
                i = bytes.skipSpace(inside);
                if (bytes.at(i) == endBracket(isObject)) {
                    return i;
                }
                if (isObject) {
                    i = name(i, inside, true);
                } else {
                    entered = places.element(i);
                }
            }
            if (i < 0) {
                return i;
            }
            node = entered;
            c = bytes.at(i);
        }
        return c == '"' ? strings.text(i + 1) : numbers.scalar(i, c);
    }

    private static int endBracket(final boolean ofObject) {
        return ofObject ? '}' : ']';
    }

    /** From after an object's bracket to the value of the first member, which is known. */
    private int knownFirst(final int position) {
        final KnownMember known = expected;
        expected = known.next();
        final int end = position + known.length();
        final int i = known.isString() ? end - 1 : bytes.skipSpace(end);
        final FieldNode node = known.node();
        entered = node == null ? null : places.member(node, i);
        return i;
    }

    /** From the name of a member that is not the first to after its value. */
    private int member(final int position, final int start) {
        final int i = name(position, start, false);
        return i < 0 ? i : value(i, entered);
    }

    /** From a member's name to its value. */
    private int name(final int position, final int start, final boolean isFirst) {
        if (bytes.at(position) != '"') {
            return mistake.at(position, "expected a name in double quotes");
        }
        final int end = strings.name(position + 1);
        if (end < 0) {
            return end;
        }
        int i = bytes.skipSpace(end);
        if (bytes.at(i) != ':') {
            return mistake.at(i, "expected ':'");
        }
        i = bytes.skipSpace(i + 1);
        final FieldNode node = places.find(position + 1, end - 1, strings.hasEscape());
        learn(start, i, node, isFirst);
        entered = node == null ? null : places.member(node, i);
        return i;
    }

    private void learn(final int start, final int value, final @Nullable FieldNode node, final boolean isFirst) {
        final KnownMember member = expected == chainEnd ? lengthen() : expected;
        if (member != chainEnd) {
            member.learn(bytes, start, value, isFirst, places.container(), node);
            member.isBehindPrevious();
            expected = member.next();
            expected.isBehindPrevious();
        }
    }

    /** One more member before the end of the chain, or the end when there are enough. */
    private KnownMember lengthen() {
        if (chainLength == KnownMember.COUNT_MAX) {
            return chainEnd;
        }
        chainLength++;
        final KnownMember made = new KnownMember();
        made.follow(chainEnd.previous());
        chainEnd.follow(made);
        return made;
    }
}
