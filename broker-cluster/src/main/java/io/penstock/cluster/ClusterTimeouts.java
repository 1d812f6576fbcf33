package io.penstock.cluster;

import java.util.concurrent.TimeUnit;

/**
 * How long nodes wait for each other.
 *
 * @param detectionNs after that long without a sign of life a leader is taken for gone.
 */
record ClusterTimeouts(long detectionNs) {
    /** Signs of life in the time of detection. */
    private static final int HEARTBEATS = 10;

    private static final int CANVASS_FACTOR = 5;

    static ClusterTimeouts ofDetectionMs(final int detectionMs) {
        return new ClusterTimeouts(TimeUnit.MILLISECONDS.toNanos(detectionMs));
    }

    long heartbeatNs() {
        return detectionNs / HEARTBEATS;
    }

    /** How long a vote takes at most. */
    long electionNs() {
        return detectionNs / 2;
    }

    /** How long a start looks for others; a multiple of the time of detection, as the consensus module wants it. */
    long canvassNs() {
        return CANVASS_FACTOR * detectionNs;
    }
}
