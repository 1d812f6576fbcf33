package io.penstock.standalone.console;

/** The reader of standard output has closed it, as {@code head} does: nobody wants more, and the command ends quietly. */
public final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosedException(final Throwable cause) {
        super("standard output: its reader has closed it", cause);
    }
}
