package io.penstock.format;

import org.agrona.DirectBuffer;

/**
 * Reads the fields of a {@link FieldSet} straight from the bytes of one validated message at a time, no further into
 * the message than the slots asked for need. Confined to one agent; allocates nothing.
 *
 * <p>A slot is read as a value, by {@link #type(int)} and the accessor for that type. When the type is
 * {@link FieldType#ARRAY}, {@link #elementCount(int)} scalar elements can be walked: {@link #element(int, int)} makes
 * the accessors of that slot speak of one element until the next call of {@link #element} for the slot or
 * {@link #wrap}. Elements that are arrays or objects have type {@link FieldType#OBJECT}; after the last one, and in what
 * is no array, there are only absent ones.
 *
 * <p>Of bytes that were not validated the answers mean nothing, but they come, and depend on no others.
 */
public interface FieldReader {
    /**
     * Moves to a message. Values of the one before become invalid.
     *
     * @param buffer holding the message; it must stay as it is while it is read.
     * @param offset of its first byte.
     * @param length in bytes.
     */
    void wrap(DirectBuffer buffer, int offset, int length);

    /**
     * Gives the headers of the message that {@link #wrap} moves to next. Without this call it has none. A reader of fields
     * alone has no use for them.
     *
     * @param buffer holding a block of headers that was checked; it must stay as it is while it is read.
     * @param offset of its first byte.
     * @param length in bytes; 0 for no headers.
     */
    default void headers(final DirectBuffer buffer, final int offset, final int length) {}

    /**
     * The type of a field's value, or of the selected element's.
     *
     * @param slot of the field.
     * @return the type, {@link FieldType#ABSENT} when the message has no such field.
     */
    FieldType type(int slot);

    /**
     * The value when the type is {@link FieldType#BOOLEAN}.
     *
     * @param slot of the field.
     * @return the value.
     */
    boolean booleanValue(int slot);

    /**
     * The value when the type is {@link FieldType#LONG}.
     *
     * @param slot of the field.
     * @return the value.
     */
    long longValue(int slot);

    /**
     * The value when the type is {@link FieldType#DOUBLE} or {@link FieldType#LONG}.
     *
     * @param slot of the field.
     * @return the value.
     */
    double doubleValue(int slot);

    /**
     * The buffer that holds the text when the type is {@link FieldType#STRING} or {@link FieldType#UNTYPED}: UTF-8 with
     * all escapes resolved, so either the message's own buffer or the reader's scratch, which later calls on other slots
     * do not overwrite.
     *
     * @param slot of the field.
     * @return the buffer.
     */
    DirectBuffer stringBuffer(int slot);

    /**
     * Where the text starts in {@link #stringBuffer(int)}.
     *
     * @param slot of the field.
     * @return offset in bytes.
     */
    int stringOffset(int slot);

    /**
     * How long the text is.
     *
     * @param slot of the field.
     * @return length in bytes.
     */
    int stringLength(int slot);

    /**
     * How many elements the array in this slot has.
     *
     * @param slot of a field whose type is {@link FieldType#ARRAY}.
     * @return count of elements.
     */
    int elementCount(int slot);

    /**
     * Selects an element of the array in a slot.
     *
     * @param slot  of the field.
     * @param index of the element, from 0; a negative one selects the array as a whole again.
     */
    void element(int slot, int index);
}
