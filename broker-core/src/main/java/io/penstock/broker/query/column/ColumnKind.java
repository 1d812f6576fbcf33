package io.penstock.broker.query.column;

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

    private ColumnKind() {}
}
