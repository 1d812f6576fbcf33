package io.penstock.broker.filter.program;

import io.penstock.broker.filter.condition.Literals;
import io.penstock.broker.filter.syntax.ConstantFolder;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.AffixTest;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.ComparisonTest;
import io.penstock.broker.filter.value.LikePattern;
import io.penstock.broker.filter.value.NumberRangeTest;
import io.penstock.broker.filter.value.NumberTest;
import io.penstock.broker.filter.value.RangeTest;
import io.penstock.broker.filter.value.RegexPattern;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.SetTest;
import io.penstock.broker.filter.value.TextEqualityTest;
import io.penstock.broker.filter.value.ValueTest;
import io.penstock.broker.filter.value.Work;
import java.util.List;

/** Picks the test for conditions that hold one value against literals only. */
public final class FixedTests {
    private FixedTests() {}

    /**
     * The test of a condition which {@link Literals#tested} knows.
     *
     * @param node of the condition.
     * @param work of the evaluations.
     * @return the test of values that are no arrays.
     */
    public static ValueTest test(final Node node, final Work work) {
        if (node instanceof Node.Comparison comparison) {
            return comparisonTest(comparison.operator(), ConstantFolder.constant(comparison.right()));
        }
        if (node instanceof Node.Between between) {
            return rangeTest(ConstantFolder.constant(between.low()), ConstantFolder.constant(between.high()));
        }
        if (node instanceof Node.In in) {
            return new SetTest(constants(in.items()));
        }
        if (node instanceof Node.Affix affix) {
            return new AffixTest(affix.operator(), constants(affix.items()), work);
        }
        if (node instanceof Node.Like like) {
            return LikePattern.of(like.pattern(), like.escape(), work);
        }
        if (node instanceof Node.LikeRegex regex) {
            return RegexPattern.of(regex.pattern(), work);
        }
        throw new IllegalArgumentException("not a fixed test: " + node);
    }

    private static ValueTest comparisonTest(final ComparisonOperator operator, final Register constant) {
        if (constant.isNumber()) {
            return new NumberTest(operator, constant);
        }
        final boolean isEquality = operator == ComparisonOperator.EQUAL || operator == ComparisonOperator.NOT_EQUAL;
        return constant.isText() && isEquality
                ? new TextEqualityTest(operator, constant)
                : new ComparisonTest(operator, constant);
    }

    private static ValueTest rangeTest(final Register low, final Register high) {
        return low.isNumber() && high.isNumber() ? NumberRangeTest.of(low, high) : new RangeTest(low, high);
    }

    private static Register[] constants(final List<Node> literals) {
        return literals.stream().map(ConstantFolder::constant).toArray(Register[]::new);
    }
}
