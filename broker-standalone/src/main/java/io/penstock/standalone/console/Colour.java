package io.penstock.standalone.console;

import org.jspecify.annotations.Nullable;

/** Colours for people: on terminals alone, and not when the environment has a {@code NO_COLOR} (no-color.org). */
public enum Colour {
    /** Heads of tables. */
    BOLD("1"),
    /** What has failed. */
    RED("31"),
    /** What deserves a look. */
    YELLOW("33");

    private static final String START = "\033[";

    private final String code;

    Colour(final String code) {
        this.code = code;
    }

    /**
     * The word that begins a warning on standard error.
     *
     * @return coloured where that is a terminal.
     */
    public static String warning() {
        return YELLOW.on("warning:", Terminal.isErr());
    }

    /**
     * Colours a text.
     *
     * @param text       on one line.
     * @param isTerminal whether it is written to one.
     * @return the text itself where no colours are wanted.
     */
    public String on(final String text, final boolean isTerminal) {
        return on(text, isTerminal, System.getenv("NO_COLOR"));
    }

    /** The same, with the value of {@code NO_COLOR}. */
    String on(final String text, final boolean isTerminal, final @Nullable String noColor) {
        return isTerminal && (noColor == null || noColor.isEmpty()) ? START + code + "m" + text + START + "0m" : text;
    }
}
