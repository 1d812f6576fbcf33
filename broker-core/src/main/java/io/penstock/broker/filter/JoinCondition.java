package io.penstock.broker.filter;

import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.syntax.Parser;
import io.penstock.broker.filter.syntax.SourceText;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Which fields of two records have to be equal for a pair: {@code /orders/customer = /customers/id}, or several such with
 * AND between them. Immutable.
 *
 * @param left  paths in records of the left topic, without the topic's name.
 * @param right as many in records of the right one.
 */
public record JoinCondition(List<FieldPath> left, List<FieldPath> right) {
    private static final String SUBJECT = "on";

    public JoinCondition {
        left = List.copyOf(left);
        right = List.copyOf(right);
    }

    /**
     * Reads a condition.
     *
     * @param text      of it.
     * @param leftName  with which paths of the left topic begin.
     * @param rightName with which paths of the right one begin.
     * @param limits    of the text.
     * @return what it says.
     * @throws FilterException when the text is wrong or exceeds a limit.
     * @throws IllegalArgumentException when it is something else than equalities of fields of both.
     */
    public static JoinCondition parse(
            final String text, final String leftName, final String rightName, final FilterLimits limits) {
        final Node condition = new Parser(SourceText.of(SUBJECT, text, limits), limits, false, false).parse();
        final List<Node> parts = condition instanceof Node.And and ? and.operands() : List.of(condition);
        final List<FieldPath> left = new ArrayList<>();
        final List<FieldPath> right = new ArrayList<>();
        for (final Node part : parts) {
            if (!(part instanceof Node.Comparison equality
                    && equality.operator() == ComparisonOperator.EQUAL
                    && equality.left() instanceof Node.Field one
                    && equality.right() instanceof Node.Field other)) {
                throw wrong(text, leftName, rightName);
            }
            final boolean isInOrder = beginsWith(one.path(), leftName);
            final FieldPath ofLeft = isInOrder ? one.path() : other.path();
            final FieldPath ofRight = isInOrder ? other.path() : one.path();
            if (!beginsWith(ofLeft, leftName) || !beginsWith(ofRight, rightName)) {
                throw wrong(text, leftName, rightName);
            }
            left.add(within(ofLeft));
            right.add(within(ofRight));
        }
        return new JoinCondition(left, right);
    }

    private static IllegalArgumentException wrong(final String text, final String leftName, final String rightName) {
        return new IllegalArgumentException("on: not equalities of fields of both topics: " + text + " (write /"
                + leftName + "/FIELD = /" + rightName + "/FIELD, with AND between several)");
    }

    /**
     * Whether a path is one of a topic's records.
     *
     * @param path that begins with a topic's name.
     * @param name of the topic.
     * @return false when it is no path of a field in it.
     */
    public static boolean beginsWith(final FieldPath path, final String name) {
        return !path.isHeader()
                && path.steps().size() > 1
                && path.steps().get(0).equals(new FieldPath.Step(name, FieldPath.Step.NO_INDEX));
    }

    /**
     * A path without the name of its topic.
     *
     * @param path that {@link #beginsWith} a name.
     * @return the path in the topic's records.
     */
    public static FieldPath within(final FieldPath path) {
        return new FieldPath(path.steps().subList(1, path.steps().size()));
    }

    /**
     * A path with the name of its topic.
     *
     * @param name of the topic.
     * @param path in its records.
     * @return the path as expressions write it.
     */
    public static FieldPath of(final String name, final FieldPath path) {
        final List<FieldPath.Step> steps = new ArrayList<>();
        steps.add(new FieldPath.Step(Objects.requireNonNull(name), FieldPath.Step.NO_INDEX));
        steps.addAll(path.steps());
        return new FieldPath(steps);
    }
}
