package io.penstock.format;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks once, at publish, that a message is well formed; readers rely on it afterwards. Confined to one agent.
 * Allocates nothing for a valid message.
 */
public interface MessageValidator {
    /**
     * Validates a message.
     *
     * @param buffer holding the message.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return null when the message is valid, else what is wrong and at which byte of the message, for its publisher:
     *     {@code json: expected a value at byte 17}.
     */
    @Nullable
    String validate(DirectBuffer buffer, int offset, int length);
}
