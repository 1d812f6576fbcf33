package io.penstock.standalone.user;

import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.input.Passwords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a new password comes from, and what is kept of it. */
final class NewPassword {
    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password; - for standard input (default: the terminal asks).")
    private @Nullable String passwordFile;

    @Option(
            names = "--iterations",
            paramLabel = "COUNT",
            defaultValue = "" + ScramVerifier.ITERATIONS_DEFAULT,
            description = "Of the hash: more slow down guessing and each log-on (default: ${DEFAULT-VALUE}).")
    private int iterations;

    NewPassword() {}

    /** Asks for it, and returns what it can be checked with. */
    ScramVerifier verifier(final String user) {
        if (iterations < ScramVerifier.ITERATIONS_MIN || iterations > ScramVerifier.ITERATIONS_MAX) {
            throw CommandFailure.badInput("--iterations: out of range: " + iterations + " (use "
                    + ScramVerifier.ITERATIONS_MIN + " to " + ScramVerifier.ITERATIONS_MAX + ")");
        }
        final String password = passwordFile == null
                ? Passwords.askTwice("New password of " + user + ": ")
                : Passwords.read("--password-file", passwordFile);
        final ScramVerifier verifier = ScramVerifier.derive(password, iterations);
        if (verifier == null) {
            throw CommandFailure.badInput(
                    "password: empty, or with characters that not every keyboard has, such as control characters"
                            + " (choose another)");
        }
        return verifier;
    }
}
