package io.penstock.broker.filter.program;

import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.EpochClock;

/**
 * Lays a condition's tree out as a {@link Program}. To ask whether NOT x is true is to ask whether x is false; whether
 * x AND y is false, whether either is: so every question ends at tests that look for one truth value.
 */
public final class ProgramBuilder {
    private final FieldSet fields;
    private final ExpressionBuilder expressions;
    private final List<Entry> entries = new ArrayList<>();

    private ProgramBuilder(final FieldSet fields, final EpochClock clock) {
        this.fields = fields;
        this.expressions = new ExpressionBuilder(fields, clock);
    }

    public static Program build(final Node condition, final FieldSet fields, final EpochClock clock) {
        final ProgramBuilder builder = new ProgramBuilder(fields, clock);
        builder.ask(condition, Truth.TRUE, new Label(Program.ACCEPT), new Label(Program.REJECT));
        return builder.program();
    }

    private Program program() {
        return new Program(
                entries.stream().map(Entry::test).toArray(ProgramTest[]::new),
                entries.stream().mapToInt(Entry::wanted).toArray(),
                entries.stream().mapToInt(entry -> entry.onFound().target).toArray(),
                entries.stream().mapToInt(entry -> entry.onOther().target).toArray());
    }

    /** Lays out the question whether a condition has a truth value, and where to go then and otherwise. */
    private void ask(final Node node, final int wanted, final Label onFound, final Label onOther) {
        if (node instanceof Node.And and) {
            askAll(and.operands(), wanted == Truth.TRUE, wanted, onFound, onOther);
        } else if (node instanceof Node.Or or) {
            askAll(or.operands(), wanted == Truth.FALSE, wanted, onFound, onOther);
        } else if (node instanceof Node.Not not) {
            ask(not.operand(), -wanted, onFound, onOther);
        } else if (node instanceof Node.IsTruth is) {
            // IS TRUE is never unknown: when it is not true it is false.
            final boolean isSame = wanted == Truth.TRUE;
            ask(is.operand(), Truth.of(is.truth()), isSame ? onFound : onOther, isSame ? onOther : onFound);
        } else {
            entries.add(new Entry(test(node), wanted, onFound, onOther));
        }
    }

    /** Asks the same of several conditions: of all of them, or until the first that has it. */
    private void askAll(
            final List<Node> operands,
            final boolean isOfAll,
            final int wanted,
            final Label onFound,
            final Label onOther) {
        final int last = operands.size() - 1;
        for (int i = 0; i < last; i++) {
            final Label next = new Label(0);
            ask(operands.get(i), wanted, isOfAll ? next : onFound, isOfAll ? onOther : next);
            next.target = entries.size();
        }
        ask(operands.get(last), wanted, onFound, onOther);
    }

    private ProgramTest test(final Node node) {
        if (node instanceof Node.BooleanLiteral literal) {
            return new ProgramTest.Constant(literal.value());
        }
        if (node instanceof Node.Field field) {
            return new ProgramTest.OfField(fields.slotOf(field.path()), Instructions.CONDITION);
        }
        if (node instanceof Node.IsNull is && is.operand() instanceof Node.Field field) {
            return new ProgramTest.IsNull(fields.slotOf(field.path()));
        }
        final Node operand = FixedTests.operand(node);
        if (operand instanceof Node.Field field) {
            return new ProgramTest.OfField(fields.slotOf(field.path()), FixedTests.test(node));
        }
        final Register result = expressions.condition(node);
        return new ProgramTest.OfExpression(expressions.takeInstructions(), result);
    }

    /** A place to jump to, known when what stands there is laid out. */
    private static final class Label {
        private int target;

        Label(final int target) {
            this.target = target;
        }
    }

    private record Entry(ProgramTest test, int wanted, Label onFound, Label onOther) {}
}
