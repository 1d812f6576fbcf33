package io.penstock.broker.query.scan;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.ValueTest;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a column for which a test is accepted: those in a range of keys or outside of it, or those of which the test
 * says so when it is asked. Confined to one query agent.
 */
final class NumberScan {
    /** Of a range, by the shift of the values: about, for 64 rows, in tens of cycles. */
    private static final int[] RANGE_COSTS = {2, 2, 4, 16};

    private static final int EACH_COST = 60;

    private final ValueTest test;
    private final Accepted accepted;
    private final RowsInRange ranges;
    private final Says says;
    private final @Nullable NumberRange range;
    private final Register number = new Register();

    /** What the test says of numbers. */
    private enum Says {
        NONE,
        ALL,
        INSIDE,
        OUTSIDE,
        EACH
    }

    /**
     * Makes it.
     *
     * @param predicate of the test.
     * @param test      the same, of values.
     * @param accepted  what it has to say.
     * @param ranges    of the filter.
     */
    NumberScan(final Node predicate, final ValueTest test, final Accepted accepted, final RowsInRange ranges) {
        this.test = test;
        this.accepted = accepted;
        this.ranges = ranges;
        range = NumberRange.of(predicate);
        says = says(predicate);
    }

    private Says says(final Node predicate) {
        if (range != null) {
            final boolean inside = accepted.has(Truth.of(!range.isInverted()));
            final boolean outside = accepted.has(Truth.of(range.isInverted()));
            return inside ? outside ? Says.ALL : Says.INSIDE : outside ? Says.OUTSIDE : Says.NONE;
        }
        if (predicate instanceof Node.In || predicate instanceof Node.Between) {
            return Says.EACH;
        }
        // Other tests look into texts and booleans only: of numbers they say the same.
        number.set(1);
        return accepted.has(test.truth(number)) ? Says.ALL : Says.NONE;
    }

    /**
     * Adds the rows of a block whose numbers are accepted.
     *
     * @param part       of the column.
     * @param candidates rows that may be added.
     * @param from       first word of the bitmaps.
     * @param to         word behind the last one.
     * @param held       where they are added.
     * @return whether it has looked at values.
     */
    boolean add(final ColumnPart part, final long[] candidates, final int from, final int to, final long[] held) {
        return switch (says) {
            case NONE -> false;
            case ALL -> addAll(part, candidates, from, to, held);
            case INSIDE, OUTSIDE -> addRange(part, candidates, from, to, held);
            case EACH -> addEach(part, candidates, from, to, held);
        };
    }

    private static boolean addAll(
            final ColumnPart part, final long[] candidates, final int from, final int to, final long[] held) {
        for (int word = from; word < to; word++) {
            held[word] |= candidates[word] & part.kind(ColumnKind.NUMBER, word);
        }
        return false;
    }

    private boolean addRange(
            final ColumnPart part, final long[] candidates, final int from, final int to, final long[] held) {
        if (range == null) {
            return false;
        }
        final NumberRange.Keys keys = range.keys(part.form());
        final long low = Math.max(keys.low(), part.min());
        final long high = Math.min(keys.high(), part.max());
        final boolean isInside = says == Says.INSIDE;
        if (low > high || (low == part.min() && high == part.max())) {
            return low > high != isInside && addAll(part, candidates, from, to, held);
        }
        ranges.range(low - part.base(), high - part.base(), isInside, part.max() - part.min() >= 0);
        ranges.add(part, ColumnKind.NUMBER, candidates, from, to, held);
        return true;
    }

    private boolean addEach(
            final ColumnPart part, final long[] candidates, final int from, final int to, final long[] held) {
        for (int word = from; word < to; word++) {
            held[word] |= each(part, word, candidates[word] & part.kind(ColumnKind.NUMBER, word));
        }
        return true;
    }

    private long each(final ColumnPart part, final int word, final long rows) {
        long found = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            NumberForm.load(part.form(), part.base() + part.value(word * Long.SIZE + row), number);
            found |= accepted.has(test.truth(number)) ? 1L << row : 0;
        }
        return found;
    }

    /** Whether numbers are compared with a range. */
    boolean hasRange() {
        return range != null;
    }

    /**
     * How much it costs, about.
     *
     * @param shift of the values.
     * @return cost; 0 when it does not look at values.
     */
    int cost(final int shift) {
        return switch (says) {
            case NONE, ALL -> 0;
            case INSIDE, OUTSIDE -> RANGE_COSTS[shift];
            case EACH -> EACH_COST;
        };
    }
}
