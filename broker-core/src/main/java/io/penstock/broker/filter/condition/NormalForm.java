package io.penstock.broker.filter.condition;

import io.penstock.broker.filter.syntax.Node;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings conditions into normal form. To ask whether NOT x is true is to ask whether x is false; whether x AND y is
 * false, whether either is; whether (x IS TRUE) is false, whether x is false or unknown: so every question ends at tests.
 */
public final class NormalForm {
    private NormalForm() {}

    /**
     * The normal form of a condition.
     *
     * @param condition of a filter.
     * @return what holds when the condition is true.
     */
    public static Condition of(final Node condition) {
        return of(condition, Accepted.TRUE);
    }

    private static Condition of(final Node node, final Accepted accepted) {
        if (node instanceof Node.And and) {
            return row(and.operands(), accepted, accepted.isOfAll());
        }
        if (node instanceof Node.Or or) {
            return row(or.operands(), accepted, !accepted.isOfAll());
        }
        if (node instanceof Node.Not not) {
            return of(not.operand(), accepted.ofOpposite());
        }
        if (node instanceof Node.IsTruth is) {
            return of(is.operand(), accepted.ofOperand(is.truth()));
        }
        return new Condition.Test(node, field(node), accepted);
    }

    private static Condition row(final List<Node> operands, final Accepted accepted, final boolean isOfAll) {
        final List<Condition> conditions = new ArrayList<>(operands.size());
        for (final Node operand : operands) {
            final Condition condition = of(operand, accepted);
            if (isOfAll && condition instanceof Condition.All all) {
                conditions.addAll(all.operands());
            } else if (!isOfAll && condition instanceof Condition.Any any) {
                conditions.addAll(any.operands());
            } else {
                conditions.add(condition instanceof Condition.Test test ? KnownTests.of(test) : condition);
            }
        }
        return isOfAll ? new Condition.All(List.copyOf(conditions)) : new Condition.Any(List.copyOf(conditions));
    }

    private static @Nullable FieldPath field(final Node node) {
        final Node operand = operand(node);
        return operand instanceof Node.Field field ? field.path() : null;
    }

    private static @Nullable Node operand(final Node node) {
        if (node instanceof Node.Field) {
            return node;
        }
        return node instanceof Node.IsNull is ? is.operand() : Literals.tested(node);
    }
}
