package io.penstock.standalone.backup;

import io.penstock.broker.journal.backup.BackupList;
import io.penstock.broker.journal.backup.JournalRestore;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.log.LogDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a broker's directory of a backup, or checks one. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Copies a backup into a new or empty directory, and compares each file with the checksum that it had when"
                    + " it was backed up. A broker that is started there has log and state as of the backup.",
            "The log goes on far above its last record, so that no bookmark of a lost record means another one now."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the directory is complete, or the backup is good",
            "1:the directory is not empty, the backup is damaged, or a disk fails",
            "2:there is no such backup"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock restore /backup/penstock/20260501T093000.000Z /var/lib/penstock",
            "  penstock restore /backup/penstock/20260501T093000.000Z --check # reads it, writes nothing"
        })
public final class RestoreCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BACKUP", description = "A backup: a folder that penstock backup has made.")
    private Path backup;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIR",
            description = "The journal.directory of the broker to come: new or empty.")
    private @Nullable Path directory;

    @Option(names = "--check", description = "Read all of the backup, and write nothing.")
    private boolean isCheck;

    @Option(
            names = "--no-gap",
            description = "Let the log go on with the next sequence: only if the broker has written nothing since the"
                    + " backup, as when it was stopped before and moves.")
    private boolean isWithoutGap;

    @Option(names = "--rate", paramLabel = "RATE", description = "Copy no faster, as in 50MiB/s.")
    private @Nullable String rate;

    /** Made by the command line. */
    public RestoreCommand() {}

    @Override
    public Integer call() {
        final Path target = directory;
        if (isCheck == (target != null)) {
            throw CommandFailure.badInput(
                    isCheck
                            ? "--check: writes nothing (leave the directory out)"
                            : "restore: where to? (give a new or an empty directory, or --check)");
        }
        final PrintWriter out = spec.commandLine().getOut();
        try (ProgressLine progress = ProgressLine.onErr()) {
            final CopyProgress listener = new CopyProgress(rate, progress);
            final JournalRestore restore = open();
            if (target == null) {
                restore.check(listener);
            } else {
                restore.restore(target.toString(), !isWithoutGap, listener);
            }
            progress.clear();
            for (final BackupList.Shard each : restore.list().shards()) {
                out.printf("shard %d: records %d to %d%n", each.shard(), each.first(), each.last());
            }
            out.println(
                    target == null
                            ? backup + ": " + restore.list().files().size() + " files, all as they were backed up"
                            : target + ": as of " + restore.list().made());
            out.flush();
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        return Main.EXIT_OK;
    }

    private JournalRestore open() throws IOException {
        try {
            return JournalRestore.open(backup.toString());
        } catch (final NoSuchFileException e) {
            throw CommandFailure.badInput(
                    backup + ": " + e.getReason() + " (give a folder that penstock backup has made)");
        }
    }
}
