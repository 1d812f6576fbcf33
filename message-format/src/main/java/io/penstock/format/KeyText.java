package io.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteOrder;
import java.util.StringJoiner;
import org.agrona.DirectBuffer;

/** Keys for people to read. */
public final class KeyText {
    private KeyText() {}

    /**
     * The values of a key that a {@link KeyReader} has made.
     *
     * @param key that holds nothing else.
     * @return its values with commas between, texts in quotes; what cannot be understood ends with dots.
     */
    public static String of(final DirectBuffer key) {
        final StringJoiner values = new StringJoiner(", ");
        int at = 0;
        while (at < key.capacity()) {
            final int length = KeyReader.valueLength(key, at);
            if (length < 0) {
                return values.add("...").toString();
            }
            values.add(value(key, at));
            at += length;
        }
        return values.toString();
    }

    private static String value(final DirectBuffer key, final int at) {
        final int valueAt = at + KeyReader.VALUE_OFFSET;
        return switch (key.getByte(at)) {
            case KeyReader.NO_FIELDS -> "of all";
            case KeyReader.NULL -> "null";
            case KeyReader.FALSE -> "false";
            case KeyReader.TRUE -> "true";
            case KeyReader.LONG -> String.valueOf(key.getLong(valueAt, ByteOrder.LITTLE_ENDIAN));
            case KeyReader.DOUBLE ->
                String.valueOf(Double.longBitsToDouble(key.getLong(valueAt, ByteOrder.LITTLE_ENDIAN)));
            default -> {
                final byte[] text = new byte[KeyReader.valueLength(key, at) - KeyReader.TEXT_OFFSET];
                key.getBytes(at + KeyReader.TEXT_OFFSET, text);
                yield '"' + new String(text, UTF_8) + '"';
            }
        };
    }
}
