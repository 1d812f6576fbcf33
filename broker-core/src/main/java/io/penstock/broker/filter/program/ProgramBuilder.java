package io.penstock.broker.filter.program;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/** Lays a condition out as a {@link Program}: one entry for each of its tests, in their order. */
public final class ProgramBuilder {
    private final FieldSet fields;
    private final Evaluation evaluation;
    private final @Nullable Workspace shared;
    private final ExpressionBuilder expressions;
    private final List<Entry> entries = new ArrayList<>();

    private ProgramBuilder(
            final FieldSet fields,
            final EpochClock clock,
            final Evaluation evaluation,
            final @Nullable Workspace shared) {
        this.fields = fields;
        this.evaluation = evaluation;
        this.shared = shared;
        this.expressions = new ExpressionBuilder(fields, clock, evaluation.work());
    }

    /**
     * Builds the program of a condition.
     *
     * @param condition  in normal form.
     * @param fields     the set that the fields it reads are added to.
     * @param clock      read by functions of the current time.
     * @param evaluation that it runs in.
     * @return the program.
     */
    public static Program build(
            final Condition condition, final FieldSet fields, final EpochClock clock, final Evaluation evaluation) {
        return build(condition, fields, clock, evaluation, null);
    }

    /** Builds the program of a condition, with tests that others have if there is something shared. */
    static Program build(
            final Condition condition,
            final FieldSet fields,
            final EpochClock clock,
            final Evaluation evaluation,
            final @Nullable Workspace shared) {
        final ProgramBuilder builder = new ProgramBuilder(fields, clock, evaluation, shared);
        builder.ask(condition, new Label(Program.ACCEPT), new Label(Program.REJECT));
        return builder.program();
    }

    private Program program() {
        final ProgramTest[] tests = new ProgramTest[entries.size()];
        final int[] jumps = new int[2 * tests.length];
        boolean areAllToBeTrue = true;
        for (int i = 0; i < tests.length; i++) {
            final Entry entry = entries.get(i);
            final int onFound = entry.onFound().target;
            final int onOther = entry.onOther().target;
            tests[i] = entry.test();
            jumps[2 * i] = Program.jump(entry.asked(), onFound);
            jumps[2 * i + 1] = onOther;
            areAllToBeTrue &= entry.asked() == Truth.TRUE
                    && onFound == (i + 1 < tests.length ? i + 1 : Program.ACCEPT)
                    && onOther == Program.REJECT;
        }
        return new Program(tests, areAllToBeTrue ? null : jumps, evaluation);
    }

    /** Lays out whether a condition holds, and where to go on then and otherwise. */
    private void ask(final Condition condition, final Label onHeld, final Label onOther) {
        if (condition instanceof Condition.All all) {
            askAll(all.operands(), true, onHeld, onOther);
        } else if (condition instanceof Condition.Any any) {
            askAll(any.operands(), false, onHeld, onOther);
        } else if (condition instanceof Condition.Test test) {
            final boolean isComplement = test.accepted().isComplement();
            entries.add(new Entry(
                    test(test),
                    test.accepted().asked(),
                    isComplement ? onOther : onHeld,
                    isComplement ? onHeld : onOther));
        }
    }

    /** Asks several conditions: until the first that does not hold, or until the first that does. */
    private void askAll(
            final List<Condition> operands, final boolean isOfAll, final Label onHeld, final Label onOther) {
        final int last = operands.size() - 1;
        for (int i = 0; i < last; i++) {
            final Label next = new Label(0);
            ask(operands.get(i), isOfAll ? next : onHeld, isOfAll ? onOther : next);
            next.target = entries.size();
        }
        ask(operands.get(last), onHeld, onOther);
    }

    private ProgramTest test(final Condition.Test test) {
        final Node node = test.predicate();
        if (node instanceof Node.BooleanLiteral literal) {
            return new ProgramTest.Constant(literal.value());
        }
        final FieldPath field = test.field();
        if (field == null) {
            final Register result = expressions.condition(node);
            return new ProgramTest.OfExpression(expressions.takeInstructions(), result);
        }
        final int slot = fields.slotOf(field);
        if (node instanceof Node.IsNull) {
            return new ProgramTest.IsNull(slot);
        }
        return shared == null ? ofField(node, slot, evaluation.work()) : shared.test(node, slot);
    }

    /** A test of one field. */
    static ProgramTest.OfField ofField(final Node predicate, final int field, final Work work) {
        return new ProgramTest.OfField(
                predicate,
                field,
                predicate instanceof Node.Field ? Instructions.CONDITION : FixedTests.test(predicate, work));
    }

    /** A place to jump to, known when what stands there is laid out. */
    private static final class Label {
        private int target;

        Label(final int target) {
            this.target = target;
        }
    }

    private record Entry(ProgramTest test, int asked, Label onFound, Label onOther) {}
}
