package io.penstock.broker.filter;

import io.penstock.broker.filter.program.Evaluation;
import io.penstock.broker.filter.program.ExpressionBuilder;
import io.penstock.broker.filter.program.Instruction;
import io.penstock.broker.filter.program.TextArena;
import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochClock;

/** Instructions that end with a value in a register. */
final class CompiledExpression implements Expression {
    private final String text;
    private final FieldSet fields;
    private final int[] slots;
    private final boolean readsNumbers;
    private final Evaluation evaluation;
    private final Instruction[] instructions;
    private final Register result;
    private ValueType type = ValueType.NULL;

    /**
     * Compiles a tree.
     *
     * @param value           without aggregates.
     * @param fields          the set that the fields it reads are added to, unless they are there.
     * @param clock           read by functions of the current time.
     * @param resultLengthMax of the texts it builds, in bytes.
     * @param readsNumbers    whether untyped text that reads as a number is one.
     */
    CompiledExpression(
            final Node value,
            final FieldSet fields,
            final EpochClock clock,
            final int resultLengthMax,
            final boolean readsNumbers) {
        final FieldSet own = new FieldSet();
        final Work work = new Work();
        final ExpressionBuilder builder = new ExpressionBuilder(own, clock, work);
        this.text = CanonicalText.of(value);
        this.fields = fields;
        this.readsNumbers = readsNumbers;
        this.evaluation = new Evaluation(new TextArena(resultLengthMax), work);
        this.result = builder.value(value);
        this.instructions = builder.takeInstructions().toArray(new Instruction[0]);
        this.slots = fields.slotsOf(own);
    }

    @Override
    public void evaluate(final FieldReader message) {
        evaluation.begin(message, slots);
        for (final Instruction instruction : instructions) {
            instruction.execute(evaluation);
        }
        evaluation.makeScalar(result);
        type = typeOfResult();
    }

    private ValueType typeOfResult() {
        return switch (result.type()) {
            case BOOLEAN -> ValueType.BOOLEAN;
            case LONG -> ValueType.LONG;
            case DOUBLE -> typeOfDouble();
            case STRING -> ValueType.TEXT;
            case UNTYPED -> readsNumbers && result.hasNumber() ? typeOfReading() : ValueType.TEXT;
            case ABSENT, NULL, ARRAY, OBJECT -> ValueType.NULL;
        };
    }

    private ValueType typeOfReading() {
        return result.numberType() == FieldType.LONG ? ValueType.LONG : typeOfDouble();
    }

    private ValueType typeOfDouble() {
        return Double.isInfinite(result.doubleValue()) ? ValueType.NULL : ValueType.DOUBLE;
    }

    @Override
    public ValueType type() {
        return type;
    }

    @Override
    public boolean booleanValue() {
        return result.booleanValue();
    }

    @Override
    public long longValue() {
        return result.longValue();
    }

    @Override
    public double doubleValue() {
        return result.doubleValue();
    }

    @Override
    public DirectBuffer textBuffer() {
        return result.buffer();
    }

    @Override
    public int textOffset() {
        return result.offset();
    }

    @Override
    public int textLength() {
        return result.length();
    }

    @Override
    public FieldSet fields() {
        return fields;
    }

    @Override
    public String text() {
        return text;
    }
}
