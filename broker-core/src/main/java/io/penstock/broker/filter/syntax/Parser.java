package io.penstock.broker.filter.syntax;

import io.penstock.broker.filter.value.ArithmeticOperator;
import io.penstock.broker.filter.value.ValueKind;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads a filter's text into a tree by operator precedence (Pratt): OR, AND, NOT, the comparisons, plus and minus,
 * multiplication, signs. Comparisons do not chain. Kinds that are certain from the text are checked here, where the
 * positions are known.
 */
public final class Parser {
    private static final int LOWEST = 0;
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int COMPARISON = 4;
    private static final int SUM = 5;
    private static final int PRODUCT = 6;

    private final SourceText source;
    private final FilterLimits limits;
    private final Lexer lexer;
    private final PredicateParser predicates;
    private final CallParser calls;
    private Token next;
    private int depth;

    /**
     * Prepares to read a text.
     *
     * @param hasClock      whether functions of the current time may be called.
     * @param hasAggregates whether functions of a group of messages may be called.
     */
    public Parser(
            final SourceText source, final FilterLimits limits, final boolean hasClock, final boolean hasAggregates) {
        this(source, limits, hasClock, hasAggregates, null);
    }

    /**
     * Prepares to read a text that may name attributes of a user.
     *
     * @param hasClock      whether functions of the current time may be called.
     * @param hasAggregates whether functions of a group of messages may be called.
     * @param attributes    gives the value of each that is named; null when none may be.
     */
    public Parser(
            final SourceText source,
            final FilterLimits limits,
            final boolean hasClock,
            final boolean hasAggregates,
            final @Nullable UnaryOperator<String> attributes) {
        this.source = source;
        this.limits = limits;
        this.lexer = new Lexer(source, limits.tokenCountMax());
        this.predicates = new PredicateParser(this, source);
        this.calls = new CallParser(this, source, hasClock, hasAggregates, attributes);
        this.next = lexer.operand();
    }

    /** Reads the whole text as one condition. */
    public Node parse() {
        final int start = next.start();
        final Operand condition = expression(LOWEST);
        if (next.type() != TokenType.END) {
            throw unexpected("an operator or the end");
        }
        return require(ValueKind.CONDITION, condition, start).node();
    }

    /** Reads the whole text as one value. */
    public Node parseValue() {
        final Operand value = value();
        if (next.type() != TokenType.END) {
            throw unexpected("an operator or the end");
        }
        return value.node();
    }

    /** Reads as much as is one value. */
    Operand value() {
        return expression(LOWEST);
    }

    Token next() {
        return next;
    }

    /** Steps over the current token to where an operand may start. */
    void operandNext() {
        next = lexer.operand();
    }

    /** Steps over the current token to where an operator may stand. */
    void operatorNext() {
        next = lexer.operator();
    }

    FilterException unexpected(final String expectation) {
        return source.expected(expectation, next.start(), Math.max(next.end(), next.start() + 1));
    }

    void requireToken(final TokenType type) {
        if (next.type() != type) {
            throw unexpected(type.description());
        }
    }

    /** Checks that what was read from a position on may stand where a kind is asked for. */
    Operand require(final ValueKind kind, final Operand operand, final int start) {
        if (!kind.admits(operand.kind())) {
            throw source.expected(kind.description(), start, next.start());
        }
        return operand;
    }

    /** Reads an operand of a comparison. */
    Operand sum() {
        return expression(COMPARISON);
    }

    /** Reads what binds tighter than a power. */
    Operand expression(final int power) {
        depth++;
        if (depth > limits.depthMax()) {
            throw source.refused("nested deeper than " + limits.depthMax(), next.start(), next.end());
        }
        final int start = next.start();
        Operand left = prefix();
        int chainCount = 0;
        boolean isCompared = false;
        while (true) {
            final int found = power(next);
            if (found <= power) {
                break;
            }
            if (found == COMPARISON) {
                if (isCompared && next.type() != TokenType.IS) {
                    throw source.refused("comparisons do not chain (use brackets)", next.start(), next.end());
                }
                isCompared = true;
            } else if (found > COMPARISON && depth + ++chainCount > limits.depthMax()) {
                throw source.refused("nested deeper than " + limits.depthMax(), next.start(), next.end());
            }
            left = infix(left, start, found);
        }
        depth--;
        return left;
    }

    private int power(final Token token) {
        return switch (token.type()) {
            case OR -> OR;
            case AND -> AND;
            case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> COMPARISON;
            case NOT, BETWEEN, IN, LIKE, IS -> COMPARISON;
            case WORD -> PredicateParser.isOperator(token) ? COMPARISON : LOWEST;
            case PLUS, MINUS, CONCATENATE -> SUM;
            case MULTIPLY, DIVIDE, REMAINDER -> PRODUCT;
            default -> LOWEST;
        };
    }

    private Operand infix(final Operand left, final int start, final int power) {
        return switch (power) {
            case OR, AND -> junction(left, start, power);
            case COMPARISON -> predicates.parse(left, start);
            default -> arithmetic(left, start, power);
        };
    }

    /** Reads all operands of a row of ANDs, or of ORs, into one node. */
    private Operand junction(final Operand first, final int start, final int power) {
        final TokenType type = next.type();
        final List<Node> operands = new ArrayList<>();
        add(operands, require(ValueKind.CONDITION, first, start).node(), power);
        while (next.type() == type) {
            operandNext();
            final int operandStart = next.start();
            add(
                    operands,
                    require(ValueKind.CONDITION, expression(power), operandStart)
                            .node(),
                    power);
        }
        return Operand.condition(power == AND ? new Node.And(operands) : new Node.Or(operands));
    }

    /** Brackets around a row within a row of the same kind mean nothing. */
    private static void add(final List<Node> operands, final Node operand, final int power) {
        if (power == AND && operand instanceof Node.And and) {
            operands.addAll(and.operands());
        } else if (power == OR && operand instanceof Node.Or or) {
            operands.addAll(or.operands());
        } else {
            operands.add(operand);
        }
    }

    private Operand arithmetic(final Operand left, final int start, final int power) {
        final ArithmeticOperator operator = operator(next.type());
        operandNext();
        final int rightStart = next.start();
        final Operand right = expression(power);
        final ValueKind kind = switch (operator) {
            case CONCATENATE -> ValueKind.TEXT;
            case ADD -> sumKind(left.kind(), right.kind());
            default -> ValueKind.NUMBER;
        };
        require(kind, left, start);
        require(kind, right, rightStart);
        final Node folded = ConstantFolder.fold(new Node.Arithmetic(operator, left.node(), right.node()));
        return new Operand(folded, kind);
    }

    /** Plus adds numbers and joins texts; a condition has no sum. */
    private static ValueKind sumKind(final ValueKind left, final ValueKind right) {
        if (left == ValueKind.TEXT || right == ValueKind.TEXT) {
            return ValueKind.TEXT;
        }
        return left == ValueKind.ANY && right == ValueKind.ANY ? ValueKind.ANY : ValueKind.NUMBER;
    }

    private static ArithmeticOperator operator(final TokenType type) {
        return switch (type) {
            case PLUS -> ArithmeticOperator.ADD;
            case MINUS -> ArithmeticOperator.SUBTRACT;
            case CONCATENATE -> ArithmeticOperator.CONCATENATE;
            case MULTIPLY -> ArithmeticOperator.MULTIPLY;
            case DIVIDE -> ArithmeticOperator.DIVIDE;
            case REMAINDER -> ArithmeticOperator.REMAINDER;
            default -> throw new AssertionError(type);
        };
    }

    private Operand prefix() {
        final Token token = next;
        return switch (token.type()) {
            case NOT -> negation();
            case PLUS, MINUS -> sign(token.type() == TokenType.MINUS);
            case OPEN -> bracketed();
            case WORD -> named(token);
            case PATH -> leaf(KnownFields.of((FieldPath) token.value()), ValueKind.ANY);
            case TEXT -> leaf(new Node.TextLiteral((String) token.value()), ValueKind.TEXT);
            case NUMBER -> leaf((Node) token.value(), ValueKind.NUMBER);
            case TRUE, FALSE -> leaf(new Node.BooleanLiteral(token.type() == TokenType.TRUE), ValueKind.CONDITION);
            case NULL -> throw unexpected("a value (NULL stands only after IS or IS NOT)");
            default -> throw unexpected("a value");
        };
    }

    private Operand leaf(final Node node, final ValueKind kind) {
        operatorNext();
        return new Operand(node, kind);
    }

    private Operand negation() {
        operandNext();
        final int start = next.start();
        return Operand.condition(new Node.Not(
                require(ValueKind.CONDITION, expression(NOT), start).node()));
    }

    private Operand sign(final boolean isMinus) {
        operandNext();
        final int start = next.start();
        final Operand operand = require(ValueKind.NUMBER, expression(PRODUCT), start);
        return new Operand(ConstantFolder.fold(new Node.Sign(isMinus, operand.node())), ValueKind.NUMBER);
    }

    private Operand bracketed() {
        operandNext();
        final Operand inner = expression(LOWEST);
        requireToken(TokenType.CLOSE);
        operatorNext();
        return inner;
    }

    private Operand named(final Token name) {
        operatorNext();
        if (next.type() != TokenType.OPEN) {
            return new Operand(KnownFields.of(FieldPath.of((String) name.value())), ValueKind.ANY);
        }
        return calls.parse(name);
    }

    /** Reads a list in brackets. */
    List<Node> list(final ValueKind kind) {
        requireToken(TokenType.OPEN);
        final List<Node> items = new ArrayList<>();
        do {
            operandNext();
            requireRoom(items);
            final int start = next.start();
            items.add(require(kind, expression(LOWEST), start).node());
        } while (next.type() == TokenType.COMMA);
        requireToken(TokenType.CLOSE);
        operatorNext();
        return items;
    }

    void requireRoom(final List<?> items) {
        if (items.size() == limits.listCountMax()) {
            throw source.refused("a list of more than " + limits.listCountMax() + " items", next.start(), next.end());
        }
    }

    /**
     * A piece of the tree with its kind.
     *
     * @param node the piece.
     * @param kind of its value.
     */
    record Operand(Node node, ValueKind kind) {
        static Operand condition(final Node node) {
            return new Operand(node, ValueKind.CONDITION);
        }
    }
}
