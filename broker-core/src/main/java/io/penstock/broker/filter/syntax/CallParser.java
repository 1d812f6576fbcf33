package io.penstock.broker.filter.syntax;

import io.penstock.broker.filter.syntax.Parser.Operand;
import io.penstock.broker.filter.value.ValueKind;
import io.penstock.format.FieldPath;
import io.penstock.format.header.HeaderLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads what follows a name and a bracket: {@code UPPER(x)}, {@code COUNT(*)}, {@code HEADER('name')}, {@code USER('name')}. */
final class CallParser {
    private static final String HEADER = "HEADER";
    private static final String USER = "USER";

    /** Before the argument of an aggregate: only different values count. */
    static final String DISTINCT = "DISTINCT";

    private final Parser parser;
    private final SourceText source;
    private final boolean hasClock;
    private final boolean hasAggregates;
    private final @Nullable UnaryOperator<String> attributes;
    private int aggregateCount;

    /**
     * Prepares to read calls.
     *
     * @param hasClock      whether functions of the current time may be called.
     * @param hasAggregates whether functions of a group of messages may be called.
     * @param attributes    gives the value of each attribute of a user that is named; null when none may be.
     */
    CallParser(
            final Parser parser,
            final SourceText source,
            final boolean hasClock,
            final boolean hasAggregates,
            final @Nullable UnaryOperator<String> attributes) {
        this.parser = parser;
        this.source = source;
        this.hasClock = hasClock;
        this.hasAggregates = hasAggregates;
        this.attributes = attributes;
    }

    /** Reads the call of a name, from the bracket on. */
    Operand parse(final Token name) {
        if (name.isWord(HEADER)) {
            return header();
        }
        if (name.isWord(USER) && attributes != null) {
            return attribute(attributes);
        }
        final AggregateFunction aggregate = hasAggregates ? AggregateFunction.named((String) name.value()) : null;
        final FilterFunction function = FilterFunction.named((String) name.value());
        if (function == null) {
            return aggregate != null ? aggregate(aggregate, name) : unknown(name);
        }
        final int outerAggregateCount = aggregateCount;
        final List<Node> arguments = new ArrayList<>();
        parser.operandNext();
        if (parser.next().type() != TokenType.CLOSE) {
            arguments(function, arguments);
        }
        parser.requireToken(TokenType.CLOSE);
        if (aggregate != null && arguments.size() == 1) {
            return aggregate(aggregate, arguments.get(0), outerAggregateCount, name);
        }
        if (arguments.size() < function.argumentCountMin() || arguments.size() > function.argumentCountMax()) {
            throw source.expected(function.argumentCountText() + " arguments", name.start(), end());
        }
        if (function == FilterFunction.UNIX_TIMESTAMP && arguments.isEmpty() && !hasClock) {
            throw source.refused("the current time is not known here", name.start(), end());
        }
        parser.operatorNext();
        return new Operand(new Node.Call(function, arguments), function.result());
    }

    private int end() {
        return parser.next().end();
    }

    /** Reads the name of a header, from the bracket on. */
    private Operand header() {
        parser.operandNext();
        final Token name = parser.next();
        if (name.type() != TokenType.TEXT) {
            throw parser.unexpected("a header's name in single quotes");
        }
        final String wrong = HeaderLayout.checkName((String) name.value());
        if (wrong != null) {
            throw source.refused(wrong, name.start(), name.end());
        }
        parser.operatorNext();
        parser.requireToken(TokenType.CLOSE);
        final Node field = KnownFields.of(FieldPath.ofHeader((String) name.value()));
        parser.operatorNext();
        return new Operand(field, ValueKind.ANY);
    }

    /** Reads the name of an attribute, from the bracket on, and puts its value in its place. */
    private Operand attribute(final UnaryOperator<String> values) {
        parser.operandNext();
        final Token name = parser.next();
        if (name.type() != TokenType.TEXT) {
            throw parser.unexpected("an attribute's name in single quotes");
        }
        parser.operatorNext();
        parser.requireToken(TokenType.CLOSE);
        final Node value = new Node.TextLiteral(values.apply((String) name.value()));
        parser.operatorNext();
        return new Operand(value, ValueKind.TEXT);
    }

    private Operand unknown(final Token name) {
        throw source.refused(
                "no function of that name (there are "
                        + (hasAggregates ? AggregateFunction.names() + ", " : "")
                        + FilterFunction.names() + ", " + HEADER + ")",
                name.start(),
                name.end());
    }

    /** Reads what an aggregate is of: one value, or all messages. */
    private Operand aggregate(final AggregateFunction named, final Token name) {
        final int outerAggregateCount = aggregateCount;
        parser.operandNext();
        final AggregateFunction function = parser.next().isWord(DISTINCT) ? distinct(named) : named;
        Node argument = null;
        if (function == AggregateFunction.COUNT && parser.next().type() == TokenType.MULTIPLY) {
            parser.operatorNext();
        } else {
            final int start = parser.next().start();
            argument =
                    parser.require(function.argument(), parser.value(), start).node();
        }
        parser.requireToken(TokenType.CLOSE);
        return aggregate(function, argument, outerAggregateCount, name);
    }

    /** Steps over the word DISTINCT. */
    private AggregateFunction distinct(final AggregateFunction named) {
        final Token word = parser.next();
        if (named != AggregateFunction.COUNT) {
            throw source.refused(
                    "DISTINCT stands in COUNT alone (put the name of a field in double quotes)",
                    word.start(),
                    word.end());
        }
        parser.operandNext();
        return AggregateFunction.COUNT_DISTINCT;
    }

    private Operand aggregate(
            final AggregateFunction function,
            final @Nullable Node argument,
            final int outerAggregateCount,
            final Token name) {
        if (aggregateCount > outerAggregateCount) {
            throw source.refused("an aggregate within an aggregate", name.start(), end());
        }
        aggregateCount++;
        parser.operatorNext();
        return new Operand(new Node.Aggregate(function, argument), function.result());
    }

    private void arguments(final FilterFunction function, final List<Node> arguments) {
        while (true) {
            parser.requireRoom(arguments);
            final int start = parser.next().start();
            final ValueKind kind = function.argument(arguments.size());
            arguments.add(parser.require(kind, parser.value(), start).node());
            if (parser.next().type() != TokenType.COMMA) {
                return;
            }
            parser.operandNext();
        }
    }
}
