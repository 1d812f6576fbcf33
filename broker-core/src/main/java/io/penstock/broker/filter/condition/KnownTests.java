package io.penstock.broker.filter.condition;

import io.penstock.broker.filter.syntax.Node;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Some of the last tests that stood beside others in conditions: many filters have tests in common, and share them. What is in
 * a place is replaced by what comes next. Tests are immutable, so that it does not matter which of some equal ones is found.
 * Long ones are not kept beyond their filters. Safe on any thread.
 */
final class KnownTests {
    private static final int COUNT = 1 << 13;
    private static final int ITEMS_MAX = 8;
    private static final int LENGTH_MAX = 64;
    private static final AtomicReferenceArray<Condition.Test> TESTS = new AtomicReferenceArray<>(COUNT);

    private KnownTests() {}

    static Condition.Test of(final Condition.Test test) {
        if (!isShort(test.predicate())) {
            return test;
        }
        final int hash = test.hashCode();
        final int place = (hash ^ hash >>> 16) & COUNT - 1;
        final Condition.Test known = TESTS.get(place);
        if (known != null && known.equals(test)) {
            return known;
        }
        TESTS.set(place, test);
        return test;
    }

    private static boolean isShort(final Node node) {
        if (node instanceof Node.Comparison comparison) {
            return isShort(comparison.left()) && isShort(comparison.right());
        }
        if (node instanceof Node.Between between) {
            return isShort(between.operand()) && isShort(between.low()) && isShort(between.high());
        }
        if (node instanceof Node.In in) {
            return isShort(in.operand()) && areShort(in.items());
        }
        if (node instanceof Node.Affix affix) {
            return isShort(affix.operand()) && areShort(affix.items());
        }
        if (node instanceof Node.Like like) {
            return isShort(like.operand()) && like.pattern().length() <= LENGTH_MAX;
        }
        if (node instanceof Node.IsNull isNull) {
            return isShort(isNull.operand());
        }
        if (node instanceof Node.TextLiteral text) {
            return text.value().length() <= LENGTH_MAX;
        }
        return node instanceof Node.Field
                || node instanceof Node.LongLiteral
                || node instanceof Node.DoubleLiteral
                || node instanceof Node.BooleanLiteral;
    }

    private static boolean areShort(final List<Node> items) {
        return items.size() <= ITEMS_MAX && items.stream().allMatch(KnownTests::isShort);
    }
}
