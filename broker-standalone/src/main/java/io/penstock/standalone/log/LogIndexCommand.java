package io.penstock.standalone.log;

import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the sparse index of a log. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the sparse index of each file as its records make it: an entry in each 64 KiB or so, with shard and",
            "sequence, time, file and byte, with tabs between. The whole log is read for that, and nothing is written."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  penstock log index /var/lib/penstock", "  penstock log index /var/lib/penstock --json | tail -n 1"
        })
final class LogIndexCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LogDirectory directory;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean isJson;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        try {
            for (final ShardLog log : directory.shards()) {
                try (LogScan scan = log.scan()) {
                    while (scan.next()) {
                        if (scan.isIndexed()) {
                            out.println(isJson ? json(scan) : columns(scan));
                        }
                    }
                }
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        } finally {
            out.flush();
        }
        return Main.EXIT_OK;
    }

    private static String columns(final LogScan scan) {
        return scan.shard() + ":" + scan.sequence() + "\t" + RecordLines.time(scan.timestampNs()) + "\t" + scan.path()
                + "\t" + scan.position();
    }

    private static String json(final LogScan scan) {
        return new Json()
                .field("shard", scan.shard())
                .field("sequence", scan.sequence())
                .field("time", RecordLines.time(scan.timestampNs()))
                .field("file", scan.path())
                .field("byte", scan.position())
                .end();
    }
}
