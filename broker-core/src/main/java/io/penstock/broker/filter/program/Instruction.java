package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.Register;

/** A step of a program that computes one value from values computed before. */
public abstract class Instruction {
    private final Register target;

    Instruction(final Register target) {
        this.target = target;
    }

    /** Where the value goes. */
    final Register target() {
        return target;
    }

    public abstract void execute(Evaluation evaluation);
}
