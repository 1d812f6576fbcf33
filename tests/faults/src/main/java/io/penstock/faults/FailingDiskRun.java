package io.penstock.faults;

import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * System calls that fail: a sync with EIO, a write with ENOSPC. Nothing is acknowledged from then on, publishes are
 * refused with JOURNAL_FAILED, the state can be queried, and after a restart all is there that was acknowledged.
 */
final class FailingDiskRun {
    private static final int EIO = 5;
    private static final int ENOSPC = 28;

    private final Settings settings;
    private final Report report;

    FailingDiskRun(final Settings settings, final Report report) {
        this.settings = settings;
        this.report = report;
    }

    void run() throws IOException, InterruptedException {
        run("EIO of a sync", "posix/io/sync/*", EIO);
        run("ENOSPC of a write", "posix/io/rw/pwrite*", ENOSPC);
    }

    private void run(final String what, final String call, final int errno) throws IOException, InterruptedException {
        final Path fiuRun = Programs.find("fiu-run");
        final Path fiuCtrl = Programs.find("fiu-ctrl");
        if (fiuRun == null || fiuCtrl == null) {
            report.skipped(what, "no fiu-run (apt: fiu-utils)");
            return;
        }
        final long startNs = System.nanoTime();
        final Path folder = Folders.fresh(settings.work().resolve("fiu"));
        final Path directory = folder.resolve("log");
        final Acknowledged acknowledged = new Acknowledged(Settings.PUBLISHER_COUNT);
        final List<String> wrapper =
                List.of(fiuRun.toString(), "-x", "-f", folder.resolve("fiu").toString());
        String wrong;
        try (BrokerProcess broker = BrokerProcess.start(settings.jar(), directory, wrapper)) {
            wrong = fail(
                    broker,
                    acknowledged,
                    fiuCtrl.toString(),
                    "-f",
                    folder.resolve("fiu").toString(),
                    "-c",
                    "enable name=" + call + ",failinfo=" + errno);
        }
        final LogContents log = LogContents.read(directory, Settings.PUBLISHER_COUNT);
        final Tally tally = log.compare(acknowledged);
        if (wrong == null) {
            wrong = log.damage() == null && tally.isGood() ? null : tally + " " + log.damage();
        }
        if (wrong == null) {
            wrong = DiskFault.restart(settings.jar(), directory);
        }
        report.done(what, "refused and started again", tally.toString(), wrong, System.nanoTime() - startNs);
    }

    private static @Nullable String fail(
            final BrokerProcess broker, final Acknowledged acknowledged, final String... control)
            throws IOException, InterruptedException {
        final String endpoint = broker.awaitEndpoint();
        if (endpoint == null) {
            return "the broker did not start: " + broker.output();
        }
        try (Load load = Load.start(endpoint, acknowledged, Settings.IN_FLIGHT_MAX)) {
            String wrong = DiskFault.awaitAcknowledgement(acknowledged, 0);
            if (wrong != null) {
                return wrong;
            }
            final String[] command = Arrays.copyOf(control, control.length + 1);
            command[control.length] = String.valueOf(broker.pid());
            wrong = DiskFault.run(command);
            if (wrong != null) {
                return wrong;
            }
            wrong = DiskFault.awaitRefusal(load, ErrorCode.JOURNAL_FAILED);
            if (wrong != null) {
                return wrong;
            }
        }
        final long before = acknowledged.count();
        try (Load load = Load.start(endpoint, acknowledged, 1)) {
            final String wrong = DiskFault.awaitRefusal(load, ErrorCode.JOURNAL_FAILED);
            if (wrong != null) {
                return "after the failure: " + wrong;
            }
        }
        return acknowledged.count() == before ? null : "a message was acknowledged after the disk had failed";
    }
}
