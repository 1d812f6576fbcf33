package io.penstock.broker.filter.syntax;

/**
 * An aggregate of a select list.
 *
 * @param function what it computes.
 * @param argument index of the argument it is computed of, or {@link #NO_ARGUMENT} for the messages themselves.
 */
public record AggregateCall(AggregateFunction function, int argument) {
    /** The argument of {@code COUNT(*)}. */
    public static final int NO_ARGUMENT = -1;
}
