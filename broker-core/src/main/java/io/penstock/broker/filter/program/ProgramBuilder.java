package io.penstock.broker.filter.program;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.EpochClock;

/** Lays a condition out as a {@link Program}: one entry for each of its tests, in their order. */
public final class ProgramBuilder {
    private final FieldSet fields;
    private final Work work;
    private final ExpressionBuilder expressions;
    private final List<Entry> entries = new ArrayList<>();

    private ProgramBuilder(final FieldSet fields, final EpochClock clock, final Work work) {
        this.fields = fields;
        this.work = work;
        this.expressions = new ExpressionBuilder(fields, clock, work);
    }

    /**
     * Builds the program of a condition.
     *
     * @param condition in normal form.
     * @param fields    the set that the fields it reads are added to.
     * @param clock     read by functions of the current time.
     * @param work      of the evaluations.
     */
    public static Program build(
            final Condition condition, final FieldSet fields, final EpochClock clock, final Work work) {
        final ProgramBuilder builder = new ProgramBuilder(fields, clock, work);
        builder.ask(condition, new Label(Program.ACCEPT), new Label(Program.REJECT));
        return builder.program();
    }

    private Program program() {
        return new Program(
                entries.stream().map(Entry::test).toArray(ProgramTest[]::new),
                entries.stream().mapToInt(Entry::asked).toArray(),
                entries.stream().mapToInt(entry -> entry.onFound().target).toArray(),
                entries.stream().mapToInt(entry -> entry.onOther().target).toArray());
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
        return new ProgramTest.OfField(
                slot, node instanceof Node.Field ? Instructions.CONDITION : FixedTests.test(node, work));
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
