package io.penstock.format.json;

import org.agrona.ExpandableArrayBuffer;

/** A member's name that has escapes, decoded into memory of its own. Used again for each such name; one owner. */
final class EscapedName {
    private final JsonBytes bytes = new JsonBytes();
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private int length;

    /**
     * Decodes a name.
     *
     * @param source holding it.
     * @param start  of the name, after the quotation mark.
     * @param end    of the name, before the quotation mark.
     * @return the name, valid until the next.
     */
    JsonBytes decode(final JsonBytes source, final int start, final int end) {
        length = JsonEscapes.decode(source, start, end, scratch);
        bytes.wrap(scratch, 0, length);
        return bytes;
    }

    /** Length of the last one, in bytes. */
    int length() {
        return length;
    }
}
