package io.penstock.broker.shard.order;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** Writes a command field by field into a buffer of its own. Owned by one agent. */
public final class CommandWriter {
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(512);
    private int length;

    /** With nothing written. */
    public CommandWriter() {}

    /**
     * Begins a command.
     *
     * @param template kind of it.
     * @param origin   that hands it over.
     * @param number   of it among those of its origin.
     */
    public void begin(final int template, final CommandOrigin origin, final long number) {
        CommandHeader.put(buffer, 0, template, origin, number);
        length = CommandHeader.LENGTH;
    }

    /** The command so far, from its start on. */
    public DirectBuffer buffer() {
        return buffer;
    }

    /** How long it is so far, in bytes. */
    public int length() {
        return length;
    }

    public CommandWriter putShort(final int value) {
        buffer.putShort(length, (short) value, LITTLE_ENDIAN);
        length += Short.BYTES;
        return this;
    }

    /** Puts a value in place of what was written first, which was a short. */
    public void firstShort(final int value) {
        buffer.putShort(CommandHeader.LENGTH, (short) value, LITTLE_ENDIAN);
    }

    public CommandWriter putInt(final int value) {
        buffer.putInt(length, value, LITTLE_ENDIAN);
        length += Integer.BYTES;
        return this;
    }

    public CommandWriter putLong(final long value) {
        buffer.putLong(length, value, LITTLE_ENDIAN);
        length += Long.BYTES;
        return this;
    }

    /** Bytes with their length before them. */
    public CommandWriter putBytes(final byte[] bytes) {
        putInt(bytes.length);
        buffer.putBytes(length, bytes);
        length += bytes.length;
        return this;
    }

    /** The same for bytes of a buffer. */
    public CommandWriter putBytes(final DirectBuffer from, final int offset, final int count) {
        putInt(count);
        buffer.putBytes(length, from, offset, count);
        length += count;
        return this;
    }

    /** The same for a text. */
    public CommandWriter putText(final String text) {
        return putBytes(text.getBytes(UTF_8));
    }

    /** Says how many entries were written. */
    public void count(final int count) {
        CommandHeader.count(buffer, 0, count);
    }
}
