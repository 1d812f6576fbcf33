package io.penstock.format.json;

import io.penstock.format.MessageBytes;
import io.penstock.format.MessageValidator;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Checks JSON in one pass, without recursion. Positions are as {@link JsonMistake} says. */
final class JsonValidator implements MessageValidator {
    private static final long TRUE = 0x65757274L;
    private static final long FALSE = 0x65736C6166L;
    private static final long NULL = 0x6C6C756EL;
    private static final long BYTE_ORDER_MARK = 0xBFBBEFL;

    private final JsonBytes bytes = new JsonBytes();
    private final JsonMistake mistake = new JsonMistake();
    private final JsonStringValidator strings = new JsonStringValidator(bytes, mistake);
    /** Members that were valid, by their place in a message among all but the first ones of its objects. */
    private final KnownMember[] members = KnownMember.newMembers();

    private int memberCount;
    private int depth;
    /** A bit for each level of nesting, the innermost lowest: whether it is an object. */
    private long objects;

    @Override
    public @Nullable String validate(final DirectBuffer buffer, final int offset, final int length) {
        bytes.wrap(buffer, offset, length);
        memberCount = 0;
        depth = 0;
        objects = 0;
        final int end = document();
        return end >= 0 ? null : mistake.describe(~end, length);
    }

    private int document() {
        int i = value(bytes.skipSpace(0));
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
            return inObject ? member(item, position) : value(item);
        }
        if (c == endBracket(inObject)) {
            depth--;
            objects >>>= 1;
            return i + 1;
        }
        return mistake.at(i, inObject ? "expected ',' or '}'" : "expected ',' or ']'");
    }

    /** Over members that stood here before, as long as their values are strings, and over one whose value is not. */
    private int knownMembers(final int position) {
        int i = position;
        int k = memberCount;
        while (k < KnownMember.COUNT_MAX && i >= 0) {
            final KnownMember known = members[k];
            if (!known.isAt(bytes, i)) {
                break;
            }
            k++;
            i += known.length();
            if (!known.isString()) {
                memberCount = k;
                return value(bytes.skipSpace(i));
            }
            i = strings.text(i);
        }
        memberCount = k;
        return i;
    }

    /** From the start of a value to after the first scalar in it, or to the end bracket of a container with none. */
    private int value(final int position) {
        int i = position;
        int c = bytes.at(i);
        while (c == '{' || c == '[') {
            if (depth == JsonFormat.DEPTH_MAX) {
                return mistake.at(i, "nested deeper than " + JsonFormat.DEPTH_MAX + " levels");
            }
            depth++;
            objects = objects << 1 | (c == '{' ? 1 : 0);
            i = bytes.skipSpace(i + 1);
            if (bytes.at(i) == endBracket(c == '{')) {
                return i;
            }
            if (c == '{') {
                i = name(i);
                if (i < 0) {
                    return i;
                }
            }
            c = bytes.at(i);
        }
        return c == '"' ? strings.text(i + 1) : number(i, c);
    }

    private static int endBracket(final boolean ofObject) {
        return ofObject ? '}' : ']';
    }

    /** From the name of a member that is not the first to after its value. */
    private int member(final int position, final int start) {
        final int i = name(position);
        if (i < 0) {
            return i;
        }
        if (memberCount < KnownMember.COUNT_MAX) {
            members[memberCount++].learn(bytes, start, i);
        }
        return value(i);
    }

    /** From a member's name to its value. */
    private int name(final int position) {
        if (bytes.at(position) != '"') {
            return mistake.at(position, "expected a name in double quotes");
        }
        int i = strings.name(position + 1);
        if (i < 0) {
            return i;
        }
        i = bytes.skipSpace(i);
        return bytes.at(i) == ':' ? bytes.skipSpace(i + 1) : mistake.at(i, "expected ':'");
    }

    private int number(final int position, final int c) {
        final int start = c == '-' ? position + 1 : position;
        final int first = c == '-' ? bytes.at(start) : c;
        int i;
        if (first == '0') {
            i = start + 1;
        } else if (first > '0' && first <= '9') {
            i = bytes.skipDigits(start + 1);
        } else {
            return c == '-' ? mistake.at(start, "expected a digit") : literal(position);
        }
        if (bytes.at(i) == '.') {
            i = digits(i + 1);
        }
        if (i >= 0 && (bytes.at(i) | 0x20) == 'e') {
            final int sign = bytes.at(i + 1);
            i = digits(sign == '+' || sign == '-' ? i + 2 : i + 1);
        }
        if (i - position > JsonFormat.NUMBER_LENGTH_MAX) {
            return mistake.at(position, "number longer than " + JsonFormat.NUMBER_LENGTH_MAX + " bytes");
        }
        return i;
    }

    private int digits(final int position) {
        final int end = bytes.skipDigits(position);
        return end > position ? end : mistake.at(position, "expected a digit");
    }

    private int literal(final int position) {
        final long word = bytes.word(position);
        final long firstFour = MessageBytes.firstBytes(word, 4);
        if (firstFour == TRUE || firstFour == NULL) {
            return position + 4;
        }
        if (MessageBytes.firstBytes(word, 5) == FALSE) {
            return position + 5;
        }
        final boolean isMark = position == 0 && MessageBytes.firstBytes(word, 3) == BYTE_ORDER_MARK;
        return mistake.at(position, isMark ? "expected a value, not a byte order mark" : "expected a value");
    }
}
