package io.penstock.broker.query;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageEditor;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes keys that are ordered as their messages are: as unsigned bytes from the first on, the longer one after the one
 * that it starts with. Confined to one agent; allocates nothing.
 *
 * <p>Each field is a byte that says what it is, and its value; in descending order all bits are inverted, except those of nulls:
 *
 * <pre>
 *   01  null, first
 *   10  false
 *   11  true
 *   20  number    the largest double that is no larger, in 8 bytes, and what is missing to the number, in 2
 *   30  text      UTF-8 with 00 01 for each 00, and 00 00 behind it
 *   FE  null, last
 * </pre>
 */
public final class SortKeyWriter {
    private static final int NULL_FIRST = 0x01;
    private static final int FALSE = 0x10;
    private static final int TRUE = 0x11;
    private static final int NUMBER = 0x20;
    private static final int TEXT = 0x30;
    private static final int NULL_LAST = 0xFE;
    private static final int NUL_IN_TEXT = 0x01;
    private static final double LONG_LIMIT = 0x1p63;

    private final int[] slots;
    private final boolean[] areDescending;
    private final boolean[] areNullsFirst;

    private MutableDirectBuffer buffer = new UnsafeBuffer(new byte[0]);
    private int position;
    private int limit;
    /** The bits that are inverted in each written byte. */
    private int turned;

    SortKeyWriter(final List<OrderBy.Term> terms, final FieldSet fields) {
        slots = new int[terms.size()];
        areDescending = new boolean[terms.size()];
        areNullsFirst = new boolean[terms.size()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = fields.slotOf(terms.get(i).path());
            areDescending[i] = terms.get(i).isDescending();
            areNullsFirst[i] = terms.get(i).isNullFirst();
        }
    }

    /**
     * Writes the key of a message.
     *
     * @param message   a reader of {@link OrderBy#fields}, at the message.
     * @param to        buffer to write to.
     * @param offset    of the key.
     * @param lengthMax bytes that the key may have.
     * @return the length of the key, or {@link MessageEditor#TOO_LONG}, when nothing useful was written.
     */
    public int write(final FieldReader message, final MutableDirectBuffer to, final int offset, final int lengthMax) {
        if (!to.isExpandable()) {
            Objects.checkFromIndexSize(offset, lengthMax, to.capacity());
        }
        buffer = to;
        position = offset;
        limit = offset + lengthMax;
        for (int i = 0; i < slots.length; i++) {
            turned = areDescending[i] ? 0xFF : 0;
            if (!term(message, slots[i], areNullsFirst[i])) {
                return MessageEditor.TOO_LONG;
            }
        }
        return position - offset;
    }

    private boolean term(final FieldReader message, final int slot, final boolean isNullFirst) {
        final FieldType type = message.type(slot);
        if (type != FieldType.ARRAY) {
            return value(message, slot, type, isNullFirst);
        }
        message.element(slot, 0);
        final boolean isWritten = value(message, slot, message.type(slot), isNullFirst);
        message.element(slot, -1);
        return isWritten;
    }

    private boolean value(final FieldReader message, final int slot, final FieldType type, final boolean isNullFirst) {
        return switch (type) {
            case BOOLEAN -> put(message.booleanValue(slot) ? TRUE : FALSE);
            case LONG -> put(NUMBER) && number(message.longValue(slot));
            case DOUBLE -> put(NUMBER) && number(message.doubleValue(slot), 0);
            case STRING, UNTYPED ->
                put(TEXT) && text(message.stringBuffer(slot), message.stringOffset(slot), message.stringLength(slot));
            case ABSENT, NULL, ARRAY, OBJECT -> {
                turned = 0;
                yield put(isNullFirst ? NULL_FIRST : NULL_LAST);
            }
        };
    }

    private boolean put(final int value) {
        if (position == limit) {
            return false;
        }
        buffer.putByte(position++, (byte) (value ^ turned));
        return true;
    }

    private boolean number(final long value) {
        double floor = value;
        if (floor == LONG_LIMIT || (long) floor > value) {
            floor = Math.nextDown(floor);
        }
        return number(floor, (int) (value - (long) floor));
    }

    private boolean number(final double floor, final int missing) {
        if (limit - position < Long.BYTES + Short.BYTES) {
            return false;
        }
        final long bits = Double.doubleToLongBits(floor == 0 ? 0 : floor);
        final long ordered = bits ^ ((bits >> (Long.SIZE - 1)) | Long.MIN_VALUE);
        buffer.putLong(position, turned == 0 ? ordered : ~ordered, ByteOrder.BIG_ENDIAN);
        position += Long.BYTES;
        buffer.putShort(position, (short) (turned == 0 ? missing : ~missing), ByteOrder.BIG_ENDIAN);
        position += Short.BYTES;
        return true;
    }

    private boolean text(final DirectBuffer source, final int offset, final int length) {
        for (int i = offset; i < offset + length; i++) {
            final int c = source.getByte(i);
            if (!put(c) || (c == 0 && !put(NUL_IN_TEXT))) {
                return false;
            }
        }
        if (!put(0)) {
            return false;
        }
        return put(0);
    }
}
