package io.penstock.client.warning;

import org.jspecify.annotations.Nullable;

/** Internal: how texts speak of an exception that is their cause, whose own text stands beside theirs in each stack. */
public final class Failures {
    private Failures() {}

    /** Internal: what it is, without what it says. */
    public static String nameOf(final @Nullable Throwable cause) {
        return (cause == null ? "unknown" : cause.getClass().getName()) + " (the cause says more)";
    }
}
