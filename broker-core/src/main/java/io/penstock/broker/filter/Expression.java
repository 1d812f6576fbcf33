package io.penstock.broker.filter;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import org.agrona.DirectBuffer;

/**
 * A compiled value expression. It owns the scratch space of its evaluation and is confined to one agent; evaluating it
 * allocates nothing.
 */
public interface Expression {
    /**
     * Computes the value for a message. The accessors below speak of it until the next call, while the message stays as
     * it is.
     *
     * @param message positioned on the message; made for a set with the paths of {@link #fields()} in the same slots.
     */
    void evaluate(FieldReader message);

    /**
     * The type of the value. An array gives its first element; an object and a number beyond the range of doubles are
     * NULL.
     *
     * @return the type.
     */
    ValueType type();

    /**
     * The value when the type is {@link ValueType#BOOLEAN}.
     *
     * @return the value.
     */
    boolean booleanValue();

    /**
     * The value when the type is {@link ValueType#LONG}.
     *
     * @return the value.
     */
    long longValue();

    /**
     * The value when the type is {@link ValueType#DOUBLE} or {@link ValueType#LONG}.
     *
     * @return the value, finite.
     */
    double doubleValue();

    /**
     * The buffer that holds the text, in UTF-8, when the type is {@link ValueType#TEXT}: the message's own, the
     * reader's or the expression's.
     *
     * @return the buffer.
     */
    DirectBuffer textBuffer();

    /**
     * Where the text starts in {@link #textBuffer()}.
     *
     * @return offset in bytes.
     */
    int textOffset();

    /**
     * How long the text is.
     *
     * @return length in bytes.
     */
    int textLength();

    /**
     * The fields that the expression reads, and those of whatever else it shares the set with.
     *
     * @return the set that the expression was compiled with.
     */
    FieldSet fields();

    /**
     * The expression in canonical form, which compiles to the same expression again under the same limits.
     *
     * @return the text.
     */
    String text();
}
