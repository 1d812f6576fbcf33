package io.penstock.format.json;

import io.penstock.format.FieldType;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.jspecify.annotations.Nullable;

/** One value of a message, read where it stands. Reused for message after message. */
final class JsonValue {
    private final JsonBytes bytes;
    private final JsonNumber number = new JsonNumber();
    private @Nullable ExpandableArrayBuffer scratch;
    private FieldType type = FieldType.ABSENT;
    private boolean isTrue;
    private int offset;
    private int length;
    private boolean isEscaped;
    private boolean isDecoded;

    JsonValue(final JsonBytes bytes) {
        this.bytes = bytes;
    }

    void absent() {
        type = FieldType.ABSENT;
    }

    /**
     * Reads the value at a position, or only the type of it when it is an array or an object.
     *
     * @param position of its first byte.
     * @return the position after it, or the same position for an array or an object.
     */
    int read(final int position) {
        offset = position;
        return switch (bytes.at(position)) {
            case '"' -> readString(position);
            case '{' -> become(FieldType.OBJECT, position);
            case '[' -> become(FieldType.ARRAY, position);
            case 't' -> readBoolean(true, position + 4);
            case 'f' -> readBoolean(false, position + 5);
            case 'n' -> become(FieldType.NULL, position + 4);
            default -> readNumber(position);
        };
    }

    private int become(final FieldType valueType, final int end) {
        type = valueType;
        return end;
    }

    private int readBoolean(final boolean value, final int end) {
        isTrue = value;
        return become(FieldType.BOOLEAN, end);
    }

    private int readNumber(final int position) {
        final int end = number.read(bytes, position);
        return become(number.isLong() ? FieldType.LONG : FieldType.DOUBLE, end);
    }

    /** Makes an array within an array what it counts as. */
    void nestInArray() {
        if (type == FieldType.ARRAY) {
            type = FieldType.OBJECT;
        }
    }

    private int readString(final int position) {
        type = FieldType.STRING;
        offset = position + 1;
        final int stop = bytes.skipToQuoteOrBackslash(offset);
        isEscaped = bytes.at(stop) == '\\';
        isDecoded = false;
        final int end = isEscaped ? bytes.skipToQuote(stop) : stop;
        length = end - offset;
        return end + 1;
    }

    FieldType type() {
        return type;
    }

    boolean booleanValue() {
        return isTrue;
    }

    long longValue() {
        return number.longValue();
    }

    double doubleValue() {
        return number.doubleValue();
    }

    int offset() {
        return offset;
    }

    DirectBuffer stringBuffer() {
        return isEscaped ? decoded() : bytes.buffer();
    }

    int stringOffset() {
        return isEscaped ? 0 : bytes.offset() + offset;
    }

    int stringLength() {
        if (isEscaped) {
            decoded();
        }
        return length;
    }

    private DirectBuffer decoded() {
        ExpandableArrayBuffer text = scratch;
        if (text == null) {
            text = new ExpandableArrayBuffer();
            scratch = text;
        }
        if (!isDecoded) {
            length = JsonEscapes.decode(bytes, offset, offset + length, text);
            isDecoded = true;
        }
        return text;
    }
}
