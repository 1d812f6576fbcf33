package io.penstock.standalone.log;

import io.penstock.broker.journal.LogFile;
import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the files of a log. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the files of a log: shard, name, first and last sequence, when it was begun, bytes, the run"
                    + " that marked it last, and the newest record that its marks say was on stable storage.",
            "The last sequence of the newest file, and what lies behind the end of the log, stands below; for"
                    + " that the log is read."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock log ls /var/lib/penstock",
            "  penstock log ls /var/lib/penstock --json | jq .durable",
            "  penstock log ls /var/lib/penstock --quick # without reading the log for its end"
        })
final class LogListCommand implements Callable<Integer> {
    private static final List<String> COLUMNS =
            List.of("shard", "file", "first", "last", "begun", "bytes", "run", "durable", "state");

    @Spec
    private CommandSpec spec;

    @Mixin
    private LogDirectory directory;

    @Mixin
    private RowOptions rows;

    @Option(names = "--quick", description = "Do not read the log for where it ends.")
    private boolean isQuick;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        boolean good = true;
        final StringBuilder ends = new StringBuilder();
        try (Rows table = rows.open(out, spec.commandLine().getErr(), COLUMNS)) {
            for (final ShardLog log : directory.shards()) {
                for (final LogFile file : log.files()) {
                    final String row = row(log.shard(), file);
                    good &= file.wrong() == null;
                    table.add(row);
                }
                if (!isQuick) {
                    final ScanReport report = ScanReport.of(log, null);
                    good &= report.damage() == null;
                    ends.append(rows.isJson() ? report.json().end() : report.text())
                            .append('\n');
                }
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        // Not among comma-separated values or lines of a template.
        final PrintWriter endsTo =
                rows.isTable() || rows.isJson() ? out : spec.commandLine().getErr();
        endsTo.print(ends);
        endsTo.flush();
        return good ? Main.EXIT_OK : Main.EXIT_FAILED;
    }

    private static String row(final int shard, final LogFile file) {
        final Json json =
                new Json().field("shard", shard).field("file", file.name()).field("first", file.firstSequence());
        if (file.lastSequence() > 0) {
            json.field("last", file.lastSequence());
        } else {
            json.field("last", "");
        }
        return json.field(
                        "begun",
                        file.wrong() == null ? RecordLines.time(file.marks().createdNs()) : "")
                .field("bytes", file.length())
                .field("run", file.marks().epoch())
                .field("durable", file.marks().durableSequence())
                .field("state", file.wrong() == null ? "ok" : file.wrong())
                .end();
    }
}
