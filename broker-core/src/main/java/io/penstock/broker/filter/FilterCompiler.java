package io.penstock.broker.filter;

import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.condition.NormalForm;
import io.penstock.broker.filter.program.Evaluation;
import io.penstock.broker.filter.program.Program;
import io.penstock.broker.filter.program.ProgramBuilder;
import io.penstock.broker.filter.program.TextArena;
import io.penstock.broker.filter.syntax.CanonicalText;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.filter.syntax.Node;
import io.penstock.broker.filter.syntax.Parser;
import io.penstock.broker.filter.syntax.SourceText;
import io.penstock.broker.filter.value.Work;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/** Compiles the text of search conditions. */
public final class FilterCompiler {
    private static final Node ALWAYS = new Node.BooleanLiteral(true);

    private static final EpochClock NO_CLOCK = () -> 0;

    private FilterCompiler() {}

    /**
     * Compiles a filter.
     *
     * @param text         of the condition; blank text is true of every message.
     * @param sharedFields the set that the fields it reads are added to, unless they are there; a refused text adds
     *                     none.
     * @param limits       of the text.
     * @param clock        read by functions of the current time.
     * @return the filter, owned by the caller's agent.
     * @throws FilterException when the text is not a condition or exceeds a limit.
     */
    public static Filter compile(
            final String text, final FieldSet sharedFields, final FilterLimits limits, final EpochClock clock) {
        return compile(parse(text, limits, true), sharedFields, limits, clock);
    }

    private static Filter compile(
            final Parsed parsed,
            final @Nullable FieldSet sharedFields,
            final FilterLimits limits,
            final EpochClock clock) {
        final Condition condition = NormalForm.of(parsed.condition());
        if (sharedFields == null && LightFilter.isLight(condition)) {
            return LightFilter.of(parsed.canonicalText(), condition);
        }
        final FieldSet ownFields = new FieldSet();
        final Evaluation evaluation = new Evaluation(new TextArena(limits.resultLengthMax()), new Work());
        final Program program = ProgramBuilder.build(condition, ownFields, clock, evaluation);
        return new CompiledFilter(
                parsed.canonicalText(), condition, program, ownFields, sharedFields == null ? ownFields : sharedFields);
    }

    /**
     * Compiles a filter that does not read the current time, and shares no set of fields: one that a matcher reads.
     *
     * @param text   of the condition; blank text is true of every message.
     * @param limits of the text.
     * @return the filter, owned by the caller's agent.
     * @throws FilterException when the text is not a condition, exceeds a limit, or asks for the time.
     */
    public static Filter compile(final String text, final FilterLimits limits) {
        return compile(SourceText.FILTER, text, limits);
    }

    /**
     * Compiles a condition that is called otherwise than a filter.
     *
     * @param subject what refusals call it.
     * @param text    of the condition; blank text is true of every message.
     * @param limits  of the text.
     * @return the filter, owned by the caller's agent.
     * @throws FilterException when the text is not a condition, exceeds a limit, or asks for the time.
     */
    public static Filter compile(final String subject, final String text, final FilterLimits limits) {
        return compile(parse(subject, text, limits, false), null, limits, NO_CLOCK);
    }

    /**
     * Compiles a filter that does not read the current time.
     *
     * @param text         of the condition; blank text is true of every message.
     * @param sharedFields the set that the fields it reads are added to, unless they are there; a refused text adds
     *                     none.
     * @param limits       of the text.
     * @return the filter, owned by the caller's agent.
     * @throws FilterException when the text is not a condition, exceeds a limit, or asks for the time.
     */
    public static Filter compile(final String text, final FieldSet sharedFields, final FilterLimits limits) {
        return compile(parse(text, limits, false), sharedFields, limits, NO_CLOCK);
    }

    /**
     * Brings a filter's text into its canonical form, by which equal filters can be found.
     *
     * @param text   of the condition.
     * @param limits of the text.
     * @return what {@link Filter#text()} of the compiled filter is.
     * @throws FilterException when the text is not a condition or exceeds a limit.
     */
    public static String canonicalText(final String text, final FilterLimits limits) {
        return parse(text, limits, true).canonicalText();
    }

    /**
     * Brings a filter's text into its canonical form, with the values of a user's attributes in their place.
     *
     * @param text       of the condition, which may have {@code USER('name')} where a text may stand.
     * @param limits     of the text; the values have their own.
     * @param attributes gives the value of each that is named.
     * @return a text without attributes, for {@link FilterLimits#COMBINED}.
     * @throws FilterException when the text is not a condition or exceeds a limit.
     */
    public static String boundText(
            final String text, final FilterLimits limits, final UnaryOperator<String> attributes) {
        final SourceText source = SourceText.of(SourceText.FILTER, text, limits);
        final String canonicalText = CanonicalText.of(new Parser(source, limits, false, false, attributes).parse());
        CanonicalText.requireReadable(
                SourceText.FILTER, () -> condition(SourceText.FILTER, canonicalText, FilterLimits.COMBINED, false));
        return canonicalText;
    }

    /**
     * The condition that two conditions hold.
     *
     * @param first  text in canonical form; empty for everything.
     * @param second the same.
     * @return text in canonical form for {@link FilterLimits#COMBINED}; empty for everything.
     */
    public static String allOf(final String first, final String second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.isEmpty() ? second : first;
        }
        return canonicalText("(" + first + ") AND (" + second + ")", FilterLimits.COMBINED);
    }

    private static Parsed parse(final String text, final FilterLimits limits, final boolean hasClock) {
        return parse(SourceText.FILTER, text, limits, hasClock);
    }

    private static Parsed parse(
            final String subject, final String text, final FilterLimits limits, final boolean hasClock) {
        final Node condition = condition(subject, text, limits, hasClock);
        final String canonicalText = CanonicalText.of(condition);
        if (canonicalText.equals(text)) {
            // Whoever gave the text mostly keeps it: one is enough.
            return new Parsed(condition, text);
        }
        CanonicalText.requireReadable(subject, () -> condition(subject, canonicalText, limits, true));
        return new Parsed(condition, canonicalText);
    }

    private static Node condition(
            final String subject, final String text, final FilterLimits limits, final boolean hasClock) {
        final SourceText source = SourceText.of(subject, text, limits);
        return text.isBlank() ? ALWAYS : new Parser(source, limits, hasClock, false).parse();
    }

    /** A condition in both its forms. */
    private record Parsed(Node condition, String canonicalText) {}

    private static final class CompiledFilter implements Filter {
        private final String text;
        private final Condition condition;
        private final Program program;
        private final FieldSet ownFields;
        private final FieldSet fields;
        private final int[] slots;

        CompiledFilter(
                final String text,
                final Condition condition,
                final Program program,
                final FieldSet ownFields,
                final FieldSet fields) {
            this.text = text;
            this.condition = condition;
            this.program = program;
            this.ownFields = ownFields;
            this.fields = fields;
            this.slots = fields.slotsOf(ownFields);
        }

        @Override
        public boolean matches(final FieldReader message) {
            return matches(message, slots);
        }

        @Override
        public boolean matches(final FieldReader message, final int[] readerSlots) {
            return program.run(message, readerSlots);
        }

        @Override
        public boolean hasGivenUp() {
            return program.evaluation().hasGivenUp();
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
        public Condition condition() {
            return condition;
        }

        @Override
        public String text() {
            return text;
        }
    }
}
