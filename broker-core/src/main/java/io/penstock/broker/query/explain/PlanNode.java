package io.penstock.broker.query.explain;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition as a query has tested it: tests in the order in which they are taken, each with what answers it. Confined to the
 * thread that has it.
 */
public final class PlanNode {
    private static final String CONSTANT = "constant";
    private static final long NOT_KNOWN = -1;

    private final Kind kind;
    private final List<PlanNode> operands;
    private final String text;

    /** Number of the test in the text; the same for all workers. */
    private final int id;

    /** Why the filter is asked; null when a column is. */
    private final @Nullable String asked;

    private long blockCount;
    private long lookedCount;

    private enum Kind {
        ALL,
        ANY,
        TEST
    }

    private PlanNode(
            final Kind kind,
            final List<PlanNode> operands,
            final int id,
            final String text,
            final @Nullable String asked) {
        this.kind = kind;
        this.operands = List.copyOf(operands);
        this.id = id;
        this.text = text;
        this.asked = asked;
    }

    /** Holds when all do. */
    public static PlanNode all(final List<PlanNode> operands) {
        return new PlanNode(Kind.ALL, operands, -1, "all of", null);
    }

    /** Holds when any does. */
    public static PlanNode any(final List<PlanNode> operands) {
        return new PlanNode(Kind.ANY, operands, -1, "any of", null);
    }

    /**
     * A test that a column answers.
     *
     * @param id          number of the test in the text.
     * @param test        of a field.
     * @param blockCount  blocks for which it was asked.
     * @param lookedCount of these, such whose values were looked at: what is known of the others was enough.
     */
    public static PlanNode byColumn(
            final int id, final Condition.Test test, final long blockCount, final long lookedCount) {
        final PlanNode node = new PlanNode(Kind.TEST, List.of(), id, text(test), null);
        node.blockCount = blockCount;
        node.lookedCount = lookedCount;
        return node;
    }

    /**
     * A test for which the filter is asked.
     *
     * @param id   number of the test in the text.
     * @param test of any kind.
     * @param why  when there is another reason than what the test is made of, or null.
     */
    public static PlanNode byFilter(final int id, final Condition.Test test, final @Nullable String why) {
        final String own = whyNoColumn(test);
        final String reason = own == null ? why == null ? "records are read" : why : own;
        return new PlanNode(Kind.TEST, List.of(), id, text(test), reason);
    }

    /**
     * A condition as its text says it, when no columns were looked at, or nothing may be said of them.
     *
     * @param condition of messages.
     * @param why       there are none; null when columns may have answered those tests that can have one.
     */
    public static PlanNode of(final Condition condition, final @Nullable String why) {
        return of(condition, why, new int[1]);
    }

    private static PlanNode of(final Condition condition, final @Nullable String why, final int[] nextId) {
        if (condition instanceof Condition.Test test) {
            final int id = nextId[0]++;
            return why == null && whyNoColumn(test) == null
                    ? byColumn(id, test, NOT_KNOWN, NOT_KNOWN)
                    : byFilter(id, test, why);
        }
        final List<Condition> parts = condition instanceof Condition.All all
                ? all.operands()
                : condition instanceof Condition.Any any ? any.operands() : List.of();
        final List<PlanNode> operands = new ArrayList<>();
        for (final Condition part : parts) {
            operands.add(of(part, why, nextId));
        }
        return condition instanceof Condition.All ? all(operands) : any(operands);
    }

    /** Why no column can answer a test, whatever there is; null when one can. */
    private static @Nullable String whyNoColumn(final Condition.Test test) {
        if (test.predicate() instanceof Node.BooleanLiteral) {
            return CONSTANT;
        }
        final FieldPath field = test.field();
        if (field == null) {
            return Ingredients.whyNoColumn(test.predicate());
        }
        return field.isHeader() ? "header" : null;
    }

    private static String text(final Condition.Test test) {
        return CanonicalText.of(test.predicate())
                + switch (test.accepted()) {
                    case TRUE -> "";
                    case FALSE -> " IS FALSE";
                    case NOT_TRUE -> " IS NOT TRUE";
                    case NOT_FALSE -> " IS NOT FALSE";
                };
    }

    /** Adds what another worker has counted for the same condition. */
    void add(final PlanNode other) {
        final List<PlanNode> tests = new ArrayList<>();
        other.addTests(tests);
        addCounts(tests);
    }

    private void addTests(final List<PlanNode> to) {
        if (kind == Kind.TEST) {
            to.add(this);
        }
        operands.forEach(each -> each.addTests(to));
    }

    private void addCounts(final List<PlanNode> tests) {
        for (final PlanNode test : tests) {
            if (kind == Kind.TEST && test.id == id) {
                blockCount += test.blockCount;
                lookedCount += test.lookedCount;
            }
        }
        operands.forEach(each -> each.addCounts(tests));
    }

    /** How many blocks a test was asked for, of all tests that one which was asked for most. */
    long blockCount() {
        long most = blockCount;
        for (final PlanNode each : operands) {
            most = Math.max(most, each.blockCount());
        }
        return most;
    }

    /** Writes it, a line for each test. */
    public void write(final ExplanationText to, final int depth) {
        if (kind != Kind.TEST) {
            to.line(depth, text);
        } else if (asked == null) {
            to.line(
                    depth,
                    to.cut(text)
                            + (blockCount == NOT_KNOWN
                                    ? ": column or filter"
                                    : ": column, values of " + lookedCount + " of " + blockCount + " blocks"));
        } else {
            to.line(depth, to.cut(text) + (CONSTANT.equals(asked) ? ": constant" : ": filter (" + asked + ")"));
        }
        operands.forEach(each -> each.write(to, depth + 1));
    }
}
