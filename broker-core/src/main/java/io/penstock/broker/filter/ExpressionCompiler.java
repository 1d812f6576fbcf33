package io.penstock.broker.filter;

import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.syntax.Parser;
import io.penstock.broker.filter.syntax.SourceText;
import io.penstock.format.FieldSet;
import org.agrona.concurrent.EpochClock;

/** Compiles the text of value expressions: whatever may stand as an operand in a search condition, or a condition. */
public final class ExpressionCompiler {
    static final EpochClock NO_CLOCK = () -> 0;

    private static final String SUBJECT = "expression";

    private ExpressionCompiler() {}

    /**
     * Compiles an expression. It cannot ask for the current time, so that its value is a function of the message.
     *
     * @param text   of the expression.
     * @param fields the set that the fields it reads are added to, unless they are there; a refused text adds none.
     * @param limits of the text.
     * @return the expression, owned by the caller's agent.
     * @throws FilterException when the text is not an expression, exceeds a limit, or asks for the time.
     */
    public static Expression compile(final String text, final FieldSet fields, final FilterLimits limits) {
        final Node value = value(text, limits);
        final String canonicalText = CanonicalText.of(value);
        if (!canonicalText.equals(text)) {
            CanonicalText.requireReadable(SUBJECT, () -> value(canonicalText, limits));
        }
        return new CompiledExpression(value, fields, NO_CLOCK, limits.resultLengthMax(), false);
    }

    private static Node value(final String text, final FilterLimits limits) {
        return new Parser(SourceText.of(SUBJECT, text, limits), limits, false, false).parseValue();
    }
}
