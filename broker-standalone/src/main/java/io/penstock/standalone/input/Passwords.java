package io.penstock.standalone.input;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Terminal;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Passwords: from a file, from standard input, or typed without being shown. Never from a command line, which others see. */
public final class Passwords {
    private static final String STANDARD_INPUT = "-";

    private Passwords() {}

    /**
     * Reads a password.
     *
     * @param file whose first line it is; {@code -} for standard input.
     * @return the line.
     */
    public static String read(final String file) {
        try {
            if (file.equals(STANDARD_INPUT)) {
                final String line =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
                return line == null ? "" : line;
            }
            return Files.readString(Path.of(file)).lines().findFirst().orElse("");
        } catch (final IOException e) {
            throw CommandFailure.badInput(
                    "--password-file: cannot be read: " + file + " (give a file whose first line is the password)");
        }
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
