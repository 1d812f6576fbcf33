package io.penstock.broker.query.scan;

import io.penstock.broker.query.explain.PlanNode;
import java.util.Arrays;
import java.util.List;

/**
 * Tests in the order in which they decide most for what they cost. The order is by cost at first, and by what was seen
 * later; it never changes an answer.
 */
final class RankedTests {
    private static final int RANK_INTERVAL = 16;

    private final BlockTest[] tests;
    private final long[] asked;
    private final long[] decided;
    private int evaluatedCount;

    RankedTests(final BlockTest[] tests) {
        this.tests = tests.clone();
        asked = new long[tests.length];
        decided = new long[tests.length];
        rank();
    }

    int count() {
        return tests.length;
    }

    BlockTest test(final int index) {
        return tests[index];
    }

    /** A test was asked about rows, and has decided some of them for good. */
    void note(final int index, final int askedCount, final int decidedCount) {
        asked[index] += askedCount;
        decided[index] += decidedCount;
    }

    /** All tests were asked about some rows, as far as need be. */
    void onEvaluated() {
        if (++evaluatedCount % RANK_INTERVAL == 0) {
            rank();
            for (int i = 0; i < tests.length; i++) {
                asked[i] >>= 1;
                decided[i] >>= 1;
            }
        }
    }

    /** What the tests have done so far, in their present order. */
    List<PlanNode> describe() {
        return Arrays.stream(tests).map(BlockTest::describe).toList();
    }

    int cost() {
        long sum = 0;
        for (final BlockTest test : tests) {
            sum += test.cost();
        }
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    /** Sorts by insertion: there are few, and they are in order as a rule. */
    private void rank() {
        for (int i = 1; i < tests.length; i++) {
            for (int at = i; at > 0 && isBefore(at, at - 1); at--) {
                swap(at, at - 1);
            }
        }
    }

    private boolean isBefore(final int one, final int other) {
        return decidedShare(one) * tests[other].cost() > decidedShare(other) * tests[one].cost();
    }

    /** The share of rows that it decides, or is thought to as long as it was not asked. */
    private double decidedShare(final int index) {
        return (decided[index] + 1.0) / (asked[index] + 2.0);
    }

    private void swap(final int one, final int other) {
        final BlockTest test = tests[one];
        tests[one] = tests[other];
        tests[other] = test;
        final long askedOne = asked[one];
        asked[one] = asked[other];
        asked[other] = askedOne;
        final long decidedOne = decided[one];
        decided[one] = decided[other];
        decided[other] = decidedOne;
    }

    /** Rows in a bitmap. */
    static int count(final long[] rows, final int from, final int to) {
        int count = 0;
        for (int word = from; word < to; word++) {
            count += Long.bitCount(rows[word]);
        }
        return count;
    }
}
