package io.penstock.broker.query;

import io.penstock.broker.query.explain.WorkerReport;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts of rows that one worker of a query has looked at and found. Written by its agent, published a block at a time.
 */
final class QueryTally {
    /** Records looked at; for its own agent, and for others when it is done. */
    long topicMatches;

    /** Records that match; for its own agent, and for others when it is done. */
    long matches;

    /** Rows whose messages were read to decide about them, or for columns; the same. */
    long rowsRead;

    /** Bytes of the messages that were looked at. */
    long lengthRead;

    /** What was done with each topic, when the query is to be explained; for others when its agent is done. */
    private @Nullable WorkerReport report;

    private final AtomicLong rowsScanned = new AtomicLong();
    private final AtomicLong recordsFound = new AtomicLong();

    /** Another block of rows of a source comes. */
    void onBlock(final QueryRun run, final int source) {
        if (run.isExplained()) {
            WorkerReport to = report;
            if (to == null) {
                to = new WorkerReport(run.sources().size());
                report = to;
            }
            to.onBlock(source, topicMatches, matches, rowsRead);
        }
    }

    /** Rows of a block were looked for by columns, when so many had been read before. */
    void onPrepared(final SourceScan scan, final long readBefore) {
        rowsRead += scan.rowsRead() - readBefore;
        topicMatches += scan.passedCount();
        onMatches(scan.collectedCount());
    }

    /** So many records were looked at that match. */
    void onMatches(final int count) {
        topicMatches += count;
        matches += count;
    }

    /** No more rows come. Called before the readers' columns may be dropped. */
    void onScanned(final @Nullable SourceReader[] readers) {
        final WorkerReport to = report;
        if (to != null && to.complete()) {
            to.onBlock(-1, topicMatches, matches, rowsRead);
            for (int i = 0; i < readers.length; i++) {
                final SourceReader reader = readers[i];
                if (reader != null) {
                    reader.describe(to.of(i));
                }
            }
        }
    }

    /** What was done with each topic; null when the query is not explained, or its agent had nothing to do. */
    @Nullable
    WorkerReport report() {
        return report;
    }

    /** Shows how far the worker is, after so many more rows. */
    void publish(final int rowCount) {
        rowsScanned.setRelease(rowsScanned.getPlain() + rowCount);
        recordsFound.setRelease(matches);
    }

    /** Rows looked at so far. Called from any thread. */
    long rowsScanned() {
        return rowsScanned.getAcquire();
    }

    /** Records found so far. Called from any thread. */
    long recordsFound() {
        return recordsFound.getAcquire();
    }
}
