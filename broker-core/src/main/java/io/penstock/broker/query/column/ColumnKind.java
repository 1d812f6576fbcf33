package io.penstock.broker.query.column;

import java.util.StringJoiner;

/** What a column knows of a row's value. */
public final class ColumnKind {
    /** The field is null or not there. */
    public static final int NULL = 0;

    /** The field is there, and compares with nothing. */
    public static final int OBJECT = 1;

    public static final int TRUE = 2;
    public static final int FALSE = 3;

    /** A number, with its key as the value. */
    public static final int NUMBER = 4;

    /** A text, with its code as the value. */
    public static final int TEXT = 5;

    /** Anything that the column does not hold: the row itself has to be asked. */
    public static final int OTHER = 6;

    /** How many kinds there are. */
    public static final int COUNT = 7;

    private static final String[] NAMES = {"null", "object", "true", "false", "number", "text", "other"};

    private ColumnKind() {}

    /**
     * Names of kinds.
     *
     * @param kinds a bit for each.
     * @return for people.
     */
    public static String names(final int kinds) {
        final StringJoiner names = new StringJoiner(" and ");
        for (int kind = 0; kind < COUNT; kind++) {
            if ((kinds & 1 << kind) != 0) {
                names.add(NAMES[kind]);
            }
        }
        return names.toString();
    }
}
