package io.penstock.standalone.log;

import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.MergedLog;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.RowOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the records of a log. */
@Command(
        name = "cat",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the records of a log, one a line, those of all shards in the order of their times: shard and"
                    + " sequence, time, what it is, topic, message, with tabs between.",
            "Line ends and tabs within a message are printed as spaces."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock log cat /var/lib/penstock",
            "  penstock log cat /var/lib/penstock --topic orders --from 2026-05-01T09:30:00Z",
            "  penstock log cat /var/lib/penstock --from 1000 --to 1999 --shard 0",
            "  penstock log cat /var/lib/penstock --json | jq -c 'select(.type == \"message\") | .message'"
        })
final class LogPrintCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LogDirectory directory;

    @Mixin
    private LogSelection selection;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        try (MergedLog log = new MergedLog(selection.shards(directory.shards()));
                RecordLines lines = RecordLines.of(spec, rows, RecordLines.LOG_COLUMNS)) {
            log.problems().forEach(problem -> StateSource.warn(spec, problem));
            for (LogScan scan = log.next(); scan != null; scan = log.next()) {
                if (selection.has(scan)) {
                    lines.write(scan);
                }
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        selection.checkTopics();
        return Main.EXIT_OK;
    }
}
