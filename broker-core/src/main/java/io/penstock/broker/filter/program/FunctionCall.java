package io.penstock.broker.filter.program;

import io.penstock.broker.filter.syntax.FilterFunction;
import io.penstock.broker.filter.value.Register;

/**
 * Calls a function. Of an array it gets the first element; unless it chooses among its arguments, NULL yields NULL, as do
 * texts that are too long for what is left of an evaluation's work.
 */
final class FunctionCall extends Instruction {
    private final boolean yieldsNullOfNull;
    private final FunctionBody body;
    private final Register[] arguments;

    FunctionCall(
            final Register target, final FilterFunction function, final FunctionBody body, final Register[] arguments) {
        super(target);
        this.yieldsNullOfNull = !function.isChoice();
        this.body = body;
        this.arguments = arguments;
    }

    @Override
    public void execute(final Evaluation evaluation) {
        boolean isUnknown = false;
        for (final Register argument : arguments) {
            evaluation.makeScalar(argument);
            isUnknown |= argument.isUnknown() || !evaluation.work().takeText(argument);
        }
        if (isUnknown && yieldsNullOfNull) {
            target().setNull();
        } else {
            body.apply(evaluation, arguments, target());
        }
    }
}
