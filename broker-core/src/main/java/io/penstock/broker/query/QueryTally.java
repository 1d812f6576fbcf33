package io.penstock.broker.query;

import java.util.concurrent.atomic.AtomicLong;

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

    private final AtomicLong rowsScanned = new AtomicLong();
    private final AtomicLong recordsFound = new AtomicLong();

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
