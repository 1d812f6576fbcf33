package io.penstock.broker.filter.condition;

import io.penstock.broker.filter.syntax.ConstantFolder;
import io.penstock.broker.filter.syntax.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows the conditions that hold one value against literals only. */
public final class Literals {
    private Literals() {}

    /**
     * The value that a condition holds against literals.
     *
     * @param node of a condition, or of anything else.
     * @return null when it is not such a condition.
     */
    public static @Nullable Node tested(final Node node) {
        if (node instanceof Node.Comparison comparison) {
            return ConstantFolder.isLiteral(comparison.right()) ? comparison.left() : null;
        }
        if (node instanceof Node.Between between) {
            final boolean isFixed = ConstantFolder.isLiteral(between.low()) && ConstantFolder.isLiteral(between.high());
            return isFixed ? between.operand() : null;
        }
        if (node instanceof Node.In in) {
            return areLiterals(in.items()) ? in.operand() : null;
        }
        if (node instanceof Node.Affix affix) {
            return areLiterals(affix.items()) ? affix.operand() : null;
        }
        if (node instanceof Node.Like like) {
            return like.operand();
        }
        return node instanceof Node.LikeRegex regex ? regex.operand() : null;
    }

    private static boolean areLiterals(final List<Node> nodes) {
        return nodes.stream().allMatch(ConstantFolder::isLiteral);
    }
}
