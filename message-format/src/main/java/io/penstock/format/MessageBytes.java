package io.penstock.format;

import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one message, in words of eight with the first byte lowest. Behind the last byte zeros are read; memory
 * behind it never is. Positions count from the start of the message and are not negative. A format whose messages are read
 * in place extends this by what it finds in them. Confined to one agent; allocates nothing.
 *
 * <p>Memory is read past the buffer's own methods. A check against the end of the message is needed here anyway, one that
 * nothing switches off; and to ask first whether the bytes are on the heap lets the compiler keep values in registers
 * across a read, which it cannot when a read may be either.
 */
public class MessageBytes {
    /** Bytes in a word. */
    public static final int WORD_LENGTH = Long.BYTES;

    private static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private DirectBuffer buffer = new UnsafeBuffer(new byte[0]);
    private byte @Nullable [] array;
    private long address;
    private int offset;
    private int length;
    private int lastWordPosition;

    /** Makes one of no bytes. */
    public MessageBytes() {}

    /**
     * Moves to a message.
     *
     * @param message       buffer holding the message; it must stay as it is while it is read.
     * @param messageOffset of its first byte.
     * @param messageLength in bytes.
     */
    public final void wrap(final DirectBuffer message, final int messageOffset, final int messageLength) {
        Objects.checkFromIndexSize(messageOffset, messageLength, message.capacity());
        buffer = message;
        array = message.byteArray();
        address = message.addressOffset() + messageOffset;
        offset = messageOffset;
        length = messageLength;
        lastWordPosition = messageLength - WORD_LENGTH;
    }

    /**
     * The buffer that holds the message.
     *
     * @return the buffer.
     */
    public final DirectBuffer buffer() {
        return buffer;
    }

    /**
     * Where the message starts in the buffer.
     *
     * @return offset in bytes.
     */
    public final int offset() {
        return offset;
    }

    /**
     * How long the message is.
     *
     * @return length in bytes.
     */
    public final int length() {
        return length;
    }

    /**
     * The byte at a position.
     *
     * @param position in the message.
     * @return the byte without a sign, 0 after the end.
     */
    public final int at(final int position) {
        return position < length ? read(position) & 0xFF : 0;
    }

    /**
     * The eight bytes from a position on.
     *
     * @param position in the message.
     * @return the bytes, the first one lowest, 0 after the end.
     */
    public final long word(final int position) {
        return position <= lastWordPosition ? readWord(position) : lastWord(position);
    }

    /** Not within {@link #word}, which is small enough to be compiled into its callers without this. */
    private long lastWord(final int position) {
        final int left = length - position;
        if (left <= 0) {
            return 0;
        }
        if (lastWordPosition >= 0) {
            return readWord(lastWordPosition) >>> ((WORD_LENGTH - left) * Byte.SIZE);
        }
        long word = 0;
        for (int i = length - 1; i >= position; i--) {
            word = word << Byte.SIZE | (read(i) & 0xFF);
        }
        return word;
    }

    private byte read(final int position) {
        final byte[] base = array;
        return base == null ? UnsafeApi.getByte(address + position) : UnsafeApi.getByte(base, address + position);
    }

    private long readWord(final int position) {
        final byte[] base = array;
        final long word =
                base == null ? UnsafeApi.getLong(address + position) : UnsafeApi.getLong(base, address + position);
        return IS_LITTLE_ENDIAN ? word : Long.reverseBytes(word);
    }

    /**
     * The first bytes of a word, with zeros after them.
     *
     * @param word  of the bytes.
     * @param count of bytes to keep, also more than there are.
     * @return the word.
     */
    public static long firstBytes(final long word, final int count) {
        return count >= WORD_LENGTH ? word : word & ((1L << (count * Byte.SIZE)) - 1);
    }
}
