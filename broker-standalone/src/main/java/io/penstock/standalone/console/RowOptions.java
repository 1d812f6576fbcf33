package io.penstock.standalone.console;

import io.penstock.standalone.CommandFailure;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** In which form a command prints its rows: the options that all such commands share. */
public final class RowOptions {
    @Option(names = "--json", description = "One JSON object a line.")
    private boolean isJson;

    @Option(names = "--table", description = "Columns for people, numbers rounded.")
    private boolean isTable;

    @Option(names = "--csv", description = "Comma-separated values, with a line of names first (RFC 4180).")
    private boolean isCsv;

    @Option(
            names = "--template",
            paramLabel = "TEXT",
            description =
                    "A line for each row: this text with columns, named as --csv names them, in double braces: 'x={{COLUMN}}'."
                            + " {{COLUMN.b}} is a field within one.")
    private @Nullable String template;

    @Option(
            names = "--columns",
            paramLabel = "NAMES",
            split = ",",
            description = "With --table or --csv: only these columns, in this order, with commas between.")
    private List<String> columns = List.of();

    /** Made by the command line. */
    public RowOptions() {}

    /**
     * The options of one form.
     *
     * @param form {@code table}, {@code json} or {@code csv}.
     * @return as if it had been asked for.
     */
    public static RowOptions of(final String form) {
        final RowOptions options = new RowOptions();
        options.isTable = form.equals("table");
        options.isJson = form.equals("json");
        options.isCsv = form.equals("csv");
        return options;
    }

    /**
     * Whether one of the forms is asked for.
     *
     * @return false when the command prints as it does by itself.
     * @throws CommandFailure when two are.
     */
    public boolean isGiven() {
        final List<String> given = Stream.of(
                        isJson ? "--json" : "",
                        isTable ? "--table" : "",
                        isCsv ? "--csv" : "",
                        template == null ? "" : "--template")
                .filter(name -> !name.isEmpty())
                .toList();
        if (columns.stream().anyMatch(String::isBlank)) {
            throw CommandFailure.badInput(
                    "--columns: a name is missing: " + String.join(",", columns) + " (give names with commas between)");
        }
        if (given.size() > 1) {
            throw CommandFailure.badInput(String.join(", ", given) + ": do not go together (give one of them)");
        }
        if (!columns.isEmpty() && (isJson || template != null)) {
            throw CommandFailure.badInput("--columns: are of a table (give --table or --csv beside it)");
        }
        return !given.isEmpty();
    }

    /**
     * Refuses {@code --columns} where the command prints lines by itself.
     *
     * @throws CommandFailure when there are columns and neither a table nor comma-separated values.
     */
    public void checkLines() {
        if (!isGiven() && !columns.isEmpty()) {
            throw CommandFailure.badInput("--columns: are of a table (give --table or --csv beside it)");
        }
    }

    /**
     * Whether rows are JSON.
     *
     * @return true for {@code --json}.
     */
    public boolean isJson() {
        return isJson;
    }

    /**
     * Whether rows are filled into a text, which takes the fields that it names.
     *
     * @return true for {@code --template}.
     */
    public boolean isTemplate() {
        return template != null;
    }

    /**
     * Whether rows are a table, asked for or not, below which there is room for remarks.
     *
     * @return false for what programs read.
     */
    public boolean isTable() {
        return !isJson && !isCsv && template == null;
    }

    /**
     * Begins to print, as a table when no form is asked for.
     *
     * @param out to print to; flushed, not closed, by the rows.
     * @param err for warnings.
     * @return what takes the rows.
     * @throws CommandFailure when the options do not go together, or the template is wrong.
     */
    public Rows open(final PrintWriter out, final PrintWriter err) {
        return open(out, err, Terminal.isOutSeen());
    }

    /**
     * Begins to print rows whose columns are known, as a table when no form is asked for.
     *
     * @param out     to print to; flushed, not closed, by the rows.
     * @param err     for warnings.
     * @param columns all that rows may have, in their order.
     * @return what takes the rows.
     * @throws CommandFailure when the options do not go together, the template is wrong, or one names another column.
     */
    public Rows open(final PrintWriter out, final PrintWriter err, final List<String> columns) {
        return open(out, err, columns, Terminal.isOutSeen());
    }

    /** Begins to print; control characters of values are escaped when somebody looks. */
    Rows open(final PrintWriter out, final PrintWriter err, final boolean isSeen) {
        return open(out, err, List.of(), isSeen);
    }

    private Rows open(final PrintWriter out, final PrintWriter err, final List<String> known, final boolean isSeen) {
        isGiven();
        if (isJson) {
            return new JsonRows(out, isSeen);
        }
        if (template != null) {
            final RowTemplate text = new RowTemplate(template);
            text.fields()
                    .forEach(field ->
                            check("--template", known.contains(field) ? field : WantedColumns.head(field), known));
            return new TemplateRows(out, err, text, isSeen);
        }
        columns.forEach(column -> check("--columns", column, known));
        return isCsv ? new CsvRows(out, err, columns, known, isSeen) : new TableRows(out, err, columns);
    }

    private static void check(final String option, final String column, final List<String> known) {
        if (!known.isEmpty() && !known.contains(column)) {
            final List<String> near = Nearest.of(column, known);
            throw CommandFailure.badInput(option + ": no such column: " + column + " ("
                    + (near.isEmpty()
                            ? "there are " + String.join(", ", known)
                            : "did you mean " + String.join(" or ", near) + "?")
                    + ")");
        }
    }
}
