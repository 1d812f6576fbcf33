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
import io.penstock.broker.query.explain.PlanNode;
import java.util.Arrays;

/**
 * A test of one column. What it says of values without a content (nulls, booleans) was asked of the filter's own test
 * when this was made; of numbers it is a range of keys, or that test again; of texts a table by their codes.
 */
final class ColumnTest extends BlockTest {
    final Column column;
    private final int id;
    private final Condition.Test condition;

    /** The kinds, of those that have no content, for which the test is accepted: a bit for each. */
    private final int acceptedKinds;

    private final NumberScan numbers;
    private final TextScan texts;

    /** Kinds in the blocks that were looked at. */
    private int seenKinds;

    /** Kinds in the last one of them; as long as there is none, those that the test is about. */
    private int lastKinds;

    /** Of the values in the last one. */
    private int lastShift;

    private long blockCount;
    private long lookedCount;

    /**
     * Makes it.
     *
     * @param id        number of the test in the filter.
     * @param condition with a field.
     * @param column    of the field.
     * @param work      of its evaluations.
     * @param stepsMax  of them, for one text.
     * @param ranges    of the filter.
     */
    ColumnTest(
            final int id,
            final Condition.Test condition,
            final Column column,
            final Work work,
            final long stepsMax,
            final RowsInRange ranges) {
        this.id = id;
        this.condition = condition;
        this.column = column;
        final Accepted accepted = condition.accepted();
        final ValueTest test = test(condition.predicate(), work);
        acceptedKinds = acceptedKinds(test, accepted);
        numbers = new NumberScan(condition.predicate(), test, accepted, ranges);
        texts = new TextScan(new TextAnswers(column.texts(), test, accepted, work, stepsMax), ranges);
        lastKinds = numbers.hasRange() ? 1 << ColumnKind.NUMBER : 1 << ColumnKind.TEXT;
    }

    private static ValueTest test(final Node predicate, final Work work) {
        if (predicate instanceof Node.IsNull) {
            return value -> Truth.of(value.isNull());
        }
        return predicate instanceof Node.Field ? Comparing::condition : FixedTests.test(predicate, work);
    }

    private static int acceptedKinds(final ValueTest test, final Accepted accepted) {
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

    @Override
    void evaluate(final BlockColumns block, final long[] candidates, final int from, final int to) {
        final ColumnPart part = block.part(column);
        Arrays.fill(held, from, to, 0);
        Arrays.fill(unknown, from, to, 0);
        addWithoutContent(part, candidates, from, to);
        boolean hasLooked = false;
        if (part.has(ColumnKind.NUMBER)) {
            hasLooked = numbers.add(part, candidates, from, to, held);
        }
        if (part.has(ColumnKind.TEXT)) {
            hasLooked |= texts.add(part, candidates, from, to, held, unknown);
        }
        lastKinds = part.kinds();
        lastShift = part.shift();
        seenKinds |= lastKinds;
        blockCount++;
        lookedCount += hasLooked ? 1 : 0;
    }

    private void addWithoutContent(final ColumnPart part, final long[] candidates, final int from, final int to) {
        for (int kind = ColumnKind.NULL; kind <= ColumnKind.FALSE; kind++) {
            if ((acceptedKinds & part.kinds() & 1 << kind) != 0) {
                add(part, kind, candidates, from, to, held);
            }
        }
        if (part.has(ColumnKind.OTHER)) {
            add(part, ColumnKind.OTHER, candidates, from, to, unknown);
        }
    }

    private static void add(
            final ColumnPart part,
            final int kind,
            final long[] candidates,
            final int from,
            final int to,
            final long[] into) {
        for (int word = from; word < to; word++) {
            into[word] |= candidates[word] & part.kind(kind, word);
        }
    }

    /** Asks the test about texts that are new, up to a limit; false when there are more. */
    boolean update(final int limit) {
        return texts.update(limit);
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
        return ((lastKinds & 1 << ColumnKind.NUMBER) == 0 ? 0 : numbers.cost(lastShift))
                + ((lastKinds & 1 << ColumnKind.TEXT) == 0 ? 0 : texts.cost());
    }
}
