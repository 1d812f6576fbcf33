package io.penstock.broker.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of several shards' logs, in the order of their times; those of a shard stay in their order. Each log ends
 * where it ended when it was opened. Has one owner.
 */
public final class MergedLog implements AutoCloseable {
    private final List<LogScan> scans = new ArrayList<>();
    private final List<LogScan> waiting = new ArrayList<>();
    private @Nullable LogScan present;

    /**
     * Starts before the first record.
     *
     * @param logs to read.
     * @throws IOException when they cannot be read.
     */
    public MergedLog(final List<ShardLog> logs) throws IOException {
        boolean opened = false;
        try {
            for (final ShardLog log : logs) {
                final LogScan scan = log.endingNow().scan();
                scans.add(scan);
                if (scan.next()) {
                    waiting.add(scan);
                }
            }
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /**
     * Goes to the next record.
     *
     * @return the scan that is at it, valid until the next call; null at the end.
     * @throws IOException when a log is damaged or cannot be read.
     */
    public @Nullable LogScan next() throws IOException {
        final LogScan former = present;
        if (former != null && !former.next()) {
            waiting.remove(former);
        }
        LogScan oldest = null;
        for (final LogScan each : waiting) {
            if (oldest == null || each.timestampNs() < oldest.timestampNs()) {
                oldest = each;
            }
        }
        present = oldest;
        return oldest;
    }

    /**
     * Problems of snapshots that should have the names from removed records.
     *
     * @return for people, each with its file; empty when nothing is.
     */
    public List<String> problems() {
        final List<String> problems = new ArrayList<>();
        for (final LogScan scan : scans) {
            problems.addAll(scan.problems());
        }
        return problems;
    }

    @Override
    public void close() throws IOException {
        for (final LogScan scan : scans) {
            scan.close();
        }
    }
}
