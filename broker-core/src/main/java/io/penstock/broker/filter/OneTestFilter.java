package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Accepted;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.program.Evaluation;
import io.penstock.broker.filter.program.Program;
import io.penstock.broker.filter.program.ProgramBuilder;
import io.penstock.broker.filter.program.TextArena;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.Objects;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/**
 * A filter of one test of one field. A matcher with an index mostly knows its answer without it, so that it is light: its
 * program is made when it is evaluated for the first time, which takes about as long as an evaluation of a long filter.
 */
final class OneTestFilter implements Filter {
    /** The time is no operand of a test of one field. */
    private static final EpochClock NO_CLOCK = () -> 0;

    private static final int[] FIRST_SLOT = {0};

    /** Longer lists are made into sets in advance. */
    private static final int ITEMS_MAX = 8;

    private final String text;
    private final Node predicate;
    private final Accepted accepted;
    private final FieldSet ownFields;
    private final FieldSet fields;
    private final int[] slots;
    private final int resultLengthMax;
    private @Nullable Program program;
    private @Nullable Evaluation evaluation;

    /**
     * Makes it without a program.
     *
     * @param text            in canonical form.
     * @param condition       that {@link #isOne} knows.
     * @param fields          the set that its field is added to; null for one of its own.
     * @param resultLengthMax of texts, in bytes.
     */
    OneTestFilter(
            final String text,
            final Condition.Test condition,
            final @Nullable FieldSet fields,
            final int resultLengthMax) {
        this.text = text;
        this.resultLengthMax = resultLengthMax;
        predicate = condition.predicate();
        accepted = condition.accepted();
        ownFields = OneFieldSets.of(Objects.requireNonNull(condition.field()));
        if (fields == null) {
            this.fields = ownFields;
            slots = FIRST_SLOT;
        } else {
            this.fields = fields;
            slots = fields.slotsOf(ownFields);
        }
    }

    /** Whether a condition is one test of one field, which can be compiled in no time. */
    static boolean isOne(final Condition condition) {
        if (!(condition instanceof Condition.Test test) || test.field() == null) {
            return false;
        }
        final Node predicate = test.predicate();
        return predicate instanceof Node.Comparison
                || predicate instanceof Node.Between
                || (predicate instanceof Node.In in && in.items().size() <= ITEMS_MAX)
                || (predicate instanceof Node.Affix affix && affix.items().size() <= ITEMS_MAX);
    }

    @Override
    public boolean matches(final FieldReader message) {
        return matches(message, slots);
    }

    @Override
    public boolean matches(final FieldReader message, final int[] readerSlots) {
        final Evaluation known = evaluation;
        final Evaluation own = known == null ? prepare() : known;
        own.begin(message, readerSlots);
        return Objects.requireNonNull(program).run(own);
    }

    private Evaluation prepare() {
        final Work work = new Work();
        program = ProgramBuilder.build(condition(), ownFields, NO_CLOCK, work);
        final Evaluation made = new Evaluation(new TextArena(resultLengthMax), work);
        evaluation = made;
        return made;
    }

    @Override
    public FieldSet ownFields() {
        return ownFields;
    }

    @Override
    public FieldSet fields() {
        return fields;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Condition condition() {
        return new Condition.Test(predicate, ownFields.path(0), accepted);
    }
}
