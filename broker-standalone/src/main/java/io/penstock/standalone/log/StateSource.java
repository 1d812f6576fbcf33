package io.penstock.standalone.log;

import io.penstock.broker.agent.StateImage;
import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.ShardLog;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A log directory whose state is made. */
final class StateSource {
    private static final int PROGRESS_EACH = 1024;

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

    /** Makes the state of a shard, which its taker closes. Returns the sequence up to which that is. */
    long make(final ShardLog log, final StateImage image) throws IOException {
        try (LogScan scan = log.scan();
                ProgressLine progress = ProgressLine.onErr()) {
            long last = 0;
            while (scan.next()) {
                image.onRecord(scan.buffer(), scan.offset());
                last = scan.sequence();
                if (scan.recordCount() % PROGRESS_EACH == 0 && progress.isDue()) {
                    progress.draw(String.format("shard %d: %,d records applied", log.shard(), scan.recordCount()));
                }
            }
            return last;
        }
    }

    StateImage image() {
        return new StateImage((long) memoryMib << 20);
    }
}
