package io.penstock.broker.filter.program;

import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.ValueTest;
import io.penstock.format.FieldType;
import java.util.List;

/** A condition that a program decides by itself before it jumps. */
abstract class ProgramTest {
    /** Returns a {@link Truth}. */
    abstract int truth(Evaluation evaluation);

    static final class Constant extends ProgramTest {
        private final int truth;

        Constant(final boolean value) {
            truth = Truth.of(value);
        }

        @Override
        int truth(final Evaluation evaluation) {
            return truth;
        }
    }

    /** The usual condition: a field against something fixed. It is the same for all programs that ask the same. */
    static final class OfField extends ProgramTest {
        private final Node predicate;
        private final int field;
        private final ValueTest test;

        OfField(final Node predicate, final int field, final ValueTest test) {
            this.predicate = predicate;
            this.field = field;
            this.test = test;
        }

        boolean isOf(final Node otherPredicate, final int otherField) {
            return field == otherField && predicate.equals(otherPredicate);
        }

        @Override
        int truth(final Evaluation evaluation) {
            final Register value = evaluation.fieldValue();
            value.load(evaluation.message(), evaluation.slot(field));
            return evaluation.any(value, test);
        }
    }

    static final class IsNull extends ProgramTest {
        private final int field;

        IsNull(final int field) {
            this.field = field;
        }

        @Override
        int truth(final Evaluation evaluation) {
            final FieldType type = evaluation.message().type(evaluation.slot(field));
            return Truth.of(type == FieldType.NULL || type == FieldType.ABSENT);
        }
    }

    /** Any condition: instructions that compute its value. */
    static final class OfExpression extends ProgramTest {
        private final Instruction[] instructions;
        private final Register result;

        OfExpression(final List<Instruction> instructions, final Register result) {
            this.instructions = instructions.toArray(new Instruction[0]);
            this.result = result;
        }

        @Override
        int truth(final Evaluation evaluation) {
            for (final Instruction instruction : instructions) {
                instruction.execute(evaluation);
            }
            return evaluation.any(result, Instructions.CONDITION);
        }
    }
}
