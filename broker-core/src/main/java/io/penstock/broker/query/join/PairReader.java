package io.penstock.broker.query.join;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the pairs of one left record after the other. Right records are found by their value's hash, and are a pair when
 * the values are equal. Confined to one query agent; reading allocates nothing once warm.
 */
public final class PairReader {
    private static final int NONE = JoinTable.NONE;

    private final QueryJoin join;
    private final JoinTable table;
    private final MessageFormat leftFormat;
    private final MessageFormat rightFormat;
    private final JoinValue leftValue;
    private final JoinValue rightValue;
    private final @Nullable Filter filter;
    private final JoinedReader reader;
    private final UnsafeBuffer left = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer right = new UnsafeBuffer(0, 0);
    private @Nullable JoinedReader other;
    private int index = NONE;
    private boolean hasPair;
    private boolean isOpen;

    /**
     * Makes it.
     *
     * @param join        of the pairs.
     * @param table       of right records, linked.
     * @param leftFormat  of left messages.
     * @param rightFormat of right messages.
     * @param condition   that pairs have to match: text in canonical form; empty for all.
     * @param fields      of pairs that are read from {@link #reader}, complete but for those of the condition.
     */
    public PairReader(
            final QueryJoin join,
            final JoinTable table,
            final MessageFormat leftFormat,
            final MessageFormat rightFormat,
            final String condition,
            final FieldSet fields) {
        this.join = join;
        this.table = table;
        this.leftFormat = leftFormat;
        this.rightFormat = rightFormat;
        leftValue = new JoinValue(leftFormat, join.paths(false));
        rightValue = new JoinValue(rightFormat, join.paths(true));
        filter = condition.isEmpty() ? null : FilterCompiler.compile(condition, fields, FilterLimits.COMBINED);
        reader = newReader(fields);
    }

    private JoinedReader newReader(final FieldSet fields) {
        return new JoinedReader(
                fields, join.rule().leftName(), leftFormat, join.rule().rightName(), rightFormat);
    }

    /** Whether there is a left record with pairs that were not looked at. */
    public boolean isOpen() {
        return isOpen;
    }

    /**
     * Moves to the first pair of a left record.
     *
     * @param message of it, which stays where it is until all pairs were looked at.
     */
    public void open(final DirectBuffer message) {
        left.wrap(message, 0, message.capacity());
        reader.left(left, 0, left.capacity());
        isOpen = true;
        index = leftValue.read(left, 0, left.capacity()) ? equal(table.first(leftValue.hash())) : NONE;
        hasPair = index != NONE || join.rule().isOuter();
        if (hasPair) {
            present();
        }
    }

    /**
     * Whether there is a pair to look at. When there is none left, the left record is done with.
     *
     * @return false when there is none.
     */
    public boolean hasPair() {
        isOpen = hasPair;
        return hasPair;
    }

    /** Moves to the next pair. */
    public void next() {
        index = index == NONE ? NONE : equal(table.next(index));
        hasPair = index != NONE;
        if (hasPair) {
            present();
        }
    }

    /** Moves to a pair that was looked at before. */
    public void at(final DirectBuffer message, final int rightIndex) {
        left.wrap(message, 0, message.capacity());
        reader.left(left, 0, left.capacity());
        index = rightIndex;
        if (index != NONE) {
            Version.wrapMessage(right, table.version(index));
        }
        present();
    }

    /** The first one from one on that is a pair with the left record; the buffer is at it then. */
    private int equal(final int from) {
        int next = from;
        while (next != NONE) {
            Version.wrapMessage(right, table.version(next));
            if (rightValue.read(right, 0, right.capacity()) && rightValue.isEqualTo(leftValue)) {
                return next;
            }
            next = table.next(next);
        }
        return NONE;
    }

    private void present() {
        if (index == NONE) {
            reader.noRight();
        } else {
            reader.right(right, 0, right.capacity());
        }
    }

    /** Whether the present pair satisfies the condition. */
    public boolean matches() {
        return filter == null || filter.matches(reader);
    }

    /** The right record of the present pair, for {@link #at}; {@link JoinTable#NONE} for none. */
    public int right() {
        return index;
    }

    /** Bytes of the right message of the present pair. */
    public int rightLength() {
        return index == NONE ? 0 : right.capacity();
    }

    /** Reads the present pair. */
    public FieldReader reader() {
        return reader;
    }

    /**
     * Reads other fields of the present pair.
     *
     * @param fields the same in each call, complete.
     * @return a reader at the present pair.
     */
    public FieldReader reader(final FieldSet fields) {
        JoinedReader to = other;
        if (to == null) {
            to = newReader(fields);
            other = to;
        }
        to.left(left, 0, left.capacity());
        if (index == NONE) {
            to.noRight();
        } else {
            to.right(right, 0, right.capacity());
        }
        return to;
    }
}
