package io.penstock.format.header;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a block of headers.
 *
 * <pre>
 *   0               2
 *   +---------------+--------------------------------------
 *   | block length  | headers, one after the other        ...
 *   +---------------+--------------------------------------
 *
 *   0      1             2
 *   +------+-------------+------+---------------------------
 *   | type | name length | name | value                   ...
 *   +------+-------------+------+---------------------------
 * </pre>
 *
 * The block's length is 16 bits and counts itself. The type is 1 for a text, 2 for a long, 3 for bytes. A long takes 8
 * bytes; of a text and of bytes the length comes first, in 16 bits. All numbers are little endian. A message without headers
 * has no block. Names are of letters, digits and {@code - _ . : /}, and each is there once.
 */
public final class HeaderLayout {
    /** Most headers of a message. */
    public static final int COUNT_MAX = 64;

    /** Longest name in bytes. */
    public static final int NAME_LENGTH_MAX = 127;

    /** Longest block in bytes. */
    public static final int LENGTH_MAX = 16 * 1024;

    static final byte TEXT = 1;
    static final byte LONG = 2;
    static final byte BYTES = 3;
    static final int BLOCK_LENGTH_LENGTH = Short.BYTES;
    static final int NAME_LENGTH_OFFSET = 1;
    static final int NAME_OFFSET = 2;
    static final int VALUE_LENGTH_LENGTH = Short.BYTES;

    private static final String[] RESERVED = {
        Headers.CONTENT_TYPE, Headers.CORRELATION_ID, Headers.REPLY_TO, Headers.TRACE_PARENT
    };

    private HeaderLayout() {}

    /**
     * The length of a block, as it says itself.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     * @return length in bytes, which {@link #check} has found to be true or not.
     */
    public static int blockLength(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * Checks a block before anything in it is used. Allocates only to refuse.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return null, or what is wrong with it, for people: {@code header: …}.
     */
    public static @Nullable String check(final DirectBuffer buffer, final int offset, final int length) {
        if (length > LENGTH_MAX) {
            return "header: too many bytes: " + length + " (send at most " + LENGTH_MAX + " in all)";
        }
        if (length < BLOCK_LENGTH_LENGTH + NAME_OFFSET || blockLength(buffer, offset) != length) {
            return "header: the block's length is wrong (see the protocol's layout)";
        }
        final int end = offset + length;
        int count = 0;
        for (int at = offset + BLOCK_LENGTH_LENGTH; at < end; ) {
            final int headerLength = length(buffer, at, end);
            if (headerLength < 0) {
                return "header: number " + (count + 1) + " is not well formed (see the protocol's layout)";
            }
            final String wrong = ++count > COUNT_MAX
                    ? "header: more than " + COUNT_MAX + " (send fewer)"
                    : checkName(buffer, offset + BLOCK_LENGTH_LENGTH, at);
            if (wrong != null) {
                return wrong;
            }
            at += headerLength;
        }
        return null;
    }

    /** The length of the header at a place; negative when it does not end before the block does, or has no such type. */
    private static int length(final DirectBuffer buffer, final int at, final int end) {
        if (end - at < NAME_OFFSET) {
            return -1;
        }
        final int nameLength = buffer.getByte(at + NAME_LENGTH_OFFSET);
        final int valueAt = at + NAME_OFFSET + nameLength;
        if (nameLength <= 0 || end - valueAt < VALUE_LENGTH_LENGTH) {
            return -1;
        }
        final byte type = buffer.getByte(at);
        if (type < TEXT || type > BYTES) {
            return -1;
        }
        final int valueLength = type == LONG ? Long.BYTES : VALUE_LENGTH_LENGTH + blockLength(buffer, valueAt);
        return valueLength <= end - valueAt ? valueAt + valueLength - at : -1;
    }

    private static @Nullable String checkName(final DirectBuffer buffer, final int first, final int at) {
        final int nameAt = at + NAME_OFFSET;
        final int nameLength = buffer.getByte(at + NAME_LENGTH_OFFSET);
        for (int i = 0; i < nameLength; i++) {
            if (!isNamePart((char) (buffer.getByte(nameAt + i) & 0xFF))) {
                return badName(name(buffer, at));
            }
        }
        for (int other = first; other < at; other = next(buffer, other)) {
            if (buffer.getByte(other + NAME_LENGTH_OFFSET) == nameLength
                    && isEqual(buffer, other + NAME_OFFSET, nameAt, nameLength)) {
                return "header: twice: " + name(buffer, at) + " (give each name once)";
            }
        }
        return checkValue(buffer, at, nameAt, nameLength);
    }

    private static @Nullable String checkValue(
            final DirectBuffer buffer, final int at, final int nameAt, final int nameLength) {
        if (buffer.getByte(at) != TEXT) {
            return isReserved(buffer, nameAt, nameLength)
                    ? "header: not a text: " + name(buffer, at) + " (the name is reserved for texts)"
                    : null;
        }
        final int lengthAt = nameAt + nameLength;
        final int valueAt = lengthAt + VALUE_LENGTH_LENGTH;
        final int valueLength = blockLength(buffer, lengthAt);
        if (!Utf8Check.isWellFormed(buffer, valueAt, valueLength)) {
            return "header: not UTF-8: " + name(buffer, at) + " (encode the text as UTF-8, or send it as bytes)";
        }
        return hasZero(buffer, valueAt, valueLength)
                ? "header: has a zero byte: " + name(buffer, at) + " (send it as bytes, not as a text)"
                : null;
    }

    /** A zero ends a text in C and in CORBA. */
    private static boolean hasZero(final DirectBuffer buffer, final int offset, final int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffer.getByte(i) == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean isReserved(final DirectBuffer buffer, final int nameAt, final int nameLength) {
        for (final String reserved : RESERVED) {
            if (isName(buffer, nameAt, nameLength, reserved)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks a name.
     *
     * @param name to check.
     * @return null, or why no header can have it, for people: {@code header: …}.
     */
    public static @Nullable String checkName(final String name) {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
            return "header: name of " + name.length() + " characters (use 1 to " + NAME_LENGTH_MAX + ")";
        }
        return name.chars().allMatch(c -> isNamePart((char) c)) ? null : badName(name);
    }

    static void requireName(final String name) {
        final String wrong = checkName(name);
        if (wrong != null) {
            throw new IllegalArgumentException(wrong);
        }
    }

    /** Refuses a value of a type that a reserved name does not have. */
    static void requireText(final String name) {
        if (Arrays.asList(RESERVED).contains(name)) {
            throw new IllegalArgumentException("header: not a text: " + name + " (the name is reserved for texts)");
        }
    }

    /** Refuses a text that not every client could be given: a zero ends texts, and half of a pair has no form in UTF-8. */
    static void requireWhole(final String name, final String text) {
        for (int i = 0; i < text.length(); i++) {
            final char at = text.charAt(i);
            if (at == 0) {
                throw new IllegalArgumentException(
                        "header: " + name + ": has the character U+0000 at " + i + " (give it as bytes)");
            }
            if (Character.isSurrogate(at)) {
                if (!Character.isHighSurrogate(at)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw new IllegalArgumentException(
                            "header: " + name + ": has half of a surrogate pair at " + i + " (give both halves)");
                }
                i++;
            }
        }
    }

    private static String badName(final String name) {
        final StringBuilder shown = new StringBuilder();
        name.chars().forEach(c -> shown.append(c < ' ' || c > '~' ? '?' : (char) c));
        return "header: bad name: " + shown + " (use letters, digits and - _ . : /)";
    }

    private static boolean isNamePart(final char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_'
                || c == '.'
                || c == ':'
                || c == '/';
    }

    private static boolean isEqual(final DirectBuffer buffer, final int one, final int other, final int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(one + i) != buffer.getByte(other + i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a name that is there is the one given. */
    static boolean isName(final DirectBuffer buffer, final int nameAt, final int nameLength, final String name) {
        if (name.length() != nameLength) {
            return false;
        }
        for (int i = 0; i < nameLength; i++) {
            if (buffer.getByte(nameAt + i) != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static String name(final DirectBuffer buffer, final int at) {
        final byte[] name = new byte[buffer.getByte(at + NAME_LENGTH_OFFSET)];
        buffer.getBytes(at + NAME_OFFSET, name);
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    /** Where the value of a header is, with its length before it unless it is a long. */
    static int valueAt(final DirectBuffer buffer, final int at) {
        return at + NAME_OFFSET + buffer.getByte(at + NAME_LENGTH_OFFSET);
    }

    /** Where the header after another one begins, in a block that was checked. */
    static int next(final DirectBuffer buffer, final int at) {
        final int valueAt = valueAt(buffer, at);
        return valueAt + (buffer.getByte(at) == LONG ? Long.BYTES : VALUE_LENGTH_LENGTH + blockLength(buffer, valueAt));
    }
}
