package io.penstock.broker.query.explain;

import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.syntax.NodeVisitor;
import io.penstock.format.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a test is made of, as far as that keeps it from a column. */
final class Ingredients implements NodeVisitor<@Nullable Void> {
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

    private @Nullable Void visit(final List<Node> nodes) {
        for (final Node node : nodes) {
            node.accept(this);
        }
        return null;
    }

    @Override
    public @Nullable Void onBoolean(final Node.BooleanLiteral node) {
        return null;
    }

    @Override
    public @Nullable Void onLong(final Node.LongLiteral node) {
        return null;
    }

    @Override
    public @Nullable Void onDouble(final Node.DoubleLiteral node) {
        return null;
    }

    @Override
    public @Nullable Void onText(final Node.TextLiteral node) {
        return null;
    }

    @Override
    public @Nullable Void onField(final Node.Field node) {
        hasHeader |= node.path().isHeader();
        fields.add(node.path());
        return null;
    }

    @Override
    public @Nullable Void onSign(final Node.Sign node) {
        hasArithmetic = true;
        return visit(List.of(node.operand()));
    }

    @Override
    public @Nullable Void onArithmetic(final Node.Arithmetic node) {
        hasArithmetic = true;
        return visit(List.of(node.left(), node.right()));
    }

    @Override
    public @Nullable Void onComparison(final Node.Comparison node) {
        return visit(List.of(node.left(), node.right()));
    }

    @Override
    public @Nullable Void onBetween(final Node.Between node) {
        return visit(List.of(node.operand(), node.low(), node.high()));
    }

    @Override
    public @Nullable Void onIn(final Node.In node) {
        node.operand().accept(this);
        return visit(node.items());
    }

    @Override
    public @Nullable Void onLike(final Node.Like node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public @Nullable Void onLikeRegex(final Node.LikeRegex node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public @Nullable Void onAffix(final Node.Affix node) {
        node.operand().accept(this);
        return visit(node.items());
    }

    @Override
    public @Nullable Void onIsNull(final Node.IsNull node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public @Nullable Void onIsTruth(final Node.IsTruth node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public @Nullable Void onNot(final Node.Not node) {
        return visit(List.of(node.operand()));
    }

    @Override
    public @Nullable Void onAnd(final Node.And node) {
        return visit(node.operands());
    }

    @Override
    public @Nullable Void onOr(final Node.Or node) {
        return visit(node.operands());
    }

    @Override
    public @Nullable Void onCall(final Node.Call node) {
        hasFunction = true;
        return visit(node.arguments());
    }

    @Override
    public @Nullable Void onAggregate(final Node.Aggregate node) {
        return node.argument() == null ? null : visit(List.of(node.argument()));
    }
}
