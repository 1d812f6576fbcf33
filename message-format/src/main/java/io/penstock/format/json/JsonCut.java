package io.penstock.format.json;

import io.penstock.format.FieldNode;
import io.penstock.format.FieldSelection;
import org.agrona.DirectBuffer;

/** Writes a message without some fields. Confined to one agent. */
final class JsonCut {
    private final JsonOutput output;
    private final JsonBytes bytes = new JsonBytes();
    private final JsonNames names = new JsonNames();

    JsonCut(final JsonOutput output) {
        this.output = output;
    }

    void write(final DirectBuffer message, final int offset, final int length, final FieldSelection cut) {
        bytes.wrap(message, offset, length);
        value(bytes.skipSpace(0), cut.root());
    }

    /** Writes what is left of a value, and returns the position after it. */
    private int value(final int start, final FieldNode cut) {
        return switch (bytes.at(start)) {
            case '{' -> object(start, cut);
            case '[' -> array(start, cut);
            default -> whole(start, start);
        };
    }

    private int object(final int start, final FieldNode cut) {
        output.put('{');
        final long inside = output.position();
        int i = bytes.skipToItem(start + 1);
        while (bytes.at(i) == '"') {
            final int nameEnd = bytes.skipToQuote(i + 1);
            final int value = bytes.skipSpace(bytes.skipSpace(nameEnd + 1) + 1);
            final FieldNode member = names.member(cut, bytes, i + 1, nameEnd);
            final int end;
            if (member != null && member.slot() != FieldNode.NO_SLOT) {
                end = bytes.skipValue(value);
            } else {
                comma(inside);
                end = member == null ? whole(i, value) : inside(i, value, member);
            }
            i = bytes.skipToItem(end);
        }
        output.put('}');
        return i + 1;
    }

    /** A path goes through an array to each of its elements. */
    private int array(final int start, final FieldNode cut) {
        output.put('[');
        final long inside = output.position();
        int i = bytes.skipToItem(start + 1);
        while (bytes.at(i) != ']') {
            comma(inside);
            i = bytes.skipToItem(value(i, cut));
        }
        output.put(']');
        return i + 1;
    }

    private void comma(final long inside) {
        if (output.position() != inside) {
            output.put(',');
        }
    }

    /** Writes from a position to the end of a value. */
    private int whole(final int from, final int value) {
        final int end = bytes.skipValue(value);
        output.put(bytes, from, end);
        return end;
    }

    private int inside(final int name, final int value, final FieldNode cut) {
        output.put(bytes, name, value);
        return value(value, cut);
    }
}
