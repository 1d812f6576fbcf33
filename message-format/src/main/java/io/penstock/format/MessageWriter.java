package io.penstock.format;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Writes one flat message, field by field, in the order of the calls. Confined to one agent; allocates nothing once warm.
 * A field that no longer fits makes {@link #end} say so; nothing is written outside the bytes given.
 */
public interface MessageWriter {
    /**
     * Starts a message.
     *
     * @param to     buffer to write to, until {@link #end}.
     * @param offset of the message.
     * @param length bytes that the message may have.
     */
    void wrap(MutableDirectBuffer to, int offset, int length);

    /**
     * Writes a field that is null.
     *
     * @param name of the field.
     * @throws IllegalArgumentException when the message has a field of that name.
     */
    void putNull(String name);

    /**
     * Writes a boolean.
     *
     * @param name  of the field.
     * @param value of the field.
     * @throws IllegalArgumentException when the message has a field of that name.
     */
    void putBoolean(String name, boolean value);

    /**
     * Writes an integer.
     *
     * @param name  of the field.
     * @param value of the field.
     * @throws IllegalArgumentException when the message has a field of that name.
     */
    void putLong(String name, long value);

    /**
     * Writes a number as the shortest text that reads back the same; what is not finite becomes null.
     *
     * @param name  of the field.
     * @param value of the field.
     * @throws IllegalArgumentException when the message has a field of that name.
     */
    void putDouble(String name, double value);

    /**
     * Writes a text, escaped as the format needs it.
     *
     * @param name   of the field.
     * @param utf8   buffer holding the text, which must be valid UTF-8.
     * @param offset of the text.
     * @param length of the text in bytes.
     * @throws IllegalArgumentException when the message has a field of that name.
     */
    void putText(String name, DirectBuffer utf8, int offset, int length);

    /**
     * Ends the message.
     *
     * @return its length in bytes, or {@link MessageEditor#TOO_LONG}.
     */
    int end();
}
