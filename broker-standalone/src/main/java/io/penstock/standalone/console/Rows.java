package io.penstock.standalone.console;

import java.io.Closeable;

/** Takes the results of a command row by row, and prints them in the form that was asked for. */
public interface Rows extends Closeable {
    /**
     * Takes a row.
     *
     * @param json an object on one line, whose fields are the columns.
     */
    void add(String json);

    /** Shows what was taken so far, where the form allows it. */
    default void flush() {}

    /** Prints what was held back. */
    @Override
    void close();
}
