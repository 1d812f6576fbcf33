package io.penstock.broker.filter.value;

/** The kind of an expression's value, as far as it is known before any message is seen. */
public enum ValueKind {
    /** Anything: a field, or a function that passes its arguments on. */
    ANY("a value"),
    CONDITION("a condition"),
    NUMBER("a number"),
    TEXT("a text");

    private final String description;

    ValueKind(final String description) {
        this.description = description;
    }

    /** The name in error messages. */
    public String description() {
        return description;
    }

    /** Returns whether a value of the other kind may stand where this one is asked for. */
    public boolean admits(final ValueKind other) {
        return this == ANY || other == ANY || this == other;
    }
}
