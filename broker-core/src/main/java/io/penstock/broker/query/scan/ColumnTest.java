package io.penstock.broker.query.scan;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.program.FixedTests;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Comparing;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.ValueTest;
import io.penstock.broker.filter.value.Work;
import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.column.NumberForm;
import io.penstock.broker.query.column.TextDictionary;
import io.penstock.broker.query.explain.PlanNode;
import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/**
 * A test of one column. What it says of values without a content (nulls, booleans) was asked of the filter's own test
 * when this was made; of numbers it is a range of keys, or that test again; of texts a table by their codes.
 */
final class ColumnTest extends BlockTest {
    /** Of a range, for values of 2, 4 and 8 bytes, by their shift; the costs are about those of 64 rows, in tens of cycles. */
    private static final int[] RANGE_COSTS = {4, 4, 8, 12};

    private static final int TEXT_COST = 20;
    private static final int EACH_COST = 60;

    /** Words in which the codes of 64 rows are, when they have 2 bytes. */
    private static final int WORDS_OF_CODES = 16;

    /** Candidates of a word up to which they are looked at one by one, by the shift of the values. */
    private static final int[] FEW = {6, 6, 12, 16};

    /** The same for texts of which several have the answer 1. */
    private static final int FEW_CODES = 24;

    private static final int SHORT_SHIFT = 1;

    final Column column;
    private final int id;
    private final Condition.Test condition;
    private final ValueTest test;
    private final Accepted accepted;

    /** The kinds, of those that have no content, for which the test is accepted: a bit for each. */
    private final int acceptedKinds;

    private final Numbers numbers;
    private final @Nullable NumberRange range;
    private final TextAnswers texts;
    private final Register number = new Register();
    private int seenKinds;
    private boolean hasLooked;
    private long blockCount;
    private long lookedCount;

    /** Of the values of the block that was looked at last. */
    private int shift = SHORT_SHIFT;

    /** What the test says of numbers. */
    private enum Numbers {
        NONE,
        ALL,
        INSIDE,
        OUTSIDE,
        EACH
    }

    /**
     * Makes it.
     *
     * @param id        number of the test in the filter.
     * @param condition with a field.
     * @param column    of the field.
     * @param work      of its evaluations.
     * @param stepsMax  of them, for one text.
     */
    ColumnTest(
            final int id, final Condition.Test condition, final Column column, final Work work, final long stepsMax) {
        this.id = id;
        this.condition = condition;
        this.column = column;
        accepted = condition.accepted();
        test = test(condition.predicate(), work);
        acceptedKinds = acceptedKinds();
        range = NumberRange.of(condition.predicate());
        numbers = numbers(condition.predicate());
        texts = new TextAnswers(column.texts(), test, accepted, work, stepsMax);
    }

    private static ValueTest test(final Node predicate, final Work work) {
        if (predicate instanceof Node.IsNull) {
            return value -> Truth.of(value.isNull());
        }
        return predicate instanceof Node.Field ? Comparing::condition : FixedTests.test(predicate, work);
    }

    private int acceptedKinds() {
        final Register value = new Register();
        int kinds = 0;
        value.setNull();
        kinds |= accepted.has(test.truth(value)) ? 1 << ColumnKind.NULL : 0;
        value.setObject();
        kinds |= accepted.has(test.truth(value)) ? 1 << ColumnKind.OBJECT : 0;
        value.set(true);
        kinds |= accepted.has(test.truth(value)) ? 1 << ColumnKind.TRUE : 0;
        value.set(false);
        kinds |= accepted.has(test.truth(value)) ? 1 << ColumnKind.FALSE : 0;
        return kinds;
    }

    private Numbers numbers(final Node predicate) {
        if (range != null) {
            final boolean inside = accepted.has(Truth.of(!range.isInverted()));
            final boolean outside = accepted.has(Truth.of(range.isInverted()));
            return inside ? outside ? Numbers.ALL : Numbers.INSIDE : outside ? Numbers.OUTSIDE : Numbers.NONE;
        }
        if (predicate instanceof Node.In || predicate instanceof Node.Between) {
            return Numbers.EACH;
        }
        // Other tests look into texts and booleans only: of numbers they say the same.
        number.set(1);
        return accepted.has(test.truth(number)) ? Numbers.ALL : Numbers.NONE;
    }

    @Override
    void evaluate(final BlockColumns block, final long[] candidates, final int from, final int to) {
        final ColumnPart part = block.part(column);
        hasLooked = false;
        shift = part.shift();
        for (int word = from; word < to; word++) {
            held[word] = withoutContent(part, word);
            unknown[word] = candidates[word] & part.kind(ColumnKind.OTHER, word);
        }
        if (part.has(ColumnKind.NUMBER)) {
            addNumbers(part, candidates, from, to);
        }
        if (part.has(ColumnKind.TEXT)) {
            addTexts(part, candidates, from, to);
        }
        for (int word = from; word < to; word++) {
            held[word] &= candidates[word];
        }
        seenKinds |= part.kinds();
        blockCount++;
        lookedCount += hasLooked ? 1 : 0;
    }

    private long withoutContent(final ColumnPart part, final int word) {
        long rows = 0;
        for (int kind = ColumnKind.NULL; kind <= ColumnKind.FALSE; kind++) {
            if ((acceptedKinds & 1 << kind) != 0) {
                rows |= part.kind(kind, word);
            }
        }
        return rows;
    }

    private void addNumbers(final ColumnPart part, final long[] candidates, final int from, final int to) {
        switch (numbers) {
            case NONE -> {}
            case ALL -> addAllNumbers(part, from, to);
            case INSIDE, OUTSIDE -> addRange(part, candidates, from, to);
            case EACH -> {
                hasLooked = true;
                for (int word = from; word < to; word++) {
                    held[word] |= eachNumber(part, word, candidates[word] & part.kind(ColumnKind.NUMBER, word));
                }
            }
        }
    }

    private void addAllNumbers(final ColumnPart part, final int from, final int to) {
        for (int word = from; word < to; word++) {
            held[word] |= part.kind(ColumnKind.NUMBER, word);
        }
    }

    private void addRange(final ColumnPart part, final long[] candidates, final int from, final int to) {
        if (range == null) {
            return;
        }
        final NumberRange.Keys keys = range.keys(part.form());
        final long low = Math.max(keys.low(), part.min());
        final long high = Math.min(keys.high(), part.max());
        final boolean isInside = numbers == Numbers.INSIDE;
        if (low > high || (low == part.min() && high == part.max())) {
            if (low > high != isInside) {
                addAllNumbers(part, from, to);
            }
            return;
        }
        hasLooked = true;
        final long lowest = low - part.base();
        final long highest = high - part.base();
        final boolean isNear = part.max() - part.min() >= 0;
        final long inverse = isInside ? 0 : -1;
        final int few = FEW[part.shift()];
        for (int word = from; word < to; word++) {
            final long rows = candidates[word] & part.kind(ColumnKind.NUMBER, word);
            if (rows != 0) {
                final long inside = isNear && Long.bitCount(rows) > few
                        ? RangeScan.all(part.valuesAddress(word), part.shift(), lowest, highest)
                        : each(part, word, rows, lowest, highest);
                held[word] |= (inside ^ inverse) & rows;
            }
        }
    }

    /** Of some rows those whose values are in a range. */
    private static long each(
            final ColumnPart part, final int word, final long rows, final long lowest, final long highest) {
        long inside = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final long value = part.value(word * Long.SIZE + row);
            inside |= value >= lowest && value <= highest ? 1L << row : 0;
        }
        return inside;
    }

    private long eachNumber(final ColumnPart part, final int word, final long rows) {
        long rowsHeld = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            NumberForm.load(part.form(), part.base() + part.value(word * Long.SIZE + row), number);
            rowsHeld |= accepted.has(test.truth(number)) ? 1L << row : 0;
        }
        return rowsHeld;
    }

    /** Asks the test about texts that are new, up to a limit; false when there are more. */
    boolean update(final int limit) {
        return texts.update(limit);
    }

    private void addTexts(final ColumnPart part, final long[] candidates, final int from, final int to) {
        if ((part.codes() & (texts.heldCodes() | texts.unknownCodes())) == 0) {
            return;
        }
        hasLooked = true;
        final byte[] answers = texts.held();
        final boolean hasUnknown = (part.codes() & texts.unknownCodes()) != 0;
        final boolean areShort = part.shift() == SHORT_SHIFT;
        final int only = texts.onlyHeld();
        final int few = only == TextDictionary.NONE ? FEW_CODES : FEW[SHORT_SHIFT];
        for (int word = from; word < to; word++) {
            final long rows = candidates[word] & part.kind(ColumnKind.TEXT, word);
            if (rows == 0) {
                continue;
            }
            held[word] |= areShort
                    ? codes(part.valuesAddress(word), rows, few, answers, only)
                    : each(part, word, rows, answers);
            if (hasUnknown) {
                unknown[word] |= each(part, word, rows, texts.unknown());
            }
        }
    }

    /** Of some rows those whose codes have the answer 1. */
    private static long each(final ColumnPart part, final int word, final long rows, final byte[] answers) {
        long found = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            found |= (long) answers[(int) part.value(word * Long.SIZE + row) & answers.length - 1] << row;
        }
        return found;
    }

    /** Of some rows, whose codes have 2 bytes, those with the answer 1. */
    private static long codes(
            final long address, final long rows, final int few, final byte[] answers, final int only) {
        if (Long.bitCount(rows) > few) {
            return allCodes(address, answers, only) & rows;
        }
        long found = 0;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int row = Long.numberOfTrailingZeros(rest);
            final int code = UnsafeApi.getShort(
                    address + ((row & (WORDS_OF_CODES - 1)) << 3) + ((row / WORDS_OF_CODES) << SHORT_SHIFT));
            found |= (long) answers[code & answers.length - 1] << row;
        }
        return found;
    }

    /** Of the codes of 64 rows, of 2 bytes each, those that have the answer 1 and not 0; any one where there is no code. */
    private static long allCodes(final long address, final byte[] answers, final int only) {
        if (only != TextDictionary.NONE) {
            return RangeScan.all(address, 1, only, only);
        }
        final int mask = answers.length - 1;
        long rows = 0;
        for (int i = 0; i < WORDS_OF_CODES; i++) {
            final long codes = UnsafeApi.getLong(address + (long) i * Long.BYTES);
            final long found = answers[(int) codes & mask]
                    | (long) answers[(int) (codes >>> 16) & mask] << 16
                    | (long) answers[(int) (codes >>> 32) & mask] << 32
                    | (long) answers[(int) (codes >>> 48) & mask] << 48;
            rows |= found << i;
        }
        return rows;
    }

    /** The kinds of values in the blocks that were looked at: a bit for each. */
    int seenKinds() {
        return seenKinds;
    }

    /** Blocks whose values were looked at, and not only what is known of the whole block. */
    long lookedCount() {
        return lookedCount;
    }

    @Override
    PlanNode describe() {
        return PlanNode.byColumn(id, condition, blockCount, lookedCount);
    }

    @Override
    int cost() {
        if (numbers == Numbers.EACH) {
            return EACH_COST;
        }
        if (range != null) {
            return RANGE_COSTS[shift];
        }
        return texts.onlyHeld() == TextDictionary.NONE ? TEXT_COST : RANGE_COSTS[SHORT_SHIFT];
    }
}
