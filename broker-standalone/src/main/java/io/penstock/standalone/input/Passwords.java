package io.penstock.standalone.input;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.Terminal;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Passwords and tokens: from a file, from standard input, or typed without being shown. Never from a command line, which others see. */
public final class Passwords {
    /** The name of standard input in place of a file's. */
    public static final String STANDARD_INPUT = "-";

    private static final String ENVIRONMENT = "PENSTOCK_PASSWORD";

    private Passwords() {}

    /**
     * Reads a password or a token.
     *
     * @param option that names the file, for refusals.
     * @param file   whose first line it is; {@code -} for standard input.
     * @return the line.
     */
    public static String read(final String option, final String file) {
        try {
            if (file.equals(STANDARD_INPUT)) {
                final String line =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
                return line == null ? "" : line;
            }
            return Files.readString(Path.of(file)).lines().findFirst().orElse("");
        } catch (final IOException e) {
            throw CommandFailure.badInput(
                    option + ": cannot be read: " + file + " (give a file whose first line is what to log on with)");
        }
    }

    /**
     * The password of a user: of the file, else {@code $PENSTOCK_PASSWORD}, else typed.
     *
     * @param user who logs on; empty for none, of which nobody is asked for a password.
     * @param file of {@code --password-file}; empty for none.
     * @return the password; empty when there is neither a user nor a password.
     */
    public static String ofUser(final String user, final String file) {
        if (!file.isEmpty()) {
            return read("--password-file", file);
        }
        final String known = System.getenv(ENVIRONMENT);
        if (known != null && !known.isEmpty()) {
            return known;
        }
        if (user.isEmpty()) {
            return "";
        }
        if (!canAsk()) {
            // An empty one would count as a guess.
            throw CommandFailure.badInput("--user: no password for " + ControlCharacters.onErr(user)
                    + ", and standard input is no terminal to ask on (give --password-file, or set $" + ENVIRONMENT
                    + ")");
        }
        return ask("Password of " + ControlCharacters.onErr(user) + ": ");
    }

    /**
     * Whether somebody can be asked.
     *
     * @return false without a terminal.
     */
    @SuppressWarnings("SystemConsoleNull") // It is null before JDK 22.
    public static boolean canAsk() {
        return Terminal.isIn() && System.console() != null;
    }

    /**
     * Asks for a password.
     *
     * @param prompt for it.
     * @return what was typed.
     */
    public static String ask(final String prompt) {
        final Console console = canAsk() ? System.console() : null;
        if (console == null) {
            throw CommandFailure.badInput("password: standard input is no terminal (give --password-file)");
        }
        final char[] typed = console.readPassword("%s", prompt);
        if (typed == null) {
            throw CommandFailure.badInput("password: none was typed (type one, or give --password-file)");
        }
        return new String(typed);
    }

    /**
     * Asks for a new password.
     *
     * @param prompt for it.
     * @return what was typed twice.
     */
    public static String askTwice(final String prompt) {
        final String first = ask(prompt);
        if (!first.equals(ask("The same again: "))) {
            throw CommandFailure.badInput("password: two different ones were typed (type the same twice)");
        }
        return first;
    }
}
