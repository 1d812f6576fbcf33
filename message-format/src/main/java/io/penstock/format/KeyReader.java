package io.penstock.format;

import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The key of a message: the values of its key fields in a canonical form, in which equal values (2 and 2.0, a character
 * escaped or not) have equal bytes and different ones (1 and "1") different bytes. Numbers are those that a
 * {@link FieldReader} reads: an integer of 64 bits, else the nearest double. Confined to one agent; allocates only to
 * refuse.
 *
 * <p>Each field is a byte that says what it is, and its value:
 *
 * <pre>
 *   1  false
 *   2  true
 *   3  integer of 64 bits                    8 bytes
 *   4  any other number, as a double         8 bytes
 *   5  text          length in 2 bytes, and as many bytes of UTF-8
 *   6  null          of rows that are computed
 *   7  longer text   length in 4 bytes, and as many bytes of UTF-8
 * </pre>
 *
 * <p>The fields stand in the order of the selection's paths, numbers with the lowest byte first. A key of no fields, by
 * which there is one row, is a single 0. Of a key of computed rows that is longer than {@link #KEY_LENGTH_MAX} the end is
 * the SHA-256 of all of it.
 */
public final class KeyReader {
    /** The longest key in bytes. */
    public static final int KEY_LENGTH_MAX = 1024;

    static final byte NO_FIELDS = 0;
    static final byte FALSE = 1;
    static final byte TRUE = 2;
    static final byte LONG = 3;
    static final byte DOUBLE = 4;
    private static final byte TEXT = 5;
    static final byte NULL = 6;
    private static final byte LONGER_TEXT = 7;
    static final int VALUE_OFFSET = 1;
    static final int TEXT_OFFSET = VALUE_OFFSET + Short.BYTES;
    /** The least double that is too large for a long. */
    private static final double LONG_LIMIT = 0x1p63;

    private static final int LONGER_TEXT_OFFSET = VALUE_OFFSET + Integer.BYTES;

    private final FieldReader reader;
    private final boolean isOfRows;
    /** The fields that the reader has. */
    private final FieldSet fieldSet;
    /** Where it has those of the key. */
    private final int[] slots;
    /** With room for one number more, so that only texts are checked before they are written. */
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH_MAX + VALUE_OFFSET + Long.BYTES]);

    private int length;
    private @Nullable MessageDigest digest;

    /**
     * Makes a reader of keys.
     *
     * @param format of the messages.
     * @param fields that make up the key, at least one.
     * @throws IllegalArgumentException when there are no fields.
     */
    public KeyReader(final MessageFormat format, final FieldSelection fields) {
        this(format, fields, false);
        if (fields.paths().isEmpty()) {
            throw new IllegalArgumentException("key: has no fields (name at least one)");
        }
    }

    private KeyReader(final MessageFormat format, final FieldSelection fields, final boolean isOfRows) {
        this(format, fields.paths(), isOfRows);
    }

    private KeyReader(final MessageFormat format, final List<FieldPath> paths, final boolean isOfRows) {
        this.isOfRows = isOfRows;
        fieldSet = new FieldSet();
        slots = slots(fieldSet, paths);
        reader = RecordReader.of(format, fieldSet);
    }

    private KeyReader(final FieldReader reader, final FieldSet fieldSet, final int[] slots) {
        isOfRows = false;
        this.reader = reader;
        this.fieldSet = fieldSet;
        this.slots = slots;
    }

    /**
     * Makes a reader of the keys of messages that another reader is moved to; {@link #read()} reads the key then.
     *
     * @param reader       of the key's fields among others.
     * @param readerFields that the reader was made of.
     * @param fields       that make up the key, at least one.
     * @return the reader of keys, owned by the same agent.
     */
    public static KeyReader of(final FieldReader reader, final FieldSet readerFields, final FieldSelection fields) {
        return new KeyReader(reader, readerFields, slots(readerFields, fields.paths()));
    }

    private static int[] slots(final FieldSet fieldSet, final List<FieldPath> paths) {
        return paths.stream().mapToInt(fieldSet::slotOf).distinct().toArray();
    }

    /**
     * Makes a reader of the keys of rows that are computed: null is a value like others, and texts are as long as they
     * are.
     *
     * @param format of the rows.
     * @param fields that make up the key; none when there is one row.
     * @return the reader, which allocates for keys longer than {@link #KEY_LENGTH_MAX}.
     */
    public static KeyReader ofRows(final MessageFormat format, final FieldSelection fields) {
        return new KeyReader(format, fields, true);
    }

    /**
     * Returns whether headers are part of the key.
     *
     * @return true when {@link #headers} matters.
     */
    public boolean readsHeaders() {
        return fieldSet.hasHeaders();
    }

    /**
     * Gives the headers of the message whose key is read next. Without this call it has none.
     *
     * @param buffer holding a block of headers that was checked.
     * @param offset of its first byte.
     * @param length in bytes; 0 for no headers.
     */
    public void headers(final DirectBuffer buffer, final int offset, final int length) {
        reader.headers(buffer, offset, length);
    }

    /**
     * Makes a reader of keys from messages that were written to name them, and so have no headers: the value of a header
     * that is part of the key is in a member that is named as filters write the header, {@code HEADER('region')}.
     *
     * @param format of the messages.
     * @param fields that make up the key, at least one.
     * @return the reader, whose keys equal those of messages with these values.
     */
    public static KeyReader ofTexts(final MessageFormat format, final FieldSelection fields) {
        return new KeyReader(
                format,
                fields.paths().stream()
                        .map(path -> path.isHeader() ? FieldPath.of(path.toString()) : path)
                        .toList(),
                false);
    }

    /**
     * Reads the key of a message.
     *
     * @param message buffer holding the message, which is valid.
     * @param offset  of the message.
     * @param messageLength of the message in bytes.
     * @return null, or what is wrong with the key, for people: {@code key: field /id is missing (…)}.
     */
    public @Nullable String read(final DirectBuffer message, final int offset, final int messageLength) {
        reader.wrap(message, offset, messageLength);
        return read();
    }

    /**
     * Reads the key of the message that the reader is at.
     *
     * @return null, or what is wrong with the key, for people.
     */
    public @Nullable String read() {
        length = 0;
        for (final int slot : slots) {
            final String mistake = append(slot);
            if (mistake != null) {
                length = 0;
                return "key: " + mistake;
            }
        }
        if (slots.length == 0) {
            key.putByte(length++, NO_FIELDS);
        }
        if (length > KEY_LENGTH_MAX) {
            shorten();
        }
        return null;
    }

    /** Puts a digest of the whole key in place of its end. */
    private void shorten() {
        if (digest == null) {
            digest = newDigest();
        }
        digest.update(key.byteArray(), 0, length);
        final byte[] end = digest.digest();
        length = KEY_LENGTH_MAX;
        key.putBytes(length - end.length, end);
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("key: every Java platform has SHA-256", e);
        }
    }

    /**
     * Reads the key of a message that may have none. Allocates nothing.
     *
     * @param message buffer holding the message, which is valid.
     * @param offset  of the message.
     * @param messageLength of the message in bytes.
     * @return false when a field has no value that can be in a key, or the key would be too long.
     */
    public boolean tryRead(final DirectBuffer message, final int offset, final int messageLength) {
        reader.wrap(message, offset, messageLength);
        length = 0;
        boolean isRead = true;
        for (int i = 0; i < slots.length && isRead; i++) {
            isRead = fits(slots[i]) && append(slots[i]) == null;
        }
        length = isRead ? length : 0;
        return isRead;
    }

    private boolean fits(final int slot) {
        final int room = KEY_LENGTH_MAX - length;
        return switch (reader.type(slot)) {
            case BOOLEAN, LONG -> room >= VALUE_OFFSET + Long.BYTES;
            case DOUBLE -> room >= VALUE_OFFSET + Long.BYTES && Double.isFinite(reader.doubleValue(slot));
            case STRING, UNTYPED -> room >= TEXT_OFFSET + reader.stringLength(slot);
            case ABSENT, NULL, ARRAY, OBJECT -> false;
        };
    }

    private @Nullable String append(final int slot) {
        if (isOfRows) {
            ensureRoom(VALUE_OFFSET + Long.BYTES);
        }
        switch (reader.type(slot)) {
            case BOOLEAN -> key.putByte(length++, reader.booleanValue(slot) ? TRUE : FALSE);
            case LONG -> appendLong(reader.longValue(slot));
            case DOUBLE -> {
                final double value = reader.doubleValue(slot);
                if (!Double.isFinite(value)) {
                    return field(slot) + " is a number too large for a key (send it as a text)";
                }
                appendDouble(value);
            }
            case STRING, UNTYPED -> {
                return appendText(slot);
            }
            case ABSENT -> {
                return field(slot) + " is missing (send every key field)";
            }
            case NULL -> {
                if (isOfRows) {
                    key.putByte(length++, NULL);
                    return null;
                }
                return field(slot) + " is null (send a text, a number, true or false)";
            }
            case ARRAY -> {
                return field(slot) + " is an array (send a text, a number, true or false)";
            }
            case OBJECT -> {
                return field(slot) + " is an object (send a text, a number, true or false)";
            }
        }
        return length > KEY_LENGTH_MAX && !isOfRows ? tooLong(slot) : null;
    }

    private void ensureRoom(final int count) {
        if (length + count > key.capacity()) {
            final byte[] longer = new byte[Math.max(length + count, 2 * key.capacity())];
            key.getBytes(0, longer, 0, length);
            key.wrap(longer);
        }
    }

    private void appendLong(final long value) {
        key.putByte(length, LONG);
        key.putLong(length + VALUE_OFFSET, value, ByteOrder.LITTLE_ENDIAN);
        length += VALUE_OFFSET + Long.BYTES;
    }

    private void appendDouble(final double value) {
        if (value >= -LONG_LIMIT && value < LONG_LIMIT && value == (long) value) {
            appendLong((long) value);
            return;
        }
        key.putByte(length, DOUBLE);
        key.putLong(length + VALUE_OFFSET, Double.doubleToLongBits(value), ByteOrder.LITTLE_ENDIAN);
        length += VALUE_OFFSET + Long.BYTES;
    }

    private @Nullable String appendText(final int slot) {
        final int textLength = reader.stringLength(slot);
        if (isOfRows) {
            ensureRoom(LONGER_TEXT_OFFSET + textLength);
        }
        if (isOfRows && textLength > KEY_LENGTH_MAX) {
            key.putByte(length, LONGER_TEXT);
            key.putInt(length + VALUE_OFFSET, textLength, ByteOrder.LITTLE_ENDIAN);
            length += LONGER_TEXT_OFFSET;
            key.putBytes(length, reader.stringBuffer(slot), reader.stringOffset(slot), textLength);
            length += textLength;
            return null;
        }
        if (textLength > KEY_LENGTH_MAX - TEXT_OFFSET - length && !isOfRows) {
            return tooLong(slot);
        }
        key.putByte(length, TEXT);
        key.putShort(length + VALUE_OFFSET, (short) textLength, ByteOrder.LITTLE_ENDIAN);
        key.putBytes(length + TEXT_OFFSET, reader.stringBuffer(slot), reader.stringOffset(slot), textLength);
        length += TEXT_OFFSET + textLength;
        return null;
    }

    private String field(final int slot) {
        final FieldPath path = fieldSet.path(slot);
        return path.isHeader() ? path.toString() : "field " + FieldPathParser.textOf(path);
    }

    private String tooLong(final int slot) {
        return field(slot) + " makes it longer than " + KEY_LENGTH_MAX + " bytes (take shorter fields)";
    }

    /** Bytes of the value at a place in a key; negative when there is none. */
    static int valueLength(final DirectBuffer key, final int at) {
        final int left = key.capacity() - at;
        final int length = switch (key.getByte(at)) {
            case NO_FIELDS, FALSE, TRUE, NULL -> VALUE_OFFSET;
            case LONG, DOUBLE -> VALUE_OFFSET + Long.BYTES;
            case TEXT ->
                left < TEXT_OFFSET
                        ? TEXT_OFFSET
                        : TEXT_OFFSET + (key.getShort(at + VALUE_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
            default -> Integer.MAX_VALUE;
        };
        return length <= left ? length : -1;
    }

    /**
     * The buffer with the key that was read last.
     *
     * @return the buffer, in which the key starts at 0; valid until the next {@link #read}.
     */
    public DirectBuffer buffer() {
        return key;
    }

    /**
     * The length of the key that was read last.
     *
     * @return length in bytes, 0 when it was refused.
     */
    public int length() {
        return length;
    }
}
