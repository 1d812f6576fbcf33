package io.penstock.broker.query.join;

import io.penstock.broker.query.exact.SecretHash;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageFormat;
import java.nio.ByteOrder;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The values by which a message is paired, as bytes that are equal for values that filters call equal: 1 and 1.0 are, 1 and
 * a text are not. An array is its first element. A message in which one of them is missing, null, an object, or a number
 * beyond the doubles has no value, and is in no pair. Confined to one agent; reading allocates only for longer values than
 * before.
 *
 * <pre>
 *   boolean  1, one byte 0 or 1
 *   integer  2, eight bytes
 *   double   3, eight bytes
 *   text     4, its length in four bytes, its bytes
 * </pre>
 */
public final class JoinValue {
    private static final byte BOOLEAN = 1;
    private static final byte LONG = 2;
    private static final byte DOUBLE = 3;
    private static final byte TEXT = 4;
    private static final int NUMBER_LENGTH = Byte.BYTES + Long.BYTES;
    private static final int TEXT_OFFSET = Byte.BYTES + Integer.BYTES;
    private static final int CAPACITY_INITIAL = 64;
    private static final double LONG_BOUND = 0x1p63;

    private final FieldReader reader;
    private final int[] slots;
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[CAPACITY_INITIAL]);
    private int length;

    /**
     * Makes what reads values.
     *
     * @param format of the messages.
     * @param paths  of their fields.
     */
    public JoinValue(final MessageFormat format, final List<FieldPath> paths) {
        final FieldSet fields = new FieldSet();
        slots = paths.stream().mapToInt(fields::slotOf).toArray();
        reader = format.newReader(fields);
    }

    /**
     * Reads the value of a message.
     *
     * @param message that is valid.
     * @param offset  of its first byte.
     * @param messageLength in bytes.
     * @return false when it has none.
     */
    public boolean read(final DirectBuffer message, final int offset, final int messageLength) {
        reader.wrap(message, offset, messageLength);
        length = 0;
        for (final int slot : slots) {
            FieldType type = reader.type(slot);
            if (type == FieldType.ARRAY) {
                reader.element(slot, 0);
                type = reader.type(slot);
            }
            if (!append(slot, type)) {
                return false;
            }
        }
        return true;
    }

    private boolean append(final int slot, final FieldType type) {
        switch (type) {
            case BOOLEAN -> {
                ensureRoom(2 * Byte.BYTES);
                bytes.putByte(length++, BOOLEAN);
                bytes.putByte(length++, (byte) (reader.booleanValue(slot) ? 1 : 0));
            }
            case LONG -> append(LONG, reader.longValue(slot));
            case DOUBLE -> {
                return append(reader.doubleValue(slot));
            }
            case STRING, UNTYPED -> {
                final int textLength = reader.stringLength(slot);
                ensureRoom(TEXT_OFFSET + textLength);
                bytes.putByte(length, TEXT);
                bytes.putInt(length + Byte.BYTES, textLength, ByteOrder.LITTLE_ENDIAN);
                bytes.putBytes(length + TEXT_OFFSET, reader.stringBuffer(slot), reader.stringOffset(slot), textLength);
                length += TEXT_OFFSET + textLength;
            }
            case ABSENT, NULL, ARRAY, OBJECT -> {
                return false;
            }
        }
        return true;
    }

    private boolean append(final double value) {
        if (value >= -LONG_BOUND && value < LONG_BOUND && value == Math.rint(value)) {
            append(LONG, (long) value);
            return true;
        }
        append(DOUBLE, Double.doubleToLongBits(value));
        return !Double.isInfinite(value) && !Double.isNaN(value);
    }

    private void append(final byte type, final long bits) {
        ensureRoom(NUMBER_LENGTH);
        bytes.putByte(length, type);
        bytes.putLong(length + Byte.BYTES, bits, ByteOrder.LITTLE_ENDIAN);
        length += NUMBER_LENGTH;
    }

    private void ensureRoom(final int count) {
        if (length + count > bytes.capacity()) {
            final byte[] longer = new byte[Math.max(length + count, 2 * bytes.capacity())];
            bytes.getBytes(0, longer, 0, length);
            bytes.wrap(longer);
        }
    }

    /**
     * A hash of the value that was read last.
     *
     * @return the same for equal values.
     */
    public int hash() {
        return SecretHash.of(bytes, 0, length);
    }

    /**
     * Whether the value that was read last equals that of another message.
     *
     * @param other of messages of the other topic.
     * @return whether they are a pair.
     */
    public boolean isEqualTo(final JoinValue other) {
        if (length != other.length) {
            return false;
        }
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            if (bytes.getLong(at) != other.bytes.getLong(at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (bytes.getByte(at) != other.bytes.getByte(at)) {
                return false;
            }
        }
        return true;
    }
}
