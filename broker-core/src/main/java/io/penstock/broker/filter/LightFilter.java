package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.program.Program;
import io.penstock.broker.filter.program.Workspace;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A filter of some tests of one field each. A matcher with an index mostly knows its answer without it, so that it is light:
 * its program is made when it is evaluated for the first time, which takes about as long as an evaluation of a long filter,
 * and shares its tests and what it is evaluated in with those that joined the same workspace.
 */
abstract class LightFilter implements Filter {
    /** Longer lists are made into sets in advance. */
    private static final int ITEMS_MAX = 8;

    private static final int PATTERN_LENGTH_MAX = 64;
    private static final int TESTS_MAX = 16;
    private static final int TOO_MANY = TESTS_MAX + 1;

    /** By the count of fields: the slots of a set are those of a reader that was made for it. */
    private static final int[][] FIRST_SLOTS = new int[TESTS_MAX + 1][];

    static {
        Arrays.setAll(FIRST_SLOTS, count -> IntStream.range(0, count).toArray());
    }

    private final String text;
    private @Nullable Program program;

    /**
     * Makes it without a program.
     *
     * @param text in canonical form.
     */
    LightFilter(final String text) {
        this.text = text;
    }

    /**
     * The filter of a condition that {@link #isLight} knows, which shares no set of fields.
     *
     * @param text      in canonical form.
     * @param condition of it.
     */
    static LightFilter of(final String text, final Condition condition) {
        return condition instanceof Condition.Test test
                ? OneTestFilter.of(text, test)
                : new OfTests(text, condition, KnownFieldSets.of(condition));
    }

    /** Whether a condition can be compiled in no time. */
    static boolean isLight(final Condition condition) {
        return testCount(condition) <= TESTS_MAX;
    }

    private static int testCount(final Condition condition) {
        if (condition instanceof Condition.Test test) {
            return test.field() != null && isLight(test.predicate()) ? 1 : TOO_MANY;
        }
        int count = 0;
        for (final Condition operand :
                condition instanceof Condition.All all ? all.operands() : ((Condition.Any) condition).operands()) {
            count += testCount(operand);
            if (count > TESTS_MAX) {
                return TOO_MANY;
            }
        }
        return count;
    }

    private static boolean isLight(final Node predicate) {
        return predicate instanceof Node.Comparison
                || predicate instanceof Node.Between
                || predicate instanceof Node.Field
                || predicate instanceof Node.IsNull
                || (predicate instanceof Node.Like like && like.pattern().length() <= PATTERN_LENGTH_MAX)
                || (predicate instanceof Node.In in && in.items().size() <= ITEMS_MAX)
                || (predicate instanceof Node.Affix affix && affix.items().size() <= ITEMS_MAX);
    }

    @Override
    public final void join(final Workspace workspace) {
        if (program == null) {
            program = workspace.none();
        }
    }

    @Override
    public final boolean matches(final FieldReader message) {
        return matches(message, FIRST_SLOTS[ownFields().count()]);
    }

    @Override
    public final boolean matches(final FieldReader message, final int[] readerSlots) {
        final Program known = program;
        return (known != null && known.isLaidOut() ? known : layOut(known)).run(message, readerSlots);
    }

    private Program layOut(final @Nullable Program none) {
        final Workspace joined = none == null ? null : none.evaluation().workspace();
        final Program made = (joined == null ? new Workspace() : joined).layOut(condition(), ownFields());
        program = made;
        return made;
    }

    @Override
    public final FieldSet fields() {
        return ownFields();
    }

    @Override
    public final boolean hasGivenUp() {
        final Program known = program;
        return known != null && known.evaluation().hasGivenUp();
    }

    @Override
    public final String text() {
        return text;
    }

    /** One of several tests. */
    private static final class OfTests extends LightFilter {
        private final Condition condition;
        private final FieldSet ownFields;

        OfTests(final String text, final Condition condition, final FieldSet ownFields) {
            super(text);
            this.condition = condition;
            this.ownFields = ownFields;
        }

        @Override
        public FieldSet ownFields() {
            return ownFields;
        }

        @Override
        public Condition condition() {
            return condition;
        }
    }
}
