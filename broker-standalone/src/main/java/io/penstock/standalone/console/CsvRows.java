package io.penstock.standalone.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rows as comma-separated values by RFC 4180. The columns are those that were asked for, else all that
 * rows may have where that is known, else those of the first row.
 *
 * <p>A text that a spreadsheet would take for a formula gets an apostrophe before it, as OWASP advises ("CSV injection"):
 * who opens the file may not be who trusts the publisher. Numbers stay numbers.
 */
final class CsvRows implements Rows {
    private static final Cell MISSING = new Cell("", true, false);
    private static final String LINE_END = "\r\n";

    /** What begins a formula, also in its wide form, and what spreadsheets skip before it. */
    private static final Pattern FORMULA =
            Pattern.compile("[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20].", Pattern.DOTALL);

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9][0-9.,]*");

    /** Columns of the tool itself, which stand beside the fields of a message. */
    private static final Pattern OWN_COLUMN = Pattern.compile("@[a-z]+");

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean isKnown;
    private final boolean isSeen;
    private final WantedColumns wanted;
    private List<String> columns;
    private boolean isWarned;
    private boolean isHeadPrinted;

    /**
     * Begins.
     *
     * @param chosen that were asked for, or none.
     * @param known  all that rows may have, or none where that is not known.
     */
    CsvRows(
            final PrintWriter out,
            final PrintWriter err,
            final List<String> chosen,
            final List<String> known,
            final boolean isSeen) {
        this.out = out;
        this.err = err;
        this.isSeen = isSeen;
        columns = chosen.isEmpty() ? known : chosen;
        isKnown = !columns.isEmpty();
        wanted = new WantedColumns("--columns", chosen);
    }

    @Override
    public void add(final String json) {
        final Map<String, Cell> cells = Cell.of(json);
        wanted.onRow(cells);
        if (!isHeadPrinted) {
            columns = isKnown ? columns : new ArrayList<>(cells.keySet());
            head();
        }
        warnOfOthers(cells);
        line(columns.stream()
                .map(name -> harmless(cells.getOrDefault(name, MISSING)))
                .toList());
    }

    private void head() {
        line(isKnown ? columns : columns.stream().map(CsvRows::harmlessName).toList());
        isHeadPrinted = true;
    }

    private static String harmlessName(final String name) {
        return OWN_COLUMN.matcher(name).matches() ? name : harmless(new Cell(name, false, false));
    }

    private static String harmless(final Cell cell) {
        final String text = cell.text();
        return cell.isNumeric()
                        || !FORMULA.matcher(text).lookingAt()
                        || NUMBER.matcher(text).matches()
                ? text
                : "'" + text;
    }

    /** Says once that a later row has what the first had not. */
    private void warnOfOthers(final Map<String, Cell> cells) {
        if (isKnown || isWarned) {
            return;
        }
        for (final String name : cells.keySet()) {
            if (!columns.contains(name)) {
                err.println(Colour.warning() + " --csv: a row has a field that the first has not, which is left out: "
                        + ControlCharacters.onErr(name) + " (name the columns with --columns)");
                err.flush();
                isWarned = true;
                return;
            }
        }
    }

    private void line(final List<String> values) {
        out.print(values.stream()
                        .map(value -> quoted(isSeen ? ControlCharacters.escaped(value) : value))
                        .collect(Collectors.joining(","))
                + LINE_END);
    }

    private static String quoted(final String text) {
        return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public void flush() {
        out.flush();
    }

    @Override
    public void close() {
        if (isKnown && !isHeadPrinted) {
            head();
        }
        out.flush();
        wanted.warn(err);
    }
}
