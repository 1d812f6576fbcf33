package io.penstock.standalone.message;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.RowOptions;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for columns before a message in its line. */
final class LineOptions {
    @Option(
            names = {"-l", "--long"},
            description = "Put time, topic and bookmark (shard:sequence) before each message, with tabs between.")
    private boolean isLong;

    @Option(
            names = "--kinds",
            description = "Put what it is before each message, with a tab: message, state, delta, oof-match,"
                    + " oof-deleted, oof-expired.")
    private boolean hasKinds;

    @Option(
            names = "--keys",
            description = "Put the key before each message, with a tab: as its publisher gave it, or a message of its"
                    + " fields.")
    private boolean hasKeys;

    @Option(names = "--headers", description = "Put the headers before each message, with a tab.")
    private boolean hasHeaders;

    @Mixin
    private RowOptions rows;

    /**
     * Refuses what does not go together.
     *
     * @param ends whether the messages end by themselves.
     */
    void check(final boolean ends) {
        rows.checkLines();
        if (!ends && rows.isGiven() && rows.isTable()) {
            throw CommandFailure.badInput(
                    "--table: is drawn when all messages are there (add --count, --seconds or --to, or use --csv)");
        }
    }

    /** Refuses a form that prints messages after they were noted as printed. */
    void checkNoted(final boolean isNoted) {
        if (isNoted && rows.isGiven() && rows.isTable()) {
            throw CommandFailure.badInput(
                    "--table: is drawn at the end, --bookmark-store notes each message as it is printed"
                            + " (use --csv, or leave one out)");
        }
    }

    /** Begins to print; the caller closes it. */
    MessageOutput open(final PrintWriter out, final PrintWriter err) {
        final boolean isAll = rows.isTemplate();
        final MessageColumns columns =
                new MessageColumns(isLong || isAll, hasKinds || isAll, hasKeys || isAll, hasHeaders || isAll);
        rows.checkLines();
        return rows.isGiven()
                ? new MessageRows(rows.open(out, err), rows.isJson(), columns)
                : new MessageLines(columns);
    }
}
