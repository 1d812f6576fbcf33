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
        System.arraycopy(candidates, from, held, from, to - from);
        int askedCount = RankedTests.count(candidates, from, to);
        long[] asked = candidates;
        for (int i = 0; i < tests.count() && askedCount > 0; i++) {
            final BlockTest test = tests.test(i);
            test.evaluate(block, asked, from, to);
            int leftCount = 0;
            for (int word = from; word < to; word++) {
                final long rows = test.held[word] | test.unknown[word];
                left[word] = rows;
                leftCount += Long.bitCount(rows);
                held[word] &= test.held[word];
            }
            tests.note(i, askedCount, askedCount - leftCount);
            askedCount = leftCount;
            asked = left;
        }
        for (int word = from; word < to; word++) {
            unknown[word] = asked[word] & ~held[word];
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
