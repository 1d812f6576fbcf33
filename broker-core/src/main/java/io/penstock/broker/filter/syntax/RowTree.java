package io.penstock.broker.filter.syntax;

import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the tree of an item into one over the row of a group: what the group by has, and the aggregates, become fields of
 * the row. Any other field has no one value there.
 */
public final class RowTree implements NodeVisitor<Node> {
    private final List<Node> groups;
    private final List<Node.Aggregate> aggregates = new ArrayList<>();
    private Node.@Nullable Field stray;

    public RowTree(final List<Node> groups) {
        this.groups = groups;
    }

    /** The name of a field of the row. */
    public static FieldPath path(final int column) {
        return FieldPath.of("#" + column);
    }

    /** The aggregates met, each once; their fields follow those of the group by. */
    public List<Node.Aggregate> aggregates() {
        return aggregates;
    }

    /** A field met outside of both, or null. */
    public Node.@Nullable Field stray() {
        return stray;
    }

    public Node of(final Node node) {
        final int group = groups.indexOf(node);
        return group >= 0 ? new Node.Field(path(group)) : node.accept(this);
    }

    private List<Node> ofAll(final List<Node> nodes) {
        return nodes.stream().map(this::of).toList();
    }

    @Override
    public Node onAggregate(final Node.Aggregate node) {
        int index = aggregates.indexOf(node);
        if (index < 0) {
            index = aggregates.size();
            aggregates.add(node);
        }
        return new Node.Field(path(groups.size() + index));
    }

    @Override
    public Node onField(final Node.Field node) {
        stray = stray == null ? node : stray;
        return node;
    }

    @Override
    public Node onBoolean(final Node.BooleanLiteral node) {
        return node;
    }

    @Override
    public Node onLong(final Node.LongLiteral node) {
        return node;
    }

    @Override
    public Node onDouble(final Node.DoubleLiteral node) {
        return node;
    }

    @Override
    public Node onText(final Node.TextLiteral node) {
        return node;
    }

    @Override
    public Node onSign(final Node.Sign node) {
        return new Node.Sign(node.isMinus(), of(node.operand()));
    }

    @Override
    public Node onArithmetic(final Node.Arithmetic node) {
        return new Node.Arithmetic(node.operator(), of(node.left()), of(node.right()));
    }

    @Override
    public Node onComparison(final Node.Comparison node) {
        return new Node.Comparison(node.operator(), of(node.left()), of(node.right()));
    }

    @Override
    public Node onBetween(final Node.Between node) {
        return new Node.Between(of(node.operand()), of(node.low()), of(node.high()));
    }

    @Override
    public Node onIn(final Node.In node) {
        return new Node.In(of(node.operand()), ofAll(node.items()));
    }

    @Override
    public Node onLike(final Node.Like node) {
        return new Node.Like(of(node.operand()), node.pattern(), node.escape());
    }

    @Override
    public Node onLikeRegex(final Node.LikeRegex node) {
        return new Node.LikeRegex(of(node.operand()), node.pattern());
    }

    @Override
    public Node onAffix(final Node.Affix node) {
        return new Node.Affix(node.operator(), of(node.operand()), ofAll(node.items()));
    }

    @Override
    public Node onIsNull(final Node.IsNull node) {
        return new Node.IsNull(of(node.operand()));
    }

    @Override
    public Node onIsTruth(final Node.IsTruth node) {
        return new Node.IsTruth(of(node.operand()), node.truth());
    }

    @Override
    public Node onNot(final Node.Not node) {
        return new Node.Not(of(node.operand()));
    }

    @Override
    public Node onAnd(final Node.And node) {
        return new Node.And(ofAll(node.operands()));
    }

    @Override
    public Node onOr(final Node.Or node) {
        return new Node.Or(ofAll(node.operands()));
    }

    @Override
    public Node onCall(final Node.Call node) {
        return new Node.Call(node.function(), ofAll(node.arguments()));
    }
}
