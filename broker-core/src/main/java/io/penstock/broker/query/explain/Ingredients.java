package io.penstock.broker.query.explain;

import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.syntax.NodeVisitor;
import io.penstock.format.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a test is made of, as far as that keeps it from a column; each visit returns the fields so far. */
final class Ingredients implements NodeVisitor<Set<FieldPath>> {
    private final Set<FieldPath> fields = new HashSet<>();
    private boolean hasHeader;
    private boolean hasArithmetic;
    private boolean hasFunction;

    private Ingredients() {}

    /** Why a test that is not about one field alone can have no column. */
    static String whyNoColumn(final Node test) {
        final Ingredients found = new Ingredients();
        test.accept(found);
        if (found.hasHeader) {
            return "header";
        }
        if (found.hasFunction) {
            return "function";
        }
        if (found.hasArithmetic) {
            return "arithmetic";
        }
        return found.fields.size() > 1 ? "two fields" : "computed";
    }

    private Set<FieldPath> visit(final List<Node> nodes) {
        for (final Node node : nodes) {
            node.accept(this);
        }
        return fields;
    }

    @Override
    public Set<FieldPath> onBoolean(final Node.BooleanLiteral node) {
        return fields;
    }

    @Override
    public Set<FieldPath> onLong(final Node.LongLiteral node) {
        return fields;
    }

    @Override
    public Set<FieldPath> onDouble(final Node.DoubleLiteral node) {
        return fields;
    }

    @Override
    public Set<FieldPath> onText(final Node.TextLiteral node) {
        return fields;
    }

    @Override
    public Set<FieldPath> onField(final Node.Field node) {
        hasHeader |= node.path().isHeader();
        fields.add(node.path());
        return fields;
    }

    @Override
    public Set<FieldPath> onSign(final Node.Sign node) {
        hasArithmetic = true;
        return visit(List.of(node.operand()));
    }

    @Override
    public Set<FieldPath> onArithmetic(final Node.Arithmetic node) {
        hasArithmetic = true;
        return visit(List.of(node.left(), node.right()));
    }

    @Override
    public Set<FieldPath> onComparison(final Node.Comparison node) {
        return visit(List.of(node.left(), node.right()));
    }

    @Override
    public Set<FieldPath> onBetween(final Node.Between node) {
        return visit(List.of(node.operand(), node.low(), node.high()));
    }

    @Override
    public Set<FieldPath> onIn(final Node.In node) {
        node.operand().accept(this);
        return visit(node.items());
    }

    @Override
    public Set<FieldPath> onLike(final Node.Like node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public Set<FieldPath> onLikeRegex(final Node.LikeRegex node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public Set<FieldPath> onAffix(final Node.Affix node) {
        node.operand().accept(this);
        return visit(node.items());
    }

    @Override
    public Set<FieldPath> onIsNull(final Node.IsNull node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public Set<FieldPath> onIsTruth(final Node.IsTruth node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public Set<FieldPath> onNot(final Node.Not node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public Set<FieldPath> onAnd(final Node.And node) {
        return visit(node.operands());
    }

    @Override
    public Set<FieldPath> onOr(final Node.Or node) {
        return visit(node.operands());
    }

    @Override
    public Set<FieldPath> onCall(final Node.Call node) {
        hasFunction = true;
        return visit(node.arguments());
    }

    @Override
    public Set<FieldPath> onAggregate(final Node.Aggregate node) {
        final Node argument = node.argument();
        return argument == null ? fields : visit(List.of(argument));
    }
}
