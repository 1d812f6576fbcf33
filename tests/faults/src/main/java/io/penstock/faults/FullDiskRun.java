package io.penstock.faults;

import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A disk of 4 MiB that fills: publishes are refused with JOURNAL_FULL, the state can be queried, and publishing goes on
 * when there is room again.
 */
final class FullDiskRun {
    private static final String WHAT = "full disk";
    private static final int FILLER_LENGTH = 2 * 1024 * 1024;
    private static final int RETRY_MS = 200;
    private static final int RETRY_COUNT_MAX = 100;
    private static final String[] OPTIONS = {"--set", "journal.fileLength=262144"};

    private final Settings settings;
    private final Report report;

    FullDiskRun(final Settings settings, final Report report) {
        this.settings = settings;
        this.report = report;
    }

    void run() throws IOException, InterruptedException {
        final Path disk = Folders.fresh(settings.work().resolve("full"));
        final String refused = DiskFault.run("mount", "-t", "tmpfs", "-o", "size=4m", "penstock", disk.toString());
        if (refused != null) {
            report.skipped(WHAT, "cannot mount a file system: " + refused);
            return;
        }
        final long startNs = System.nanoTime();
        final Acknowledged acknowledged = new Acknowledged(Settings.PUBLISHER_COUNT);
        final Path directory = disk.resolve("log");
        String wrong;
        Tally tally = Tally.NONE;
        try {
            Files.write(disk.resolve("filler"), new byte[FILLER_LENGTH]);
            wrong = fill(disk, directory, acknowledged);
            final LogContents log = LogContents.read(directory, Settings.PUBLISHER_COUNT);
            tally = log.compare(acknowledged);
            if (wrong == null) {
                wrong = log.damage() == null && tally.isGood() ? null : tally + " " + log.damage();
            }
            if (wrong == null) {
                wrong = DiskFault.restart(settings.jar(), directory, OPTIONS);
            }
        } finally {
            final String busy = DiskFault.run("umount", disk.toString());
            if (busy != null) {
                DiskFault.run("umount", "-l", disk.toString());
            }
        }
        report.done(WHAT, "refused and gone on", tally.toString(), wrong, System.nanoTime() - startNs);
    }

    private @Nullable String fill(final Path disk, final Path directory, final Acknowledged acknowledged)
            throws IOException, InterruptedException {
        try (BrokerProcess broker = BrokerProcess.start(settings.jar(), directory, List.of(), OPTIONS)) {
            final String endpoint = broker.awaitEndpoint();
            if (endpoint == null) {
                return "the broker did not start: " + broker.output();
            }
            try (Load load = Load.start(endpoint, acknowledged, Settings.IN_FLIGHT_MAX)) {
                final String wrong = DiskFault.awaitRefusal(load, ErrorCode.JOURNAL_FULL);
                if (wrong != null) {
                    return wrong;
                }
            }
            final long before = acknowledged.count();
            final String difference = LiveState.older(endpoint, LogContents.read(directory, Settings.PUBLISHER_COUNT));
            if (difference != null) {
                return "while the disk is full: " + difference;
            }
            Files.delete(disk.resolve("filler"));
            for (int i = 0; i < RETRY_COUNT_MAX && acknowledged.count() <= before + RETRY_COUNT_MAX; i++) {
                try (Load load = Load.start(endpoint, acknowledged, Settings.IN_FLIGHT_MAX)) {
                    TimeUnit.MILLISECONDS.sleep(RETRY_MS);
                    if (load.refusal() != null && load.refusal() != ErrorCode.JOURNAL_FULL) {
                        return "refused with " + load.refusal() + " after there was room";
                    }
                }
            }
            return acknowledged.count() > before ? null : "publishing did not go on after there was room";
        }
    }
}
