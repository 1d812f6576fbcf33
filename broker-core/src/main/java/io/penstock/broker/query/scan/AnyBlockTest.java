package io.penstock.broker.query.scan;

import io.penstock.broker.query.column.BlockColumns;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.query.explain.PlanNode;
import java.util.Arrays;

/** Holds for rows for which any of some conditions does. Each one is asked only about rows that none before holds for. */
final class AnyBlockTest extends BlockTest {
    private final RankedTests tests;
    private final long[] left = new long[ColumnPart.WORD_COUNT];

    AnyBlockTest(final BlockTest[] tests) {
        this.tests = new RankedTests(tests);
    }

    @Override
    void evaluate(final BlockColumns block, final long[] candidates, final int from, final int to) {
        System.arraycopy(candidates, from, left, from, to - from);
        Arrays.fill(held, from, to, 0);
        Arrays.fill(unknown, from, to, 0);
        int leftCount = RankedTests.count(left, from, to);
        for (int i = 0; i < tests.count() && leftCount > 0; i++) {
            final BlockTest test = tests.test(i);
            test.evaluate(block, left, from, to);
            for (int word = from; word < to; word++) {
                held[word] |= test.held[word];
                unknown[word] |= test.unknown[word];
                left[word] &= ~test.held[word];
            }
            final int after = RankedTests.count(left, from, to);
            tests.note(i, leftCount, leftCount - after);
            leftCount = after;
        }
        for (int word = from; word < to; word++) {
            unknown[word] &= ~held[word];
        }
        tests.onEvaluated();
    }

    @Override
    PlanNode describe() {
        return PlanNode.any(tests.describe());
    }

    @Override
    int cost() {
        return tests.cost();
    }
}
