package io.penstock.format.json;

import io.penstock.format.FieldType;

/** The content of a slot: a value of the message, and when that is an array, a cursor over its elements. */
final class JsonField {
    private static final int WHOLE = -1;

    private final JsonBytes bytes;
    private final JsonValue whole;
    private final JsonValue element;
    private JsonValue selected;
    private long readIn;
    private long foundIn;
    private int foundAt;
    private boolean isFoundInArray;
    private int elementCount;
    private int cursorIndex;
    private int cursorPosition;

    JsonField(final JsonBytes bytes) {
        this.bytes = bytes;
        whole = new JsonValue(bytes);
        element = new JsonValue(bytes);
        selected = whole;
    }

    /**
     * Whether this was read, or found absent, in a message.
     *
     * @param message by number.
     * @return whether it was.
     */
    boolean isReadIn(final long message) {
        return readIn == message;
    }

    /**
     * Notes where the value is.
     *
     * @param position  of its first byte.
     * @param isElement whether it is an element of an array.
     * @param message   that it stands in, by number.
     */
    void found(final int position, final boolean isElement, final long message) {
        foundIn = message;
        foundAt = position;
        isFoundInArray = isElement;
    }

    /** Reads the value where it was found in a message, by number; it is absent when it was not found there. */
    void readFound(final long message) {
        if (foundIn == message) {
            read(foundAt, isFoundInArray, message);
        } else {
            absent(message);
        }
    }

    /** Remembers the value that was found in a message, by number, if it is a text. */
    boolean remember(final KnownBytes known, final long message) {
        if (foundIn != message || bytes.at(foundAt) != '"') {
            return false;
        }
        known.learn(bytes, foundAt, bytes.skipToQuote(foundAt + 1) + 1 - foundAt);
        return true;
    }

    /** Whether a text that was remembered, with both its quotes, was found in a message, by number. */
    boolean is(final KnownBytes known, final long message) {
        return foundIn == message && known.isAt(bytes, foundAt);
    }

    void absent(final long message) {
        readIn = message;
        selected = whole;
        whole.absent();
    }

    /**
     * Reads the value at a position.
     *
     * @param position  of its first byte.
     * @param isElement whether it is an element of an array.
     * @param message   that it stands in, by number.
     * @return the position after it, or its own when it is an array or an object.
     */
    int read(final int position, final boolean isElement, final long message) {
        readIn = message;
        selected = whole;
        elementCount = WHOLE;
        cursorIndex = WHOLE;
        final int end = whole.read(position);
        if (isElement) {
            whole.nestInArray();
        }
        return end;
    }

    JsonValue selected() {
        return selected;
    }

    int elementCount() {
        if (whole.type() != FieldType.ARRAY) {
            return 0;
        }
        if (elementCount < 0) {
            int i = bytes.skipToItem(whole.offset() + 1);
            elementCount = 0;
            while (!isEnd(i)) {
                elementCount++;
                i = bytes.skipToItem(bytes.skipValue(i));
            }
        }
        return elementCount;
    }

    void select(final int index) {
        if (index < 0) {
            selected = whole;
            return;
        }
        selected = element;
        element.absent();
        if (whole.type() != FieldType.ARRAY) {
            return;
        }
        if (cursorIndex < 0 || index < cursorIndex) {
            cursorIndex = 0;
            cursorPosition = bytes.skipToItem(whole.offset() + 1);
        }
        while (cursorIndex < index && !isEnd(cursorPosition)) {
            cursorPosition = bytes.skipToItem(bytes.skipValue(cursorPosition));
            cursorIndex++;
        }
        if (!isEnd(cursorPosition)) {
            element.read(cursorPosition);
            element.nestInArray();
        }
    }

    private boolean isEnd(final int position) {
        return bytes.isScalarEnd(position);
    }
}
