package io.penstock.format;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Validates a message and finds its fields, in one pass over the bytes where the format can. It is for who gets a message
 * first; others read what was validated with a {@link FieldReader} of their own. Confined to one agent; allocates nothing
 * for a valid message.
 */
public interface ValidatingReader extends FieldReader, MessageValidator {
    /**
     * Validates a message, and moves to it when it is valid. Values of the one before become invalid. Of a message that is
     * refused the fields mean nothing.
     *
     * @param buffer holding the message; it must stay as it is while it is read.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return null when the message is valid, else what is wrong, for its publisher.
     */
    @Override
    @Nullable
    String validate(DirectBuffer buffer, int offset, int length);

    /**
     * Whether the valid message has each of the fields that are to be unique once at most, as {@link UniqueFields} says.
     *
     * @return false when one of them, or what it is in, is there twice.
     */
    boolean areUnique();

    /**
     * Remembers the values of the fields that are to be unique until other ones are. It may forget them, as when they are
     * long, or no texts.
     */
    default void remember() {}

    /**
     * Whether the valid message has the values that were remembered, so that whoever has decided by them need not decide
     * again.
     *
     * @return true only when each of the fields that are to be unique has the same value as then.
     */
    default boolean areRemembered() {
        return false;
    }
}
