package io.penstock.broker.shard.order;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads a command field by field, as {@link CommandWriter} has written it, and never past its end. Owned by one agent. */
public final class CommandReader {
    private DirectBuffer buffer = new UnsafeBuffer(new byte[0]);
    private int at;
    private int end;

    /** Of nothing. */
    public CommandReader() {}

    /**
     * Goes to what follows the header of a command.
     *
     * @param of     holding it.
     * @param offset of its first byte.
     * @param length in bytes, at least that of its header.
     */
    public void wrap(final DirectBuffer of, final int offset, final int length) {
        buffer = of;
        at = offset + CommandHeader.LENGTH;
        end = offset + length;
    }

    public int readShort() {
        return buffer.getShort(take(Short.BYTES), LITTLE_ENDIAN);
    }

    public int readInt() {
        return buffer.getInt(take(Integer.BYTES), LITTLE_ENDIAN);
    }

    public long readLong() {
        return buffer.getLong(take(Long.BYTES), LITTLE_ENDIAN);
    }

    /** Bytes with their length before them: at most so many. */
    public byte[] readBytes(final int lengthMax) {
        final int length = readInt();
        if (length < 0 || length > lengthMax) {
            throw new BadCommandException("a field of " + length + " bytes (at most " + lengthMax + ")");
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(take(length), bytes);
        return bytes;
    }

    /** The same for a text. */
    public String readText(final int lengthMax) {
        return new String(readBytes(lengthMax), UTF_8);
    }

    /** All of it has to be read. */
    public void end() {
        if (at != end) {
            throw new BadCommandException((end - at) + " bytes more than its fields");
        }
    }

    private int take(final int length) {
        if (length > end - at) {
            throw new BadCommandException("ends within a field");
        }
        final int start = at;
        at += length;
        return start;
    }
}
