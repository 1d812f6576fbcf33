package io.penstock.broker.filter.syntax;

import io.penstock.format.FieldPath;
import java.util.List;
import java.util.Locale;

/** Writes a tree as text that reads as the same tree: upper-case keywords, single spaces, no brackets to spare. */
public final class CanonicalText implements NodeVisitor<StringBuilder> {
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int COMPARISON = 4;
    private static final int SUM = 5;
    private static final int PRODUCT = 6;
    private static final int SIGN = 7;
    private static final int ATOM = 8;

    private final StringBuilder text = new StringBuilder();

    private CanonicalText() {}

    public static String of(final Node node) {
        final CanonicalText writer = new CanonicalText();
        node.accept(writer);
        return writer.text.toString();
    }

    /** A name as it stands after AS. */
    static String ofName(final String name) {
        return Lexer.isName(name) ? name : new CanonicalText().quote(name, '"').toString();
    }

    /**
     * Makes sure that a kept canonical text can be read again under the same limits: it is a little longer than its
     * source.
     *
     * @param subject of the refusals.
     * @param reading of the canonical text.
     */
    public static void requireReadable(final String subject, final Runnable reading) {
        try {
            reading.run();
        } catch (final FilterException e) {
            final String reason = String.valueOf(e.getMessage()).substring(subject.length() + 2);
            throw new FilterException(subject + ": in its canonical form " + reason, e.position());
        }
    }

    private static int power(final Node node) {
        if (node instanceof Node.Or) {
            return OR;
        }
        if (node instanceof Node.And) {
            return AND;
        }
        if (node instanceof Node.Not not) {
            return isNegatable(not.operand()) ? COMPARISON : NOT;
        }
        if (node instanceof Node.Arithmetic arithmetic) {
            return switch (arithmetic.operator()) {
                case ADD, SUBTRACT, CONCATENATE -> SUM;
                case MULTIPLY, DIVIDE, REMAINDER -> PRODUCT;
            };
        }
        if (node instanceof Node.Sign) {
            return SIGN;
        }
        return isAtom(node) ? ATOM : COMPARISON;
    }

    private static boolean isAtom(final Node node) {
        return ConstantFolder.isLiteral(node)
                || node instanceof Node.Field
                || node instanceof Node.Call
                || node instanceof Node.Aggregate;
    }

    /** Conditions that take NOT in their middle. */
    private static boolean isNegatable(final Node node) {
        return node instanceof Node.Between
                || node instanceof Node.In
                || node instanceof Node.Like
                || node instanceof Node.LikeRegex
                || node instanceof Node.Affix
                || node instanceof Node.IsNull
                || node instanceof Node.IsTruth;
    }

    /** Writes a part, in brackets when it binds less than its place asks for. */
    private void write(final Node node, final int powerMin) {
        if (power(node) < powerMin) {
            text.append('(');
            node.accept(this);
            text.append(')');
        } else {
            node.accept(this);
        }
    }

    private void writeAll(final List<Node> nodes, final String separator, final int powerMin) {
        for (int i = 0; i < nodes.size(); i++) {
            text.append(i == 0 ? "" : separator);
            write(nodes.get(i), powerMin);
        }
    }

    private StringBuilder quote(final String value, final char quote) {
        text.append(quote);
        for (int i = 0; i < value.length(); i++) {
            text.append(value.charAt(i));
            if (value.charAt(i) == quote) {
                text.append(quote);
            }
        }
        text.append(quote);
        return text;
    }

    @Override
    public StringBuilder onBoolean(final Node.BooleanLiteral node) {
        text.append(node.value() ? "TRUE" : "FALSE");
        return text;
    }

    @Override
    public StringBuilder onLong(final Node.LongLiteral node) {
        text.append(node.value());
        return text;
    }

    @Override
    public StringBuilder onDouble(final Node.DoubleLiteral node) {
        text.append(node.value());
        return text;
    }

    @Override
    public StringBuilder onText(final Node.TextLiteral node) {
        return quote(node.value(), '\'');
    }

    @Override
    public StringBuilder onField(final Node.Field node) {
        if (node.path().isHeader()) {
            return text.append(node.path());
        }
        final List<FieldPath.Step> steps = node.path().steps();
        final FieldPath.Step first = steps.get(0);
        final boolean isName = Lexer.isName(first.name());
        if (steps.size() == 1 && (isName || !Lexer.isPathName(first.name()))) {
            writeStep(first, isName);
            return text;
        }
        for (final FieldPath.Step step : steps) {
            text.append('/');
            writeStep(step, Lexer.isPathName(step.name()));
        }
        return text;
    }

    private void writeStep(final FieldPath.Step step, final boolean isBare) {
        if (isBare) {
            text.append(step.name());
        } else {
            quote(step.name(), '"');
        }
        if (step.index() != FieldPath.Step.NO_INDEX) {
            text.append('[').append(step.index()).append(']');
        }
    }

    @Override
    public StringBuilder onSign(final Node.Sign node) {
        text.append(node.isMinus() ? '-' : '+');
        write(node.operand(), SIGN);
        return text;
    }

    @Override
    public StringBuilder onArithmetic(final Node.Arithmetic node) {
        final int power = power(node);
        write(node.left(), power);
        text.append(' ').append(node.operator().sign()).append(' ');
        write(node.right(), power + 1);
        return text;
    }

    @Override
    public StringBuilder onComparison(final Node.Comparison node) {
        write(node.left(), SUM);
        text.append(' ').append(node.operator().sign()).append(' ');
        write(node.right(), SUM);
        return text;
    }

    @Override
    public StringBuilder onBetween(final Node.Between node) {
        return onBetween(node, "");
    }

    private StringBuilder onBetween(final Node.Between node, final String not) {
        write(node.operand(), SUM);
        text.append(not).append(" BETWEEN ");
        write(node.low(), SUM);
        text.append(" AND ");
        write(node.high(), SUM);
        return text;
    }

    @Override
    public StringBuilder onIn(final Node.In node) {
        return onIn(node, "");
    }

    private StringBuilder onIn(final Node.In node, final String not) {
        write(node.operand(), SUM);
        text.append(not).append(" IN (");
        writeAll(node.items(), ", ", 0);
        text.append(')');
        return text;
    }

    @Override
    public StringBuilder onLike(final Node.Like node) {
        return onLike(node, "");
    }

    private StringBuilder onLike(final Node.Like node, final String not) {
        write(node.operand(), SUM);
        text.append(not).append(" LIKE ");
        quote(node.pattern(), '\'');
        final String escape = node.escape();
        if (escape != null) {
            text.append(" ESCAPE ");
            quote(escape, '\'');
        }
        return text;
    }

    @Override
    public StringBuilder onLikeRegex(final Node.LikeRegex node) {
        return onLikeRegex(node, "");
    }

    private StringBuilder onLikeRegex(final Node.LikeRegex node, final String not) {
        write(node.operand(), SUM);
        text.append(not).append(" LIKE_REGEX ");
        return quote(node.pattern(), '\'');
    }

    @Override
    public StringBuilder onAffix(final Node.Affix node) {
        return onAffix(node, "");
    }

    private StringBuilder onAffix(final Node.Affix node, final String not) {
        write(node.operand(), SUM);
        text.append(not).append(' ').append(node.operator().words()).append(" (");
        writeAll(node.items(), ", ", 0);
        text.append(')');
        return text;
    }

    @Override
    public StringBuilder onIsNull(final Node.IsNull node) {
        return onIs(node.operand(), " IS NULL");
    }

    @Override
    public StringBuilder onIsTruth(final Node.IsTruth node) {
        return onIs(node.operand(), node.truth() ? " IS TRUE" : " IS FALSE");
    }

    /** A row of such tests reads from left to right without brackets. */
    private StringBuilder onIs(final Node operand, final String test) {
        final Node tested = operand instanceof Node.Not not ? not.operand() : operand;
        final boolean isTest = tested instanceof Node.IsNull || tested instanceof Node.IsTruth;
        write(operand, isTest ? COMPARISON : SUM);
        text.append(test);
        return text;
    }

    @Override
    public StringBuilder onNot(final Node.Not node) {
        final Node operand = node.operand();
        if (operand instanceof Node.Between between) {
            return onBetween(between, " NOT");
        } else if (operand instanceof Node.In in) {
            return onIn(in, " NOT");
        } else if (operand instanceof Node.Like like) {
            return onLike(like, " NOT");
        } else if (operand instanceof Node.LikeRegex regex) {
            return onLikeRegex(regex, " NOT");
        } else if (operand instanceof Node.Affix affix) {
            return onAffix(affix, " NOT");
        } else if (operand instanceof Node.IsNull is) {
            return onIs(is.operand(), " IS NOT NULL");
        } else if (operand instanceof Node.IsTruth is) {
            return onIs(is.operand(), is.truth() ? " IS NOT TRUE" : " IS NOT FALSE");
        }
        text.append("NOT ");
        write(operand, NOT);
        return text;
    }

    @Override
    public StringBuilder onAnd(final Node.And node) {
        writeAll(node.operands(), " AND ", NOT);
        return text;
    }

    @Override
    public StringBuilder onOr(final Node.Or node) {
        writeAll(node.operands(), " OR ", AND);
        return text;
    }

    @Override
    public StringBuilder onCall(final Node.Call node) {
        text.append(node.function().name().toUpperCase(Locale.ROOT)).append('(');
        writeAll(node.arguments(), ", ", 0);
        text.append(')');
        return text;
    }

    @Override
    public StringBuilder onAggregate(final Node.Aggregate node) {
        text.append(node.function().start());
        final int start = text.length();
        if (node.argument() == null) {
            text.append('*');
        } else {
            write(node.argument(), 0);
            quoteDistinct(start);
        }
        text.append(')');
        return text;
    }

    /** A field of that name at the start of an argument would be read as the word. */
    private void quoteDistinct(final int start) {
        final int end = start + CallParser.DISTINCT.length();
        if (end <= text.length()
                && text.substring(start, end).equalsIgnoreCase(CallParser.DISTINCT)
                && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)))) {
            text.insert(end, '"').insert(start, '"');
        }
    }
}
