package io.penstock.format.header;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a message: named values that travel beside its payload. Made by a {@link HeadersBuilder}, they have bytes of
 * their own and never change; those of a message that is delivered lie in the receive buffer, are valid as long as the
 * message is, and are kept by {@link #copy}. Reading allocates only texts, arrays and maps that are asked for.
 *
 * <p>Some names have a meaning. Their values are texts.
 */
public final class Headers {
    /** No headers. */
    public static final Headers NONE = new Headers();

    /** The media type of the payload: {@code application/json} (RFC 9110, section 8.3). */
    public static final String CONTENT_TYPE = "content-type";

    /** Which request a reply is to, or which messages belong together. */
    public static final String CORRELATION_ID = "correlation-id";

    /** The topic that a reply is published to. */
    public static final String REPLY_TO = "reply-to";

    /** The trace that the message is part of, as W3C Trace Context has it. */
    public static final String TRACE_PARENT = "traceparent";

    private static final int NOT_FOUND = -1;

    private final UnsafeBuffer block = new UnsafeBuffer(0, 0);

    /** Makes headers of no message yet. */
    public Headers() {}

    Headers(final byte[] bytes) {
        block.wrap(bytes);
    }

    /**
     * Begins new headers.
     *
     * @return a builder of none so far.
     */
    public static HeadersBuilder builder() {
        return new HeadersBuilder();
    }

    /**
     * Headers of one text.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return the headers.
     * @throws IllegalArgumentException when the name is not one that headers have, or the value is too long.
     */
    public static Headers of(final String name, final String value) {
        return builder().put(name, value).build();
    }

    /**
     * Internal: moves to the headers of another message.
     *
     * @param buffer that holds a block that was checked.
     * @param offset of its first byte.
     * @param length in bytes; 0 for no headers.
     * @return this.
     */
    public Headers wrap(final DirectBuffer buffer, final int offset, final int length) {
        if (length == 0) {
            block.wrap(0, 0);
        } else {
            block.wrap(buffer, offset, length);
        }
        return this;
    }

    /**
     * Returns whether there are none.
     *
     * @return true without headers.
     */
    public boolean isEmpty() {
        return block.capacity() == 0;
    }

    /**
     * How many there are.
     *
     * @return count.
     */
    public int count() {
        int count = 0;
        for (int at = first(); at < block.capacity(); at = HeaderLayout.next(block, at)) {
            count++;
        }
        return count;
    }

    /**
     * Returns whether there is a header.
     *
     * @param name of the header.
     * @return true when there is.
     */
    public boolean has(final String name) {
        return find(name) != NOT_FOUND;
    }

    /**
     * The type of a header.
     *
     * @param name of the header.
     * @return the type, or null when there is no such header.
     */
    public @Nullable HeaderType type(final String name) {
        final int at = find(name);
        return at == NOT_FOUND ? null : typeAt(at);
    }

    /**
     * The value of a header as a text.
     *
     * @param name of the header.
     * @return a new string: a long in decimal digits; null when there is no such header, or it is of bytes.
     */
    public @Nullable String text(final String name) {
        final int at = find(name);
        return at == NOT_FOUND || typeAt(at) == HeaderType.BYTES ? null : String.valueOf(valueAt(at));
    }

    /**
     * The value of a header as a number.
     *
     * @param name    of the header.
     * @param missing for when there is none.
     * @return the value; the other one when there is no such header, or it is not a long.
     */
    public long number(final String name, final long missing) {
        final int at = find(name);
        return at == NOT_FOUND || typeAt(at) != HeaderType.LONG ? missing : longAt(at);
    }

    /**
     * The value of a header as bytes.
     *
     * @param name of the header.
     * @return new bytes, those of a text in UTF-8; null when there is no such header, or it is a long.
     */
    public byte @Nullable [] bytes(final String name) {
        final int at = find(name);
        return at == NOT_FOUND || typeAt(at) == HeaderType.LONG ? null : bytesAt(at);
    }

    /**
     * Hands over all headers, in their order.
     *
     * @param handler is given a {@link String}, a {@link Long} or a {@code byte[]} as the value.
     */
    public void forEach(final Handler handler) {
        for (int at = first(); at < block.capacity(); at = HeaderLayout.next(block, at)) {
            handler.onHeader(HeaderLayout.name(block, at), valueAt(at));
        }
    }

    /**
     * Copies all headers into a map.
     *
     * @return a new map in their order, with a {@link String}, a {@link Long} or a {@code byte[]} for each.
     */
    public Map<String, Object> toMap() {
        final Map<String, Object> map = new LinkedHashMap<>();
        forEach(map::put);
        return map;
    }

    /**
     * Copies them out of the receive buffer.
     *
     * @return headers that stay as they are.
     */
    public Headers copy() {
        if (isEmpty()) {
            return NONE;
        }
        final byte[] bytes = new byte[block.capacity()];
        block.getBytes(0, bytes);
        return new Headers(bytes);
    }

    /**
     * How long they are, in a frame and in the log.
     *
     * @return bytes; 0 for none.
     */
    public int length() {
        return block.capacity();
    }

    /**
     * Internal: writes them as they are in frames.
     *
     * @param to     buffer to write to.
     * @param offset of the first byte.
     * @return offset after the last byte.
     */
    public int write(final MutableDirectBuffer to, final int offset) {
        to.putBytes(offset, block, 0, block.capacity());
        return offset + block.capacity();
    }

    /** Internal: the place of a header in {@link #buffer}, or a negative number. */
    public int find(final String name) {
        for (int at = first(); at < block.capacity(); at = HeaderLayout.next(block, at)) {
            if (HeaderLayout.isName(
                    block, at + HeaderLayout.NAME_OFFSET, block.getByte(at + HeaderLayout.NAME_LENGTH_OFFSET), name)) {
                return at;
            }
        }
        return NOT_FOUND;
    }

    /** Internal: holds the values. */
    public DirectBuffer buffer() {
        return block;
    }

    /** Internal: the type of the header at a place. */
    public HeaderType typeAt(final int at) {
        return switch (block.getByte(at)) {
            case HeaderLayout.TEXT -> HeaderType.TEXT;
            case HeaderLayout.LONG -> HeaderType.LONG;
            default -> HeaderType.BYTES;
        };
    }

    /** Internal: the value of a long at a place. */
    public long longAt(final int at) {
        return block.getLong(HeaderLayout.valueAt(block, at), LITTLE_ENDIAN);
    }

    /** Internal: where the text or the bytes of the header at a place begin in {@link #buffer}. */
    public int textOffset(final int at) {
        return HeaderLayout.valueAt(block, at) + HeaderLayout.VALUE_LENGTH_LENGTH;
    }

    /** Internal: how long the text or the bytes of the header at a place are. */
    public int textLength(final int at) {
        return HeaderLayout.blockLength(block, HeaderLayout.valueAt(block, at));
    }

    private byte[] bytesAt(final int at) {
        final byte[] bytes = new byte[textLength(at)];
        block.getBytes(textOffset(at), bytes);
        return bytes;
    }

    private Object valueAt(final int at) {
        return switch (typeAt(at)) {
            case TEXT -> new String(bytesAt(at), StandardCharsets.UTF_8);
            case LONG -> longAt(at);
            case BYTES -> bytesAt(at);
        };
    }

    private int first() {
        return Math.min(HeaderLayout.BLOCK_LENGTH_LENGTH, block.capacity());
    }

    /** Returns whether others have the same names and values, in the same order. */
    @Override
    public boolean equals(final @Nullable Object other) {
        return other instanceof Headers headers && block.equals(headers.block);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(block);
    }

    /** Returns them as {@code name=value, name=value}, bytes by their number alone. */
    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder();
        forEach((name, value) -> text.append(text.isEmpty() ? "" : ", ")
                .append(name)
                .append('=')
                .append(value instanceof byte[] bytes ? bytes.length + " bytes" : value));
        return text.toString();
    }

    /** Is given headers. */
    @FunctionalInterface
    public interface Handler {
        /**
         * A header.
         *
         * @param name  of the header.
         * @param value a {@link String}, a {@link Long} or a {@code byte[]}.
         */
        void onHeader(String name, Object value);
    }
}
