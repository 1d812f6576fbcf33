package io.penstock.standalone.log;

import io.penstock.broker.journal.IndexCheck;
import io.penstock.broker.journal.IndexFinding;
import io.penstock.broker.journal.JournalCatalog;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.WorkShare;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks the indexes of a log, makes them again, or prints what they should be. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        description = {
            "Compares the index of each full file with the file: shard, index, entries, and whether it is ok,"
                    + " missing, damaged, different, or of no file.",
            "The newest file has no index yet. The whole log is read for that."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all indexes are right, or were made right",
            "1:some are not, or the log cannot be read, or a broker uses what is to be written",
            "2:there is no log"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock log index /var/lib/penstock",
            "  penstock log index /var/lib/penstock --rebuild # the broker is stopped",
            "  penstock log index /var/lib/penstock --entries --json | tail -n 1"
        })
final class LogIndexCommand implements Callable<Integer> {
    private static final List<String> INDEX_COLUMNS = List.of("shard", "index", "entries", "state");
    private static final List<String> ENTRY_COLUMNS = List.of("shard", "sequence", "time", "file", "byte");

    @Spec
    private CommandSpec spec;

    @Mixin
    private LogDirectory directory;

    @Mixin
    private RowOptions rows;

    @Option(
            names = "--rebuild",
            description =
                    "Make wrong indexes again, and delete those of no file. Only when no broker uses the directory.")
    private boolean isToRebuild;

    @Option(
            names = "--entries",
            description =
                    "Print the entries that the records make, and look at no index: an entry in each 64 KiB or so,"
                            + " with shard and sequence, time, file and byte.")
    private boolean isToPrint;

    @Override
    public Integer call() {
        if (isToPrint && isToRebuild) {
            throw CommandFailure.badInput("--entries: only prints (leave --rebuild out)");
        }
        rows.checkLines();
        try (RowLines out = new RowLines(spec, rows, isToPrint ? ENTRY_COLUMNS : INDEX_COLUMNS)) {
            if (isToPrint) {
                print(out);
                return Main.EXIT_OK;
            }
            return check(out) ? Main.EXIT_OK : Main.EXIT_FAILED;
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
    }

    private boolean check(final RowLines out) throws IOException {
        final JournalCatalog catalog = directory.catalog();
        if (!isToRebuild) {
            return check(out, catalog);
        }
        try (Closeable lock = catalog.lock()) {
            return lock != null && check(out, catalog);
        }
    }

    private boolean check(final RowLines out, final JournalCatalog catalog) throws IOException {
        final boolean[] good = {true};
        final long[] count = new long[1];
        try (ProgressLine progress = ProgressLine.onErr()) {
            for (final ShardLog log : catalog.shards()) {
                final WorkShare share = new WorkShare(log.files().size() - 1);
                final long before = count[0];
                new IndexCheck(log, isToRebuild, finding -> {
                            good[0] &= finding.isRight();
                            progress.clear();
                            out.print(() -> json(log.shard(), finding), () -> text(log.shard(), finding));
                            count[0]++;
                            if (progress.isDue()) {
                                progress.draw(String.format("shard %d: %,d indexes checked", log.shard(), count[0])
                                        + share.text(count[0] - before));
                            }
                        })
                        .run();
            }
        }
        return good[0];
    }

    private static String text(final int shard, final IndexFinding finding) {
        return String.format(
                "shard %d: %s: %,d entries, %s", shard, finding.name(), finding.entryCount(), state(finding));
    }

    private static String json(final int shard, final IndexFinding finding) {
        return new Json()
                .field("shard", shard)
                .field("index", finding.name())
                .field("entries", finding.entryCount())
                .field("state", state(finding))
                .end();
    }

    private static String state(final IndexFinding finding) {
        final String wrong = finding.wrong();
        return wrong == null ? "ok" : finding.isMade() ? "mended; was: " + wrong : wrong;
    }

    private void print(final RowLines out) throws IOException {
        for (final ShardLog log : directory.shards()) {
            try (LogScan scan = log.scan()) {
                while (scan.next()) {
                    if (scan.isIndexed()) {
                        out.print(() -> json(scan), () -> columns(scan));
                    }
                }
            }
        }
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
