package io.penstock.standalone.log;

import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.shard.recovery.StateImage;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.WorkShare;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A log directory whose state is made. */
final class StateSource {
    private static final int PROGRESS_EACH = 1024;
    private static final int ATTEMPTS = 5;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private LogDirectory directory;

    @Option(
            names = "--memory-mib",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Most memory for the state of a shard, in MiB (default: 4096).")
    private int memoryMib;

    /** The logs. */
    List<ShardLog> shards() {
        if (memoryMib < 1) {
            throw CommandFailure.badInput("--memory-mib: too small: " + memoryMib + " (use 1 or more)");
        }
        return directory.shards();
    }

    /**
     * Makes the state of a shard as a broker does when it starts: from the newest snapshot that is good, and the log after
     * it. A damaged one is named on standard error.
     */
    MadeState make(final ShardLog log) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return tryToMake(log);
            } catch (final NoSuchFileException e) {
                // A broker has taken newer snapshots meanwhile.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private MadeState tryToMake(final ShardLog log) throws IOException {
        final long first = log.firstSequence();
        final long after = log.beginsAfter();
        for (final long sequence : log.snapshots()) {
            if (sequence < after) {
                // Retention has removed the log after it, as is intended for old snapshots.
                break;
            }
            final StateImage image = load(log, sequence);
            if (image != null) {
                return replay(log, image, sequence);
            }
        }
        if (first > 1) {
            throw new IOException(noBeginning(log, first));
        }
        return replay(log, image(), 0);
    }

    /** That the state cannot be made, as the log begins too late. */
    static String noBeginning(final ShardLog log, final long first) {
        return log.path() + ": the log begins with record " + first
                + ", and no snapshot of the state up to there is usable (restore one from a copy)";
    }

    /** The state of a snapshot, or null when that is damaged. */
    private @Nullable StateImage load(final ShardLog log, final long sequence) throws IOException {
        final StateImage image = image();
        boolean loaded = false;
        try (SnapshotReader snapshot = log.snapshot(sequence)) {
            image.load(snapshot);
            loaded = true;
            return image;
        } catch (final SnapshotCorruptException e) {
            warn(spec, e.getMessage() + "; an older one is used, or the whole log");
            return null;
        } finally {
            if (!loaded) {
                image.close();
            }
        }
    }

    /** Says something that is no result. */
    static void warn(final CommandSpec spec, final String text) {
        final PrintWriter err = spec.commandLine().getErr();
        err.println(ControlCharacters.onErr(spec.qualifiedName() + ": " + text));
        err.flush();
    }

    private static MadeState replay(final ShardLog log, final StateImage image, final long after) throws IOException {
        boolean made = false;
        try {
            final long last = replay(log, image, after, sequence -> {});
            made = true;
            return new MadeState(image, last);
        } finally {
            if (!made) {
                image.close();
            }
        }
    }

    /**
     * Applies the log after a record.
     *
     * @param before gets the sequence of each record before it is applied.
     * @return the last one.
     */
    static long replay(final ShardLog log, final StateImage image, final long after, final LongConsumer before)
            throws IOException {
        try (LogScan scan = log.scan(after + 1);
                ProgressLine progress = ProgressLine.onErr()) {
            final long whole = ScanReport.total(log, progress);
            final WorkShare share = new WorkShare(Math.max(0, whole - after + Math.max(1, log.firstSequence()) - 1));
            long last = after;
            while (scan.next()) {
                last = scan.sequence();
                before.accept(last);
                image.onRecord(scan.buffer(), scan.offset());
                if (scan.recordCount() % PROGRESS_EACH == 0 && progress.isDue()) {
                    progress.draw(String.format("shard %d: %,d records applied", log.shard(), scan.recordCount())
                            + share.text(scan.recordCount()));
                }
            }
            return last;
        }
    }

    StateImage image() {
        return new StateImage((long) memoryMib << 20);
    }
}
