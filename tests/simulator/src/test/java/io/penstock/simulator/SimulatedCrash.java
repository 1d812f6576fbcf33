package io.penstock.simulator;

/** The machine or the process ends in the middle of an operation on its disk. */
final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1;

    SimulatedCrash() {
        super("crash", null, false, false);
    }
}
