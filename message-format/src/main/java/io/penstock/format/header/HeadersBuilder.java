package io.penstock.format.header;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes {@link Headers}. A name that is put again gets the new value. Confined to one thread. */
public final class HeadersBuilder {
    private final Map<String, Object> values = new LinkedHashMap<>();

    HeadersBuilder() {}

    /**
     * Puts a text.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return this.
     * @throws IllegalArgumentException when the name is not one that headers have, or the value has a character U+0000 or
     *                                  half of a surrogate pair.
     */
    public HeadersBuilder put(final String name, final String value) {
        HeaderLayout.requireName(name);
        HeaderLayout.requireWhole(name, value);
        values.put(name, value);
        return this;
    }

    /**
     * Puts an integer.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return this.
     * @throws IllegalArgumentException when the name is not one that headers have, or is reserved for texts.
     */
    public HeadersBuilder put(final String name, final long value) {
        HeaderLayout.requireName(name);
        HeaderLayout.requireText(name);
        values.put(name, value);
        return this;
    }

    /**
     * Puts bytes.
     *
     * @param name  of the header.
     * @param value of the header, which is copied.
     * @return this.
     * @throws IllegalArgumentException when the name is not one that headers have, or is reserved for texts.
     */
    public HeadersBuilder put(final String name, final byte[] value) {
        HeaderLayout.requireName(name);
        HeaderLayout.requireText(name);
        values.put(name, value.clone());
        return this;
    }

    /**
     * Puts all headers of others.
     *
     * @param others to be put.
     * @return this.
     */
    public HeadersBuilder putAll(final Headers others) {
        others.forEach(values::put);
        return this;
    }

    /**
     * Makes the headers.
     *
     * @return {@link Headers#NONE} when nothing was put.
     * @throws IllegalArgumentException when they are too many, or too long in all.
     */
    public Headers build() {
        if (values.isEmpty()) {
            return Headers.NONE;
        }
        if (values.size() > HeaderLayout.COUNT_MAX) {
            throw new IllegalArgumentException(
                    "header: " + values.size() + " of them (give at most " + HeaderLayout.COUNT_MAX + ")");
        }
        final Map<String, byte[]> texts = new LinkedHashMap<>();
        long length = HeaderLayout.BLOCK_LENGTH_LENGTH;
        for (final Map.Entry<String, Object> each : values.entrySet()) {
            length += HeaderLayout.NAME_OFFSET + each.getKey().length();
            if (each.getValue() instanceof Long) {
                length += Long.BYTES;
            } else {
                final byte[] bytes = each.getValue() instanceof String text
                        ? text.getBytes(StandardCharsets.UTF_8)
                        : (byte[]) each.getValue();
                texts.put(each.getKey(), bytes);
                length += HeaderLayout.VALUE_LENGTH_LENGTH + bytes.length;
            }
        }
        if (length > HeaderLayout.LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "header: " + length + " bytes in all (give at most " + HeaderLayout.LENGTH_MAX + ")");
        }
        return write((int) length, texts);
    }

    private Headers write(final int length, final Map<String, byte[]> texts) {
        final byte[] block = new byte[length];
        final UnsafeBuffer buffer = new UnsafeBuffer(block);
        buffer.putShort(0, (short) length, LITTLE_ENDIAN);
        int at = HeaderLayout.BLOCK_LENGTH_LENGTH;
        for (final Map.Entry<String, Object> each : values.entrySet()) {
            final byte[] name = each.getKey().getBytes(StandardCharsets.ISO_8859_1);
            final byte[] bytes = texts.get(each.getKey());
            buffer.putByte(at, type(each.getValue()));
            buffer.putByte(at + HeaderLayout.NAME_LENGTH_OFFSET, (byte) name.length);
            buffer.putBytes(at + HeaderLayout.NAME_OFFSET, name);
            at += HeaderLayout.NAME_OFFSET + name.length;
            if (each.getValue() instanceof Long number) {
                buffer.putLong(at, number, LITTLE_ENDIAN);
                at += Long.BYTES;
            } else if (bytes != null) {
                buffer.putShort(at, (short) bytes.length, LITTLE_ENDIAN);
                buffer.putBytes(at + HeaderLayout.VALUE_LENGTH_LENGTH, bytes);
                at += HeaderLayout.VALUE_LENGTH_LENGTH + bytes.length;
            }
        }
        return new Headers(block);
    }

    private static byte type(final Object value) {
        if (value instanceof String) {
            return HeaderLayout.TEXT;
        }
        return value instanceof Long ? HeaderLayout.LONG : HeaderLayout.BYTES;
    }
}
