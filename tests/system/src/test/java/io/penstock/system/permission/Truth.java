package io.penstock.system.permission;

/** A value of three-valued logic. */
enum Truth {
    TRUE,
    FALSE,
    UNKNOWN;

    static Truth of(final boolean value) {
        return value ? TRUE : FALSE;
    }

    Truth not() {
        return this == UNKNOWN ? UNKNOWN : of(this == FALSE);
    }

    Truth and(final Truth other) {
        if (this == FALSE || other == FALSE) {
            return FALSE;
        }
        return this == TRUE && other == TRUE ? TRUE : UNKNOWN;
    }

    Truth or(final Truth other) {
        return not().and(other.not()).not();
    }
}
