package io.penstock.broker.filter.syntax;

/**
 * One case per kind of {@link Node}.
 *
 * @param <R> what a visit yields.
 */
public interface NodeVisitor<R> {
    R onBoolean(Node.BooleanLiteral node);

    R onLong(Node.LongLiteral node);

    R onDouble(Node.DoubleLiteral node);

    R onText(Node.TextLiteral node);

    R onField(Node.Field node);

    R onSign(Node.Sign node);

    R onArithmetic(Node.Arithmetic node);

    R onComparison(Node.Comparison node);

    R onBetween(Node.Between node);

    R onIn(Node.In node);

    R onLike(Node.Like node);

    R onLikeRegex(Node.LikeRegex node);

    R onAffix(Node.Affix node);

    R onIsNull(Node.IsNull node);

    R onIsTruth(Node.IsTruth node);

    R onNot(Node.Not node);

    R onAnd(Node.And node);

    R onOr(Node.Or node);

    R onCall(Node.Call node);

    R onAggregate(Node.Aggregate node);
}
