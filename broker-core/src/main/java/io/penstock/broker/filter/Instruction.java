package io.penstock.broker.filter;

/** A step of a program that computes one value from values computed before. */
abstract class Instruction {
    private final Register target;

    Instruction(final Register target) {
        this.target = target;
    }

    /** Where the value goes. */
    final Register target() {
        return target;
    }

    abstract void execute(Evaluation evaluation);
}
