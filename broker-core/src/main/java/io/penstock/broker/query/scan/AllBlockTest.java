package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.explain.PlanNode;

/** Holds for rows for which all of some conditions do. Each one is asked only about rows that the ones before leave. */
final class AllBlockTest extends BlockTest {
    private final RankedTests tests;
    private final long[] left = new long[ColumnPart.WORD_COUNT];

    AllBlockTest(final BlockTest[] tests) {
        this.tests = new RankedTests(tests);
    }

    @Override
    void evaluate(final BlockColumns block, final long[] candidates, final int from, final int to) {
        System.arraycopy(candidates, from, left, from, to - from);
        System.arraycopy(candidates, from, held, from, to - from);
        int leftCount = RankedTests.count(left, from, to);
        for (int i = 0; i < tests.count() && leftCount > 0; i++) {
            final BlockTest test = tests.test(i);
            test.evaluate(block, left, from, to);
            for (int word = from; word < to; word++) {
                left[word] = test.held[word] | test.unknown[word];
                held[word] &= test.held[word];
            }
            final int after = RankedTests.count(left, from, to);
            tests.note(i, leftCount, leftCount - after);
            leftCount = after;
        }
        for (int word = from; word < to; word++) {
            held[word] &= left[word];
            unknown[word] = left[word] & ~held[word];
        }
        tests.onEvaluated();
    }

    @Override
    PlanNode describe() {
        return PlanNode.all(tests.describe());
    }

    @Override
    int cost() {
        return tests.cost();
    }
}
