package io.penstock.broker.query.scan;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.AffixOperator;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.Work;
import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.Column;
import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnLease;
import io.penstock.broker.query.explain.PlanNode;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter over a block of rows: rows that match, and rows that have to be asked by the filter itself. It never says
 * otherwise than the filter.
 *
 * <p><b>Steps.</b> The tests of a filter share a number of steps ({@link Work}), and a test that gets none is unknown. Here
 * each test has an equal share of them for each text, and a text that needs more is asked for by the filter itself. Tests
 * that have no column, and values that columns do not hold, may take the steps of the others. So if a filter has tests
 * that take steps, rows with such values are asked; and if it also has tests without a column, rows are only ruled out
 * here, and that only by tests which then accept no unknown.
 */
public final class BlockFilter {
    private final BlockTest root;
    private final List<ColumnTest> tests;
    private final boolean takesSteps;
    private final boolean onlyRulesOut;

    private BlockFilter(
            final BlockTest root, final List<ColumnTest> tests, final boolean takesSteps, final boolean onlyRulesOut) {
        this.root = root;
        this.tests = tests;
        this.takesSteps = takesSteps;
        this.onlyRulesOut = onlyRulesOut;
    }

    /**
     * Makes it.
     *
     * @param filter  of messages.
     * @param columns of the store; gets those that the filter looks at.
     * @return null when no column is of use.
     */
    public static @Nullable BlockFilter of(final Filter filter, final ColumnLease columns) {
        final Builder builder = new Builder(columns, count(filter.condition()));
        final BlockTest root = builder.test(filter.condition());
        final boolean onlyRulesOut = builder.takesSteps && builder.hasOthers;
        if (builder.tests.isEmpty() || (onlyRulesOut && builder.acceptsUnknown)) {
            return null;
        }
        return new BlockFilter(root, List.copyOf(builder.tests), builder.takesSteps, onlyRulesOut);
    }

    /**
     * The columns that it looks at.
     *
     * @param into gets those that are not in it.
     */
    public void addColumns(final List<Column> into) {
        for (final ColumnTest test : tests) {
            if (!into.contains(test.column)) {
                into.add(test.column);
            }
        }
    }

    /** What it has done so far, for people. */
    public PlanNode describe() {
        return root.describe();
    }

    /**
     * The kinds of values that a column had in the blocks that were looked at.
     *
     * @param column that may be tested.
     * @return a bit for each kind.
     */
    public int seenKinds(final Column column) {
        int kinds = 0;
        for (final ColumnTest test : tests) {
            kinds |= test.column.equals(column) ? test.seenKinds() : 0;
        }
        return kinds;
    }

    /**
     * How often a test has looked at the values of a block, and not only at what is known of the whole block.
     *
     * @return count so far.
     */
    public long lookedCount() {
        long count = 0;
        for (int i = 0; i < tests.size(); i++) {
            count += tests.get(i).lookedCount();
        }
        return count;
    }

    /** Whether it never says of a row that it matches. */
    public boolean onlyRulesOut() {
        return onlyRulesOut;
    }

    /**
     * Asks the tests about texts that came since, which {@link #evaluate} takes for granted.
     *
     * @param limit of the texts, for each test.
     * @return false when there are more, and it is to be called again.
     */
    public boolean update(final int limit) {
        for (int i = 0; i < tests.size(); i++) {
            if (!tests.get(i).update(limit)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Asks about some rows.
     *
     * @param block      whose columns the caller has, up to date.
     * @param candidates the rows asked about; stay as they are.
     * @param from       first word of the bitmaps.
     * @param to         word behind the last one.
     */
    public void evaluate(final BlockColumns block, final long[] candidates, final int from, final int to) {
        root.evaluate(block, candidates, from, to);
        if (takesSteps) {
            askOthers(block, candidates, from, to);
        }
        for (int word = from; onlyRulesOut && word < to; word++) {
            root.unknown[word] |= root.held[word];
            root.held[word] = 0;
        }
    }

    private void askOthers(final BlockColumns block, final long[] candidates, final int from, final int to) {
        for (int i = 0; i < tests.size(); i++) {
            final Column column = tests.get(i).column;
            for (int word = from; block.part(column).has(ColumnKind.OTHER) && word < to; word++) {
                final long others = candidates[word] & block.part(column).kind(ColumnKind.OTHER, word);
                root.unknown[word] |= others;
                root.held[word] &= ~others;
            }
        }
    }

    /**
     * Rows that match, of those that were asked about last.
     *
     * @return bitmap; good until others are asked about.
     */
    public long[] held() {
        return root.held;
    }

    /**
     * Rows of which the columns do not know whether they match, of those that were asked about last.
     *
     * @return bitmap; good until others are asked about.
     */
    public long[] unknown() {
        return root.unknown;
    }

    private static int count(final Condition condition) {
        if (condition instanceof Condition.All all) {
            return all.operands().stream().mapToInt(BlockFilter::count).sum();
        }
        return condition instanceof Condition.Any any
                ? any.operands().stream().mapToInt(BlockFilter::count).sum()
                : 1;
    }

    /** Turns a condition into tests of blocks. */
    private static final class Builder {
        private final ColumnLease columns;
        private final long stepsMax;
        private final Work work = new Work();
        private final RowsInRange ranges = new RowsInRange();
        private final List<ColumnTest> tests = new ArrayList<>();
        private boolean hasOthers;
        private boolean takesSteps;
        private boolean acceptsUnknown;
        private int nextId;

        Builder(final ColumnLease columns, final int testCount) {
            this.columns = columns;
            stepsMax = Work.STEPS_MAX / testCount;
        }

        BlockTest test(final Condition condition) {
            if (condition instanceof Condition.All all) {
                return new AllBlockTest(tests(all.operands()));
            }
            if (condition instanceof Condition.Any any) {
                return new AnyBlockTest(tests(any.operands()));
            }
            return test((Condition.Test) condition);
        }

        private BlockTest[] tests(final List<Condition> conditions) {
            return conditions.stream().map(this::test).toArray(BlockTest[]::new);
        }

        private BlockTest test(final Condition.Test condition) {
            final int id = nextId++;
            if (condition.predicate() instanceof Node.BooleanLiteral literal) {
                final boolean isHeld = condition.accepted().has(Truth.of(literal.value()));
                return new FixedBlockTest(
                        isHeld ? FixedBlockTest.Answer.HELD : FixedBlockTest.Answer.NOT_HELD,
                        PlanNode.byFilter(id, condition, null));
            }
            final FieldPath path = condition.field();
            final Column column = path == null || path.isHeader() ? null : columns.column(path);
            if (column == null) {
                hasOthers = true;
                return new FixedBlockTest(
                        FixedBlockTest.Answer.UNKNOWN,
                        PlanNode.byFilter(id, condition, path == null ? null : columns.whyNone(path)));
            }
            if (mayTakeSteps(condition.predicate())) {
                takesSteps = true;
                acceptsUnknown |= condition.accepted().isComplement();
            }
            final ColumnTest test = new ColumnTest(id, condition, column, work, stepsMax, ranges);
            tests.add(test);
            return test;
        }

        private static boolean mayTakeSteps(final Node predicate) {
            if (predicate instanceof Node.Like like) {
                return like.pattern().indexOf('%') != like.pattern().lastIndexOf('%');
            }
            return predicate instanceof Node.LikeRegex
                    || (predicate instanceof Node.Affix affix && affix.operator() == AffixOperator.CONTAINS);
        }
    }
}
