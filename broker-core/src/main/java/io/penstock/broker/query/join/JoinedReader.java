package io.penstock.broker.query.join;

import io.penstock.broker.filter.JoinCondition;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageFormat;
import org.agrona.DirectBuffer;

/**
 * Reads a pair of messages as if each were a member of one message that has the name of its topic:
 * {@code /orders/price}. Nothing is copied for that. Of a pair without a right message those fields are absent. Confined to
 * one agent; reading allocates nothing.
 */
public final class JoinedReader implements FieldReader {
    private final FieldReader left;
    private final FieldReader right;

    /** For each slot whether the right message has it, and where. */
    private final boolean[] isRight;

    private final int[] slots;
    private boolean hasRight;

    /**
     * Makes a reader.
     *
     * @param fields      of pairs, complete.
     * @param leftName    with which paths of the left message begin.
     * @param leftFormat  of left messages.
     * @param rightName   with which paths of the right message begin.
     * @param rightFormat of right messages.
     * @throws IllegalArgumentException when a field is one of neither.
     */
    public JoinedReader(
            final FieldSet fields,
            final String leftName,
            final MessageFormat leftFormat,
            final String rightName,
            final MessageFormat rightFormat) {
        isRight = new boolean[fields.count()];
        slots = new int[fields.count()];
        final FieldSet ofLeft = new FieldSet();
        final FieldSet ofRight = new FieldSet();
        for (int slot = 0; slot < slots.length; slot++) {
            final FieldPath path = fields.path(slot);
            isRight[slot] = JoinCondition.beginsWith(path, rightName);
            if (!isRight[slot] && !JoinCondition.beginsWith(path, leftName)) {
                throw new IllegalArgumentException(path + " is a field of neither topic (write /" + leftName
                        + "/FIELD or /" + rightName + "/FIELD)");
            }
            slots[slot] = (isRight[slot] ? ofRight : ofLeft).slotOf(JoinCondition.within(path));
        }
        left = leftFormat.newReader(ofLeft);
        right = rightFormat.newReader(ofRight);
    }

    /** Moves to another left message; the right one stays. */
    public void left(final DirectBuffer buffer, final int offset, final int length) {
        left.wrap(buffer, offset, length);
    }

    /** Moves to another right message; the left one stays. */
    public void right(final DirectBuffer buffer, final int offset, final int length) {
        right.wrap(buffer, offset, length);
        hasRight = true;
    }

    /** Moves to a pair without a right message; the left one stays. */
    public void noRight() {
        hasRight = false;
    }

    /** Not supported: a pair is no message. */
    @Override
    public void wrap(final DirectBuffer buffer, final int offset, final int length) {
        throw new UnsupportedOperationException("pair: not read from bytes");
    }

    private FieldReader reader(final int slot) {
        return isRight[slot] ? right : left;
    }

    private boolean isAbsent(final int slot) {
        return isRight[slot] && !hasRight;
    }

    @Override
    public FieldType type(final int slot) {
        return isAbsent(slot) ? FieldType.ABSENT : reader(slot).type(slots[slot]);
    }

    @Override
    public boolean booleanValue(final int slot) {
        return reader(slot).booleanValue(slots[slot]);
    }

    @Override
    public long longValue(final int slot) {
        return reader(slot).longValue(slots[slot]);
    }

    @Override
    public double doubleValue(final int slot) {
        return reader(slot).doubleValue(slots[slot]);
    }

    @Override
    public DirectBuffer stringBuffer(final int slot) {
        return reader(slot).stringBuffer(slots[slot]);
    }

    @Override
    public int stringOffset(final int slot) {
        return reader(slot).stringOffset(slots[slot]);
    }

    @Override
    public int stringLength(final int slot) {
        return reader(slot).stringLength(slots[slot]);
    }

    @Override
    public int elementCount(final int slot) {
        return isAbsent(slot) ? 0 : reader(slot).elementCount(slots[slot]);
    }

    @Override
    public void element(final int slot, final int index) {
        if (!isAbsent(slot)) {
            reader(slot).element(slots[slot], index);
        }
    }
}
