package io.penstock.standalone;

/** A command could not do what was asked. Its message is the one line that the user sees: input, reason, remedy. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private CommandFailure(final int exitCode, final String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /**
     * The command is well formed, but could not be done.
     *
     * @param message for the user.
     * @return a failure that ends the process with {@link Main#EXIT_FAILED}.
     */
    public static CommandFailure failed(final String message) {
        return new CommandFailure(Main.EXIT_FAILED, message);
    }

    /**
     * The input itself is wrong.
     *
     * @param message for the user.
     * @return a failure that ends the process with {@link Main#EXIT_USAGE}.
     */
    public static CommandFailure badInput(final String message) {
        return new CommandFailure(Main.EXIT_USAGE, message);
    }

    /**
     * How the process ends.
     *
     * @return the exit code.
     */
    public int exitCode() {
        return exitCode;
    }
}
