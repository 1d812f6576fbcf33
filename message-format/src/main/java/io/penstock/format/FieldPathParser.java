package io.penstock.format;

import io.penstock.format.FieldPath.Step;
import io.penstock.format.header.HeaderLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads lists in which field paths stand as the filter language writes them: {@code symbol}, {@code "odd name"},
 * {@code /order/price}, {@code /legs[0]/"odd name"}, {@code [/Not A Name/data[0]]}. Words that filters reserve need no
 * quotes here. Confined to one caller.
 */
public final class FieldPathParser {
    /** The most steps a path may have. */
    public static final int STEP_COUNT_MAX = 64;

    private static final int EXCERPT_LENGTH_MAX = 40;
    private static final String HEADER = "HEADER";

    private final String subject;
    private final String text;
    private int index;

    /**
     * Starts with a text.
     *
     * @param subject that refusals start with, for example {@code select}.
     * @param text    to be read.
     */
    public FieldPathParser(final String subject, final String text) {
        this.subject = subject;
        this.text = text;
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(text.charAt(i), at(i + 1))) {
                    throw refused("half of a surrogate pair", i, i);
                }
                i++;
            }
        }
    }

    /** The character at an index, or 0 after the end. */
    private char at(final int position) {
        return position < text.length() ? text.charAt(position) : 0;
    }

    private int codePoint() {
        return index < text.length() ? text.codePointAt(index) : 0;
    }

    private void skipSpace() {
        while (index < text.length() && Character.isWhitespace(text.charAt(index))) {
            index++;
        }
    }

    /**
     * Returns whether nothing but white space is left.
     *
     * @return true at the end.
     */
    public boolean isAtEnd() {
        skipSpace();
        return index == text.length();
    }

    /**
     * Passes a sign that stands next.
     *
     * @param sign to be passed.
     * @return whether it stood there.
     */
    public boolean accept(final char sign) {
        skipSpace();
        final boolean isThere = at(index) == sign && index < text.length();
        index += isThere ? 1 : 0;
        return isThere;
    }

    /**
     * Passes a word that stands next, in any case.
     *
     * @param word to be passed.
     * @return whether it stood there.
     */
    public boolean acceptWord(final String word) {
        skipSpace();
        final int start = index;
        if (name().equalsIgnoreCase(word)) {
            return true;
        }
        index = start;
        return false;
    }

    /**
     * Words a refusal of what stands next.
     *
     * @param what was expected there.
     * @return an exception to throw.
     */
    public IllegalArgumentException expected(final String what) {
        skipSpace();
        return expected(what, index, index + 1);
    }

    private IllegalArgumentException expected(final String what, final int start, final int end) {
        return refused("expected " + what, start, end);
    }

    /** Quotes the text up to the end of the piece at fault, without control characters, which a peer may have put there. */
    private IllegalArgumentException refused(final String reason, final int start, final int end) {
        final int from = Math.max(0, Math.max(end, start) - EXCERPT_LENGTH_MAX);
        final String excerpt = text.substring(from, Math.min(text.length(), Math.max(end, start)));
        final StringBuilder message = new StringBuilder(subject + ": " + reason + " at " + (start + 1) + ": ");
        message.append(from > 0 ? "..." : "");
        excerpt.stripTrailing()
                .codePoints()
                .map(point -> Character.isISOControl(point) || isSurrogate(point) ? ' ' : point)
                .forEach(message::appendCodePoint);
        return new IllegalArgumentException(message.toString());
    }

    private static boolean isSurrogate(final int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /**
     * Reads the path that stands next.
     *
     * @return the path.
     * @throws IllegalArgumentException when none stands there.
     */
    public FieldPath path() {
        skipSpace();
        final int start = index;
        final FieldPath path = switch (at(index)) {
            case '/', '"' -> slashedPath();
            case '[' -> bracketedPath();
            default -> wordPath();
        };
        if (path.steps().size() > STEP_COUNT_MAX) {
            throw refused("a path of more than " + STEP_COUNT_MAX + " steps", start, index);
        }
        return path;
    }

    private FieldPath wordPath() {
        final String name = name();
        if (name.isEmpty()) {
            throw expected("a field's name", index, index + 1);
        }
        if (name.equalsIgnoreCase(HEADER) && accept('(')) {
            return headerPath();
        }
        if (at(index) == '.') {
            throw refused("a name has no dots (write /a/b for a field within a, or \"a.b\")", index, index + 1);
        }
        return new FieldPath(List.of(new Step(name, subscript())));
    }

    /** {@code HEADER('name')}, from after the bracket on. */
    private FieldPath headerPath() {
        skipSpace();
        final int start = index;
        final int end = at(start) == '\'' ? text.indexOf('\'', start + 1) : -1;
        if (end < 0) {
            throw expected("a header's name in single quotes", start, start + 1);
        }
        final FieldPath path = headerPath(text.substring(start + 1, end), start, end + 1);
        index = end + 1;
        if (!accept(')')) {
            throw expected(")");
        }
        return path;
    }

    private FieldPath headerPath(final String name, final int start, final int end) {
        final String wrong = HeaderLayout.checkName(name);
        if (wrong != null) {
            throw refused(wrong, start, end);
        }
        return FieldPath.ofHeader(name);
    }

    private String name() {
        final int start = index;
        if (Character.isJavaIdentifierStart(codePoint())) {
            while (isNamePart(codePoint())) {
                index += Character.charCount(codePoint());
            }
        }
        return text.substring(start, index);
    }

    private static boolean isNamePart(final int codePoint) {
        return Character.isJavaIdentifierPart(codePoint) && !Character.isIdentifierIgnorable(codePoint);
    }

    private FieldPath slashedPath() {
        final List<Step> steps = new ArrayList<>();
        if (at(index) == '"') {
            steps.add(step());
        }
        while (at(index) == '/') {
            index++;
            steps.add(step());
        }
        return new FieldPath(steps);
    }

    private Step step() {
        final int start = index;
        final String name = at(index) == '"' ? quoted() : pathName();
        if (name.isEmpty()) {
            throw expected("a field's name", start, start + 1);
        }
        return new Step(name, subscript());
    }

    /** Reads from the opening quote past the closing one; two quotes stand for one. */
    private String quoted() {
        final StringBuilder value = new StringBuilder();
        for (index++; index < text.length(); index++) {
            if (at(index) == '"') {
                index++;
                if (at(index) != '"') {
                    return value.toString();
                }
            }
            value.append(at(index));
        }
        throw expected("the closing \" of a name", text.length(), text.length());
    }

    private String pathName() {
        final int start = index;
        if (at(index) == '@') {
            index++;
        }
        while (isNamePart(codePoint()) || (at(index) == ':' && index > start)) {
            index += Character.charCount(codePoint());
        }
        return text.substring(start, index);
    }

    /** Returns whether a name can stand after a slash without quotes. */
    private static boolean isPathName(final String name) {
        final String rest = name.startsWith("@") ? name.substring(1) : name;
        return !rest.isEmpty()
                && name.charAt(0) != ':'
                && rest.codePoints().allMatch(point -> isNamePart(point) || point == ':');
    }

    private int subscript() {
        if (at(index) != '[') {
            return Step.NO_INDEX;
        }
        final int start = ++index;
        while (at(index) >= '0' && at(index) <= '9') {
            index++;
        }
        if (index == start || at(index) != ']') {
            throw expected("an element's number and ]", start, Math.max(index, start + 1));
        }
        final int value;
        try {
            value = Integer.parseInt(text.substring(start, index));
        } catch (final NumberFormatException e) {
            throw refused("too large for an element's number", start, index);
        }
        index++;
        if (at(index) == '[') {
            throw refused("an array within an array has no elements to read", index, index + 1);
        }
        return value;
    }

    /** {@code [/Not A Name/data[0]]}: steps run to the next slash or the closing bracket. */
    private FieldPath bracketedPath() {
        index++;
        if (at(index) != '/') {
            throw expected("a path, as in [/Not A Name],", index, index + 1);
        }
        final List<Step> steps = new ArrayList<>();
        while (at(index) == '/') {
            final int nameStart = ++index;
            while (index < text.length() && "/[]".indexOf(at(index)) < 0) {
                index++;
            }
            if (index == nameStart) {
                throw expected("a field's name", index, index + 1);
            }
            steps.add(new Step(text.substring(nameStart, index), subscript()));
        }
        if (at(index) != ']') {
            throw expected("the closing ] of a path", index, index + 1);
        }
        index++;
        return new FieldPath(steps);
    }

    /**
     * Writes a path so that it reads as the same path: with a slash before each step, and quotes where a name needs them.
     *
     * @param path to be written.
     * @return for example {@code /order/"odd name"}.
     */
    public static String textOf(final FieldPath path) {
        if (path.isHeader()) {
            return path.toString();
        }
        final StringBuilder text = new StringBuilder();
        for (final Step step : path.steps()) {
            text.append('/');
            if (isPathName(step.name())) {
                text.append(step.name());
            } else {
                text.append('"').append(step.name().replace("\"", "\"\"")).append('"');
            }
            if (step.index() != Step.NO_INDEX) {
                text.append('[').append(step.index()).append(']');
            }
        }
        return text.toString();
    }
}
