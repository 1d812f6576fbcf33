package io.penstock.broker.filter.syntax;

import io.penstock.broker.filter.syntax.Parser.Operand;
import io.penstock.broker.filter.value.AffixOperator;
import io.penstock.broker.filter.value.ComparisonOperator;
import io.penstock.broker.filter.value.LikePattern;
import io.penstock.broker.filter.value.RegexPattern;
import io.penstock.broker.filter.value.ValueKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what follows the left operand of a comparison: {@code = x}, {@code NOT IN (...)}, {@code IS NULL}. */
final class PredicateParser {
    private static final String LIKE_REGEX = "LIKE_REGEX";
    private static final String BEGINS = "BEGINS";
    private static final String ENDS = "ENDS";
    private static final String WITH = "WITH";
    private static final String CONTAINS = "CONTAINS";

    private final Parser parser;
    private final SourceText source;

    PredicateParser(final Parser parser, final SourceText source) {
        this.parser = parser;
        this.source = source;
    }

    /** Returns whether a word acts as an operator here; such words are not reserved and may name fields elsewhere. */
    static boolean isOperator(final Token token) {
        return token.isWord(LIKE_REGEX) || token.isWord(BEGINS) || token.isWord(ENDS) || token.isWord(CONTAINS);
    }

    Operand parse(final Operand left, final int start) {
        final Token token = parser.next();
        return switch (token.type()) {
            case EQUAL -> comparison(ComparisonOperator.EQUAL, left);
            case NOT_EQUAL -> comparison(ComparisonOperator.NOT_EQUAL, left);
            case LESS -> comparison(ComparisonOperator.LESS, left);
            case LESS_OR_EQUAL -> comparison(ComparisonOperator.LESS_OR_EQUAL, left);
            case GREATER -> comparison(ComparisonOperator.GREATER, left);
            case GREATER_OR_EQUAL -> comparison(ComparisonOperator.GREATER_OR_EQUAL, left);
            case IS -> is(left, start);
            case NOT -> negated(left);
            default -> Operand.condition(match(left));
        };
    }

    /** A literal on the left moves to the right, so that the same comparison has one form. */
    private Operand comparison(final ComparisonOperator operator, final Operand left) {
        parser.operandNext();
        final Operand right = parser.sum();
        if (ConstantFolder.isLiteral(left.node()) && !ConstantFolder.isLiteral(right.node())) {
            return Operand.condition(new Node.Comparison(operator.mirrored(), right.node(), left.node()));
        }
        return Operand.condition(new Node.Comparison(operator, left.node(), right.node()));
    }

    private Operand negated(final Operand left) {
        parser.operatorNext();
        return Operand.condition(new Node.Not(match(left)));
    }

    private Node match(final Operand left) {
        final Token token = parser.next();
        return switch (token.type()) {
            case BETWEEN -> between(left);
            case IN -> in(left);
            case LIKE -> like(left);
            default -> wordMatch(token, left);
        };
    }

    private Node wordMatch(final Token token, final Operand left) {
        if (token.isWord(LIKE_REGEX)) {
            return likeRegex(left);
        }
        if (token.isWord(BEGINS)) {
            requireWith();
            return affix(AffixOperator.BEGINS_WITH, left);
        }
        if (token.isWord(ENDS)) {
            requireWith();
            return affix(AffixOperator.ENDS_WITH, left);
        }
        if (token.isWord(CONTAINS)) {
            return affix(AffixOperator.CONTAINS, left);
        }
        throw parser.unexpected("BETWEEN, IN, LIKE, LIKE_REGEX, BEGINS WITH, ENDS WITH or CONTAINS");
    }

    private Node between(final Operand left) {
        parser.operandNext();
        final Node low = parser.sum().node();
        parser.requireToken(TokenType.AND);
        parser.operandNext();
        final Node high = parser.sum().node();
        return new Node.Between(left.node(), low, high);
    }

    private Node in(final Operand left) {
        parser.operatorNext();
        return new Node.In(left.node(), CanonicalList.of(parser.list(ValueKind.ANY)));
    }

    private Node like(final Operand left) {
        parser.operandNext();
        final Token pattern = text("a pattern in quotes");
        final String escape = escape();
        final String mistake = LikePattern.mistake((String) pattern.value(), escape);
        if (mistake != null) {
            throw source.refused(mistake, pattern.start(), pattern.end());
        }
        return new Node.Like(left.node(), (String) pattern.value(), escape);
    }

    private @Nullable String escape() {
        if (parser.next().type() != TokenType.ESCAPE) {
            return null;
        }
        parser.operandNext();
        final Token escape = text("an escape character in quotes");
        final String value = (String) escape.value();
        if (value.codePointCount(0, value.length()) != 1) {
            throw source.expected("one escape character", escape.start(), escape.end());
        }
        return value;
    }

    private Node likeRegex(final Operand left) {
        parser.operandNext();
        final Token pattern = text("a regular expression in quotes");
        final String mistake = RegexPattern.mistake((String) pattern.value());
        if (mistake != null) {
            throw source.refused(mistake, pattern.start(), pattern.end());
        }
        return new Node.LikeRegex(left.node(), (String) pattern.value());
    }

    private Token text(final String expectation) {
        final Token token = parser.next();
        if (token.type() != TokenType.TEXT) {
            throw parser.unexpected(expectation);
        }
        parser.operatorNext();
        return token;
    }

    private void requireWith() {
        parser.operatorNext();
        if (!parser.next().isWord(WITH)) {
            throw parser.unexpected(WITH);
        }
    }

    /** The right side is one text, or several in brackets. */
    private Node affix(final AffixOperator operator, final Operand left) {
        parser.operandNext();
        if (parser.next().type() == TokenType.OPEN) {
            return new Node.Affix(operator, left.node(), CanonicalList.of(parser.list(ValueKind.TEXT)));
        }
        final int start = parser.next().start();
        final Node item = parser.require(ValueKind.TEXT, parser.sum(), start).node();
        return new Node.Affix(operator, left.node(), List.of(item));
    }

    private Operand is(final Operand left, final int start) {
        parser.operatorNext();
        final boolean isNegated = parser.next().type() == TokenType.NOT;
        if (isNegated) {
            parser.operatorNext();
        }
        final Node test = switch (parser.next().type()) {
            case NULL -> new Node.IsNull(left.node());
            case TRUE -> isTruth(left, start, true);
            case FALSE -> isTruth(left, start, false);
            default -> throw parser.unexpected(isNegated ? "NULL, TRUE or FALSE" : "NOT, NULL, TRUE or FALSE");
        };
        parser.operatorNext();
        return Operand.condition(isNegated ? new Node.Not(test) : test);
    }

    private Node isTruth(final Operand left, final int start, final boolean truth) {
        return new Node.IsTruth(parser.require(ValueKind.CONDITION, left, start).node(), truth);
    }
}
