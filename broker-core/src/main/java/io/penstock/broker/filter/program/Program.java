package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.Truth;
import io.penstock.format.FieldReader;
import org.jspecify.annotations.Nullable;

/**
 * A condition as a flat list of tests. Each test looks for one truth value, true or false, and goes on to one of two
 * later tests, or to the end, as it finds it or not: because negations were pushed down to the tests, unknown never has
 * to be carried from one test to the next. Confined to the agent of its evaluation.
 */
public final class Program {
    /** Jump target: the message matches. */
    static final int ACCEPT = -1;
    /** Jump target: it does not. */
    static final int REJECT = -2;

    private final ProgramTest[] tests;

    /**
     * Two for each test: where it goes on when it found what it looks for, twice that, and one more when that is true; and
     * where it goes on otherwise. Null when all tests have to be true, as mostly.
     */
    private final int @Nullable [] jumps;

    private final Evaluation evaluation;

    /**
     * Takes the parts.
     *
     * @param tests      to run, the first one first.
     * @param jumps      of the tests.
     * @param evaluation that it runs in.
     */
    Program(final ProgramTest[] tests, final int @Nullable [] jumps, final Evaluation evaluation) {
        this.tests = tests;
        this.jumps = jumps;
        this.evaluation = evaluation;
    }

    /** What of a program's jumps is about one of its tests. */
    static int jump(final int asked, final int onFound) {
        return onFound << 1 | (asked == Truth.TRUE ? 1 : 0);
    }

    /** Whether it has tests: one that has none stands for one that is not laid out yet, of which the evaluation is known. */
    public boolean isLaidOut() {
        return tests.length > 0;
    }

    /** What it runs in. */
    public Evaluation evaluation() {
        return evaluation;
    }

    /**
     * Decides whether a message matches.
     *
     * @param message positioned on it.
     * @param slots   of the message's reader, by the numbers of the program's fields.
     * @return true when it does.
     */
    public boolean run(final FieldReader message, final int[] slots) {
        evaluation.begin(message, slots);
        return jumps == null ? areAllTrue() : run(jumps);
    }

    private boolean areAllTrue() {
        for (final ProgramTest test : tests) {
            if (test.truth(evaluation) != Truth.TRUE) {
                return false;
            }
        }
        return true;
    }

    private boolean run(final int[] targets) {
        int at = 0;
        while (at >= 0) {
            final int onFound = targets[2 * at];
            final int asked = (onFound & 1) != 0 ? Truth.TRUE : Truth.FALSE;
            at = tests[at].truth(evaluation) == asked ? onFound >> 1 : targets[2 * at + 1];
        }
        return at == ACCEPT;
    }
}
