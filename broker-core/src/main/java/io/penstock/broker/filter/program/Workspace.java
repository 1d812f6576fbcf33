package io.penstock.broker.filter.program;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldSet;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/**
 * What light filters of one agent share: the space that they are evaluated in, one at a time, and some of the tests that were
 * made last, as many filters have tests in common. Light filters have nothing but tests of one field each against literals,
 * so that they build no texts and do not ask for the time. Confined to one agent.
 */
public final class Workspace {
    private static final int KNOWN_COUNT = 1024;
    private static final EpochClock NO_CLOCK = () -> 0;
    private static final ProgramTest[] NO_TESTS = {};

    private final Evaluation evaluation = new Evaluation(new TextArena(0), new Work(), this);
    private final Program none = new Program(NO_TESTS, null, evaluation);
    private int programCount;

    /** By the hash of what they ask; what is in a place is replaced by what comes next. Null before the second program. */
    private ProgramTest.OfField @Nullable [] known;

    /** Starts without filters. */
    public Workspace() {}

    /** Stands for a program here that is not laid out yet. */
    public Program none() {
        return none;
    }

    /**
     * Lays out a program.
     *
     * @param condition of a light filter.
     * @param fields    that it reads.
     * @return the program, which is run here.
     */
    public Program layOut(final Condition condition, final FieldSet fields) {
        if (++programCount == 2) {
            known = new ProgramTest.OfField[KNOWN_COUNT];
        }
        return ProgramBuilder.build(condition, fields, NO_CLOCK, evaluation, this);
    }

    /** The test of a field. */
    ProgramTest test(final Node predicate, final int field) {
        final ProgramTest.OfField[] tests = known;
        if (tests == null) {
            return ProgramBuilder.ofField(predicate, field, evaluation.work());
        }
        final int hash = predicate.hashCode() * 31 + field;
        final int place = (hash ^ hash >>> 16) & KNOWN_COUNT - 1;
        final ProgramTest.OfField present = tests[place];
        if (present != null && present.isOf(predicate, field)) {
            return present;
        }
        final ProgramTest.OfField made = ProgramBuilder.ofField(predicate, field, evaluation.work());
        tests[place] = made;
        return made;
    }
}
