package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.Register;

/** The body of a function. */
interface FunctionBody {
    /**
     * Computes the result.
     *
     * @param evaluation that it is part of, for texts to be built in.
     * @param arguments  none of which is an array.
     * @param target     of the result, and none of the arguments.
     */
    void apply(Evaluation evaluation, Register[] arguments, Register target);
}
