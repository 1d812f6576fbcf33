package io.penstock.broker.filter.syntax;

import io.penstock.broker.filter.value.AffixOperator;
import io.penstock.broker.filter.value.ArithmeticOperator;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.format.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The syntax tree of a filter. Any node is an expression with a value; a condition's value is a boolean, or NULL for
 * unknown. Nodes are immutable and compare by content.
 */
public sealed interface Node {
    <R> R accept(NodeVisitor<R> visitor);

    record BooleanLiteral(boolean value) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onBoolean(this);
        }
    }

    record LongLiteral(long value) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onLong(this);
        }
    }

    record DoubleLiteral(double value) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onDouble(this);
        }
    }

    record TextLiteral(String value) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onText(this);
        }
    }

    record Field(FieldPath path) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onField(this);
        }
    }

    /** Unary plus or minus. */
    record Sign(boolean isMinus, Node operand) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onSign(this);
        }
    }

    record Arithmetic(ArithmeticOperator operator, Node left, Node right) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onArithmetic(this);
        }
    }

    record Comparison(ComparisonOperator operator, Node left, Node right) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onComparison(this);
        }
    }

    record Between(Node operand, Node low, Node high) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onBetween(this);
        }
    }

    record In(Node operand, List<Node> items) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onIn(this);
        }
    }

    /**
     * LIKE.
     *
     * @param escape the escape character as a text of one code point, or null.
     */
    record Like(Node operand, String pattern, @Nullable String escape) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onLike(this);
        }
    }

    record LikeRegex(Node operand, String pattern) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onLikeRegex(this);
        }
    }

    /** BEGINS WITH, ENDS WITH or CONTAINS any of some texts. */
    record Affix(AffixOperator operator, Node operand, List<Node> items) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onAffix(this);
        }
    }

    record IsNull(Node operand) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onIsNull(this);
        }
    }

    /** IS TRUE or IS FALSE. */
    record IsTruth(Node operand, boolean truth) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onIsTruth(this);
        }
    }

    record Not(Node operand) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onNot(this);
        }
    }

    /**
     * A row of ANDs.
     *
     * @param operands at least two, none of which is an And itself.
     */
    record And(List<Node> operands) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onAnd(this);
        }
    }

    /**
     * A row of ORs.
     *
     * @param operands at least two, none of which is an Or itself.
     */
    record Or(List<Node> operands) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onOr(this);
        }
    }

    record Call(FilterFunction function, List<Node> arguments) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onCall(this);
        }
    }

    /**
     * A function of all messages of a group. It stands in select lists only, and is a field of the group's row when what
     * stands around it is compiled.
     *
     * @param argument its values, or null for the messages themselves.
     */
    record Aggregate(AggregateFunction function, @Nullable Node argument) implements Node {
        @Override
        public <R> R accept(final NodeVisitor<R> visitor) {
            return visitor.onAggregate(this);
        }
    }
}
