package io.penstock.broker.shard.match.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.Numbers;
import java.util.List;

/**
 * From a test to the predicates one of which is true wherever the test is accepted. Where little is known that is just
 * that the field has a value: a test of no value is unknown.
 */
final class Predicates {
    private static final List<Predicate> NONE = List.of();

    private Predicates() {}

    /**
     * The predicates of a test with a field.
     *
     * @param test to be accepted.
     * @param slot of its field.
     * @return one or more; none when the test may be accepted of messages without the field.
     */
    static List<Predicate> of(final Condition.Test test, final int slot) {
        if (test.predicate() instanceof Node.IsNull) {
            final boolean isOfNull = test.accepted() == Accepted.TRUE || test.accepted() == Accepted.NOT_FALSE;
            return List.of(Predicate.of(slot, isOfNull ? PredicateKind.NULL : PredicateKind.EXISTS, true));
        }
        return switch (test.accepted()) {
            case TRUE -> ofTrue(test.predicate(), slot);
            // Of an array without elements every test is false.
            case FALSE -> exists(slot);
            case NOT_TRUE, NOT_FALSE -> NONE;
        };
    }

    /** Whether a test may lead to a range of one bound or two. */
    static boolean isOfBound(final Condition.Test test) {
        return test.accepted() == Accepted.TRUE
                && (test.predicate() instanceof Node.Comparison || test.predicate() instanceof Node.Between);
    }

    private static List<Predicate> exists(final int slot) {
        return List.of(Predicate.of(slot, PredicateKind.EXISTS, false));
    }

    private static List<Predicate> ofTrue(final Node node, final int slot) {
        if (node instanceof Node.Field) {
            return List.of(Predicate.of(slot, PredicateKind.TRUE, true));
        }
        if (node instanceof Node.Comparison comparison) {
            return comparison(comparison.operator(), comparison.right(), slot);
        }
        if (node instanceof Node.Between between) {
            return between(between.low(), between.high(), slot);
        }
        if (node instanceof Node.In in) {
            return in.items().stream().map(item -> equal(item, slot)).toList();
        }
        if (node instanceof Node.Affix affix) {
            return affix(affix, slot);
        }
        return node instanceof Node.Like like ? like(new LikeParts(like.pattern(), like.escape()), slot) : exists(slot);
    }

    private static Predicate equal(final Node literal, final int slot) {
        if (literal instanceof Node.LongLiteral number) {
            return Predicate.ofNumber(slot, PredicateKind.NUMBER, number.value());
        }
        if (literal instanceof Node.DoubleLiteral number) {
            final double value = number.value();
            return Numbers.isLong(value)
                    ? Predicate.ofNumber(slot, PredicateKind.NUMBER, (long) value)
                    : Predicate.ofNumber(slot, PredicateKind.REAL, Double.doubleToLongBits(value));
        }
        if (literal instanceof Node.BooleanLiteral truth) {
            return Predicate.of(slot, truth.value() ? PredicateKind.TRUE : PredicateKind.FALSE, true);
        }
        return Predicate.ofText(slot, PredicateKind.TEXT, text(literal), true);
    }

    private static byte[] text(final Node literal) {
        return ((Node.TextLiteral) literal).value().getBytes(UTF_8);
    }

    private static List<Predicate> comparison(final ComparisonOperator operator, final Node literal, final int slot) {
        if (operator == ComparisonOperator.EQUAL) {
            return List.of(equal(literal, slot));
        }
        if (operator == ComparisonOperator.NOT_EQUAL || literal instanceof Node.BooleanLiteral) {
            return exists(slot);
        }
        final boolean isAbove =
                operator == ComparisonOperator.GREATER || operator == ComparisonOperator.GREATER_OR_EQUAL;
        final boolean isStrict = operator == ComparisonOperator.GREATER || operator == ComparisonOperator.LESS;
        if (literal instanceof Node.TextLiteral) {
            final long key = OrderKeys.ofText(text(literal));
            return isAbove
                    ? range(slot, PredicateKind.TEXT_RANGE, key, Long.MAX_VALUE, false)
                    : range(slot, PredicateKind.TEXT_RANGE, Long.MIN_VALUE, key, false);
        }
        final boolean isExact = isExact(literal);
        final int step = isStrict && isExact ? 1 : 0;
        return isAbove
                ? range(slot, PredicateKind.RANGE, floor(literal) + step, Long.MAX_VALUE, isExact)
                : range(slot, PredicateKind.RANGE, Long.MIN_VALUE, ceiling(literal) - step, isExact);
    }

    private static List<Predicate> between(final Node low, final Node high, final int slot) {
        if (low instanceof Node.TextLiteral && high instanceof Node.TextLiteral) {
            return range(
                    slot, PredicateKind.TEXT_RANGE, OrderKeys.ofText(text(low)), OrderKeys.ofText(text(high)), false);
        }
        return isNumber(low) && isNumber(high)
                ? range(slot, PredicateKind.RANGE, floor(low), ceiling(high), isExact(low) && isExact(high))
                : exists(slot);
    }

    private static List<Predicate> range(
            final int slot, final PredicateKind kind, final long low, final long high, final boolean isExact) {
        return low <= high ? List.of(Predicate.ofRange(slot, kind, low, high, isExact)) : exists(slot);
    }

    private static boolean isNumber(final Node literal) {
        return literal instanceof Node.LongLiteral || literal instanceof Node.DoubleLiteral;
    }

    /** Whether the order of keys is the order of values next to a number. */
    private static boolean isExact(final Node literal) {
        final double value = literal instanceof Node.LongLiteral number
                ? (double) number.value()
                : ((Node.DoubleLiteral) literal).value();
        return Math.abs(value) < OrderKeys.EXACT_BOUND;
    }

    private static long floor(final Node literal) {
        return literal instanceof Node.LongLiteral number
                ? OrderKeys.of(number.value())
                : OrderKeys.of(((Node.DoubleLiteral) literal).value());
    }

    private static long ceiling(final Node literal) {
        return literal instanceof Node.LongLiteral number
                ? OrderKeys.ceilingOf(number.value())
                : OrderKeys.of(((Node.DoubleLiteral) literal).value());
    }

    private static List<Predicate> affix(final Node.Affix affix, final int slot) {
        final List<byte[]> texts =
                affix.items().stream().map(Predicates::affixText).toList();
        if (texts.stream().anyMatch(text -> text.length == 0)) {
            return exists(slot);
        }
        return texts.stream()
                .map(text -> switch (affix.operator()) {
                    case BEGINS_WITH -> Predicate.ofText(slot, PredicateKind.PREFIX, text, true);
                    case ENDS_WITH -> Predicate.ofText(slot, PredicateKind.SUFFIX, text, true);
                    case CONTAINS -> Predicate.ofText(slot, PredicateKind.CONTAINS, text, false);
                })
                .toList();
    }

    private static byte[] affixText(final Node item) {
        return item instanceof Node.TextLiteral ? text(item) : Predicate.NO_BYTES;
    }

    private static List<Predicate> like(final LikeParts parts, final int slot) {
        if (!parts.hasSigns()) {
            return List.of(Predicate.ofText(slot, PredicateKind.TEXT, parts.prefix, true));
        }
        final boolean isAffix = parts.runCount == 1 && parts.anyCount == 0;
        if (parts.prefix.length >= parts.longest.length / 2 && parts.prefix.length > 0) {
            return List.of(
                    Predicate.ofText(slot, PredicateKind.PREFIX, parts.prefix, isAffix && parts.suffix.length == 0));
        }
        if (parts.suffix.length >= parts.longest.length / 2 && parts.suffix.length > 0) {
            return List.of(
                    Predicate.ofText(slot, PredicateKind.SUFFIX, parts.suffix, isAffix && parts.prefix.length == 0));
        }
        return parts.longest.length == 0
                ? exists(slot)
                : List.of(Predicate.ofText(slot, PredicateKind.CONTAINS, parts.longest, false));
    }
}
