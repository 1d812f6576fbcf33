package io.penstock.format;

import org.agrona.DirectBuffer;

/**
 * Tells whether messages have each of some fields once at most, so that all who read them read the same values. In JSON a
 * member may stand twice in an object; fields are read from the first one here, and from the last one by many programs.
 * Owned by one agent; allocates nothing.
 */
public interface UniqueFields {
    /** For formats whose fields are unique, or that have none. */
    UniqueFields ALWAYS = (message, offset, length) -> true;

    /**
     * Looks at a message.
     *
     * @param message buffer holding the message, which is valid.
     * @param offset  of the message.
     * @param length  of the message in bytes.
     * @return false when one of the fields, or what it is in, is there twice.
     */
    boolean areUnique(DirectBuffer message, int offset, int length);
}
