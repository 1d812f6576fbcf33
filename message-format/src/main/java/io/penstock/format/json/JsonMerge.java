package io.penstock.format.json;

import org.agrona.DirectBuffer;

/**
 * Writes a message with the members of a delta in place of its own. Goes through the message once; members that stay are
 * copied together with what stands between them.
 */
final class JsonMerge {
    private static final int NONE = -1;

    private final JsonOutput output;
    private final JsonBytes message = new JsonBytes();
    private final JsonMembers delta = new JsonMembers();
    private final JsonNames names = new JsonNames();

    JsonMerge(final JsonOutput output) {
        this.output = output;
    }

    void message(final DirectBuffer buffer, final int offset, final int length) {
        message.wrap(buffer, offset, length);
    }

    void delta(final DirectBuffer buffer, final int offset, final int length) {
        delta.wrap(buffer, offset, length);
    }

    void write() {
        final int start = message.skipSpace(0);
        final int deltaStart = delta.bytes().skipSpace(0);
        if (message.at(start) == '{' && delta.bytes().at(deltaStart) == '{') {
            object(start, deltaStart);
        } else {
            output.put(delta.bytes(), deltaStart, delta.bytes().skipValue(deltaStart));
        }
    }

    /** Merges two objects, and returns the position after that of the message. */
    private int object(final int start, final int deltaStart) {
        delta.open(deltaStart);
        output.put('{');
        final long inside = output.position();
        int stayStart = NONE;
        int stayEnd = NONE;
        int i = message.skipToItem(start + 1);
        while (message.at(i) == '"') {
            final int nameEnd = message.skipToQuote(i + 1);
            final int value = message.skipSpace(message.skipSpace(nameEnd + 1) + 1);
            final int member = delta.find(message, i + 1, nameEnd, names.hash(message, i + 1, nameEnd));
            final int end;
            if (member == JsonMembers.NONE) {
                end = message.skipValue(value);
                stayStart = stayStart == NONE ? i : stayStart;
                stayEnd = end;
            } else {
                stay(inside, stayStart, stayEnd);
                stayStart = NONE;
                end = delta.isMarked(member) ? message.skipValue(value) : member(inside, i, nameEnd, value, member);
            }
            i = message.skipToItem(end);
        }
        stay(inside, stayStart, stayEnd);
        for (int member = delta.first(); member < delta.end(); member++) {
            if (!delta.isMarked(member)) {
                separate(inside);
                output.put(delta.bytes(), delta.nameStart(member) - 1, delta.nameEnd(member) + 1);
                output.put(':');
                output.put(delta.bytes(), delta.valueStart(member), delta.valueEnd(member));
            }
        }
        output.put('}');
        delta.close();
        return i + 1;
    }

    private void separate(final long inside) {
        if (output.position() != inside) {
            output.put(',');
        }
    }

    private void stay(final long inside, final int start, final int end) {
        if (start != NONE) {
            separate(inside);
            output.put(message, start, end);
        }
    }

    /** Writes a member that is in both, and returns the position after that of the message. */
    private int member(final long inside, final int quote, final int nameEnd, final int value, final int member) {
        final int deltaValue = delta.valueStart(member);
        final int deltaEnd = delta.valueEnd(member);
        delta.mark(member);
        separate(inside);
        output.put(message, quote, nameEnd + 1);
        output.put(':');
        if (message.at(value) == '{' && delta.bytes().at(deltaValue) == '{') {
            return object(value, deltaValue);
        }
        output.put(delta.bytes(), deltaValue, deltaEnd);
        return message.skipValue(value);
    }
}
