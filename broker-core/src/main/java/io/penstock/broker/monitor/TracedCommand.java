package io.penstock.broker.monitor;

/**
 * A command that a client has sent. Immutable.
 *
 * @param timeNs     when it was taken, by the broker's nanosecond clock.
 * @param name       of the command, as the protocol has it.
 * @param length     of its frame, in bytes.
 * @param fields     of it, in words; cut when they are long.
 * @param body       beginning of the message in it, in UTF-8 or not; empty for none.
 * @param bodyLength of the whole message, in bytes.
 */
@SuppressWarnings("ArrayRecordComponent") // It is read once, and never compared.
public record TracedCommand(long timeNs, String name, int length, String fields, byte[] body, int bodyLength) {
    /** Characters of {@link #fields} at most. */
    public static final int FIELDS_LENGTH_MAX = 1024;

    /** Bytes of {@link #body} at most. */
    public static final int BODY_LENGTH_MAX = 256;
}
