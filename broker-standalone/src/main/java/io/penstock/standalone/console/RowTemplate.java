package io.penstock.standalone.console;

import io.penstock.standalone.CommandFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with fields of a row in double braces. A field within an object is named by its path, with dots; one that a row does
 * not have is empty. {@code \t}, {@code \n} and {@code \\} are a tab, a line end and a backslash.
 */
final class RowTemplate {
    private static final Pattern FIELD = Pattern.compile("\\{\\{\\s*([^{}]{1,200}?)\\s*\\}\\}");

    /** Constants and names of fields by turns, a constant first. */
    private final List<String> pieces = new ArrayList<>();

    /**
     * Reads a template.
     *
     * @throws CommandFailure when it has no field, so that each row would be the same.
     */
    RowTemplate(final String text) {
        final Matcher matcher = FIELD.matcher(text);
        int end = 0;
        while (matcher.find()) {
            pieces.add(unescaped(text.substring(end, matcher.start())));
            pieces.add(matcher.group(1));
            end = matcher.end();
        }
        if (pieces.isEmpty()) {
            throw CommandFailure.badInput("--template: no field in it: " + text + " (name fields as in '{{name}}')");
        }
        pieces.add(unescaped(text.substring(end)));
    }

    /** The names of its fields. */
    List<String> fields() {
        final List<String> fields = new ArrayList<>();
        for (int i = 1; i < pieces.size(); i += 2) {
            fields.add(pieces.get(i));
        }
        return fields;
    }

    /** Fills it in, with values as they are to be shown. */
    String text(final Map<String, Cell> row, final UnaryOperator<String> shown) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces.size(); i++) {
            text.append(i % 2 == 0 ? pieces.get(i) : shown.apply(value(row, pieces.get(i))));
        }
        return text.toString();
    }

    private static String value(final Map<String, Cell> row, final String name) {
        final Cell cell = row.get(name);
        if (cell != null) {
            return cell.text();
        }
        final int dot = name.indexOf('.');
        final Cell outer = dot < 0 ? null : row.get(name.substring(0, dot));
        return outer == null || !outer.text().startsWith("{")
                ? ""
                : value(Cell.of(outer.text()), name.substring(dot + 1));
    }

    private static String unescaped(final String text) {
        final StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            final char next = i + 1 < text.length() ? text.charAt(i + 1) : 0;
            final boolean isEscape = text.charAt(i) == '\\' && (next == 't' || next == 'n' || next == '\\');
            plain.append(isEscape ? (next == 't' ? '\t' : next == 'n' ? '\n' : '\\') : text.charAt(i));
            i += isEscape ? 1 : 0;
        }
        return plain.toString();
    }
}
