package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.Truth;

/**
 * A condition as a flat list of tests. Each test looks for one truth value, true or false, and goes on to one of two
 * later tests, or to the end, as it finds it or not: because negations were pushed down to the tests, unknown never has
 * to be carried from one test to the next.
 */
public final class Program {
    /** Jump target: the message matches. */
    static final int ACCEPT = -1;
    /** Jump target: it does not. */
    static final int REJECT = -2;

    private final ProgramTest[] tests;
    private final int[] asked;
    private final int[] onFound;
    private final int[] onOther;

    /**
     * Takes the parts, one entry of each array per test.
     *
     * @param tests   to run, the first one first.
     * @param asked  the {@link Truth} that each is compared with.
     * @param onFound where each goes on when that is what it found.
     * @param onOther where it goes on otherwise.
     */
    Program(final ProgramTest[] tests, final int[] asked, final int[] onFound, final int[] onOther) {
        this.tests = tests;
        this.asked = asked;
        this.onFound = onFound;
        this.onOther = onOther;
    }

    public boolean run(final Evaluation evaluation) {
        int at = 0;
        while (at >= 0) {
            at = tests[at].truth(evaluation) == asked[at] ? onFound[at] : onOther[at];
        }
        return at == ACCEPT;
    }
}
