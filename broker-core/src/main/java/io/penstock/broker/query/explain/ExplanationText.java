package io.penstock.broker.query.explain;

/** The lines of an explanation. Bounded: what has no room is counted. Confined to the thread that has it. */
public final class ExplanationText {
    private static final int LENGTH_MAX = 24 * 1024;
    private static final int TEXT_LENGTH_MAX = 400;
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();
    private int leftOut;

    /** Empty. */
    public ExplanationText() {}

    /**
     * Adds a line.
     *
     * @param depth of its indentation.
     * @param line  without a line break.
     */
    public void line(final int depth, final String line) {
        if (text.length() + line.length() > LENGTH_MAX) {
            leftOut++;
        } else {
            text.append(INDENT.repeat(depth)).append(line).append('\n');
        }
    }

    /** Whether there is no room for another topic. */
    public boolean isFull() {
        return leftOut > 0 || text.length() > LENGTH_MAX - TEXT_LENGTH_MAX;
    }

    /**
     * Leaves something out.
     *
     * @param lines that it has at least.
     */
    public void leaveOut(final int lines) {
        leftOut += lines;
    }

    /** A text of a user, cut off where it is too long, on one line. */
    String cut(final String of) {
        final String line = of.replace('\n', ' ').replace('\r', ' ');
        if (line.length() <= TEXT_LENGTH_MAX) {
            return line;
        }
        final boolean isSplit = Character.isHighSurrogate(line.charAt(TEXT_LENGTH_MAX - 1));
        return line.substring(0, isSplit ? TEXT_LENGTH_MAX - 1 : TEXT_LENGTH_MAX) + "…";
    }

    /**
     * The text.
     *
     * @return lines, each with a line break behind it.
     */
    public String text() {
        return leftOut == 0 ? text.toString() : text + "and " + leftOut + " lines more\n";
    }
}
