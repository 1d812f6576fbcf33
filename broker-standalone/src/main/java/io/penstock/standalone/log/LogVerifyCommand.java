package io.penstock.standalone.log;

import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads a whole log. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Reads every file of a log and checks every record: length, checksum, that no sequence is missing,"
                    + " that runs follow each other, that the log reaches to where it says it was on stable"
                    + " storage; that snapshots are what was written, and reach to where the log begins; and that"
                    + " all files are there that the manifest and heads of files name.",
            "Damage is named by file, record and byte. Bytes behind the end of the log are none: they are what"
                    + " was being written, and a broker drops them when it starts."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:log and snapshots are whole", "1:they are damaged, or cannot be read", "2:there is no log"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock log verify /var/lib/penstock       # the log of a broker, running or not",
            "  penstock log verify /backup/penstock --json # of a copy"
        })
final class LogVerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LogDirectory directory;

    @Option(names = "--json", description = "One JSON object for each shard.")
    private boolean isJson;

    @Override
    public Integer call() {
        final PrintWriter out = spec.commandLine().getOut();
        boolean good = true;
        try (ProgressLine progress = ProgressLine.onErr()) {
            final JournalCatalog catalog = directory.catalog();
            for (final ShardLog log : catalog.shards()) {
                final long first = log.firstSequence();
                final ScanReport report = ScanReport.of(log, progress);
                progress.clear();
                final SnapshotReport snapshots = SnapshotReport.of(log, first);
                if (isJson) {
                    out.println(snapshots.json(report.json()).end());
                } else {
                    out.println(report.text());
                    snapshots.text(log.shard()).forEach(out::println);
                }
                out.flush();
                good &= report.damage() == null && snapshots.damage().isEmpty();
            }
            for (final String missing : catalog.missing()) {
                out.println(isJson ? new Json().field("damage", missing).end() : missing);
                good = false;
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        return good ? Main.EXIT_OK : Main.EXIT_FAILED;
    }
}
