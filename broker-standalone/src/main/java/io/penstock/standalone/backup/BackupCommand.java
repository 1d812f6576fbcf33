package io.penstock.standalone.backup;

import io.penstock.broker.journal.backup.BackupList;
import io.penstock.broker.journal.backup.JournalBackup;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.log.LogDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the directory of a broker while it runs. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Copies log and state of a broker, running or not, into a new folder that is named after the time. All of it is"
                    + " of one moment for each shard, which is printed.",
            "Files that an earlier backup in the same folder has, and that never change, are not copied again. What was"
                    + " copied is read and checked before the folder gets its name: one that ends in .tmp is no backup."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there is a new backup",
            "1:there is none: the log is damaged, another backup is under way, or a disk fails; or there is one, and an old"
                    + " one cannot be removed",
            "2:there is no log, or an option is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock backup /var/lib/penstock --to /backup/penstock",
            "  penstock backup /var/lib/penstock --to /backup/penstock --keep 48",
            "  penstock backup /var/lib/penstock --to /backup/penstock --rate 50MiB/s # leave the disk to the broker"
        })
public final class BackupCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "The journal.directory of a broker, running or not.")
    private Path directory;

    @Option(
            names = "--to",
            paramLabel = "FOLDER",
            required = true,
            description = "The folder of backups, made if it is not there; best on another disk.")
    private Path to;

    @Option(names = "--rate", paramLabel = "RATE", description = "Copy no faster, as in 50MiB/s.")
    private @Nullable String rate;

    @Option(
            names = "--keep",
            paramLabel = "COUNT",
            description = "Then remove all but the newest COUNT backups of this log, the new one among them.")
    private int keep = Integer.MAX_VALUE;

    @Option(names = "--json", description = "One JSON object.")
    private boolean isJson;

    /** Made by the command line. */
    public BackupCommand() {}

    @Override
    public Integer call() {
        if (!Files.isDirectory(directory)) {
            throw CommandFailure.badInput(directory + ": no such directory (give the journal.directory of a broker)");
        }
        if (to.toAbsolutePath()
                .normalize()
                .startsWith(directory.toAbsolutePath().normalize())) {
            throw CommandFailure.badInput("--to: in the broker's own directory: " + to + " (use a folder elsewhere)");
        }
        if (keep < 1) {
            throw CommandFailure.badInput("--keep: " + keep + " (use 1 or more: the new backup is one of them)");
        }
        final JournalBackup.Result made;
        try (ProgressLine progress = ProgressLine.onErr()) {
            made = JournalBackup.make(
                    directory.toString(), to.toString(), Instant.now(), new CopyProgress(rate, progress), keep);
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(json(made));
        } else {
            made.list().shards().forEach(each -> out.println(text(each)));
            out.printf(
                    "%s: %,d files, %s; copied %,d of them, %s%n",
                    made.path(),
                    made.list().files().size(),
                    length(made.length()),
                    made.copiedCount(),
                    length(made.copiedLength()));
            made.removed().forEach(each -> out.println(each + ": removed"));
        }
        out.flush();
        return Main.EXIT_OK;
    }

    private static String length(final long bytes) {
        return bytes < 1 << 20
                ? String.format(Locale.ROOT, "%,d KiB", (bytes + 1023) >> 10)
                : String.format(Locale.ROOT, "%,d MiB", bytes >> 20);
    }

    private static String text(final BackupList.Shard shard) {
        return String.format(
                "shard %d: records %d to %d, and the state as of the last", shard.shard(), shard.first(), shard.last());
    }

    private static String json(final JournalBackup.Result made) {
        final StringBuilder shards = new StringBuilder();
        for (final BackupList.Shard each : made.list().shards()) {
            shards.append(shards.isEmpty() ? "" : ",")
                    .append(new Json()
                            .field("shard", each.shard())
                            .field("first", each.first())
                            .field("last", each.last())
                            .end());
        }
        return new Json()
                .field("backup", made.path())
                .raw("shards", "[" + shards + "]")
                .field("files", made.list().files().size())
                .field("bytes", made.length())
                .field("copiedFiles", made.copiedCount())
                .field("copiedBytes", made.copiedLength())
                .field("removed", made.removed().size())
                .end();
    }
}
