package io.penstock.format;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message format. Found with {@link java.util.ServiceLoader}; a new one touches nothing but its own classes. It is made
 * when the first format is asked for, whichever that is, so its constructor and {@link #name} do as little as they can.
 * Safe on any thread.
 */
public interface MessageFormat {
    /**
     * The name that topics and commands give.
     *
     * @return lower case, for example {@code json}.
     */
    String name();

    /**
     * Makes a validator.
     *
     * @return a validator owned by the caller's agent.
     */
    MessageValidator newValidator();

    /**
     * Makes a reader of some fields.
     *
     * @param fields to be read, which may not grow afterwards.
     * @return a reader owned by the caller's agent.
     */
    FieldReader newReader(FieldSet fields);

    /**
     * Makes a reader of fields that come and go.
     *
     * @return a reader of no fields so far, owned by the caller's agent.
     */
    GrowableReader newReader();

    /**
     * Makes what tells whether messages have fields twice.
     *
     * @param fields that it looks for, which may not grow afterwards.
     * @return owned by the caller's agent.
     */
    default UniqueFields newUniqueFields(final FieldSet fields) {
        return UniqueFields.ALWAYS;
    }

    /**
     * Makes what validates messages and reads some of their fields. Formats that can do both in one pass do so here; by
     * default it is done by a validator, a reader and {@link #newUniqueFields} one after the other.
     *
     * @param fields      to be read, which may not grow afterwards.
     * @param uniqueCount how many of them, the first ones, {@link ValidatingReader#areUnique} is about.
     * @return a reader owned by the caller's agent.
     */
    default ValidatingReader newValidatingReader(final FieldSet fields, final int uniqueCount) {
        return new SeparateReader(this, fields, uniqueCount);
    }

    /**
     * Whether messages of the format have fields; without any there is no editor and no writer.
     *
     * @return true when they have.
     */
    default boolean hasFields() {
        return false;
    }

    /**
     * The operations that an editor of the format supports, without making one.
     *
     * @return the same each time.
     */
    default EditorSupport editorSupport() {
        return EditorSupport.NONE;
    }

    /**
     * Makes an editor.
     *
     * @return an editor owned by the caller's agent.
     * @throws UnsupportedOperationException when there is none, as {@link #editorSupport} says.
     */
    default MessageEditor newEditor() {
        throw new UnsupportedOperationException("format: has no editor: " + name());
    }

    /**
     * Makes a writer.
     *
     * @return a writer owned by the caller's agent, or null when messages of the format are not written field by field.
     */
    default @Nullable MessageWriter newWriter() {
        return null;
    }

    /**
     * Writes a message that has some fields and no others, each value in its one canonical form.
     *
     * @param fields of the message; a header becomes a field with the path's text as its name.
     * @param values of these fields.
     * @return the message, or null when one of the fields has no value that can be written, or messages of the format are
     *     not written field by field.
     */
    default @Nullable String write(final FieldSet fields, final FieldReader values) {
        return null;
    }

    /**
     * Shows a message as a JSON value, for what tools print.
     *
     * @param message buffer holding the message, which is valid.
     * @param offset  of the message.
     * @param length  of the message in bytes.
     * @return the value, or null when it has none, so that its bytes are shown.
     */
    default @Nullable String toJson(final DirectBuffer message, final int offset, final int length) {
        return null;
    }
}
