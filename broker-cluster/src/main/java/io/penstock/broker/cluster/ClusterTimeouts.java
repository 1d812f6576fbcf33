package io.penstock.broker.cluster;

import java.util.concurrent.TimeUnit;

/**
 * How long nodes wait for each other.
 *
 * @param detectionNs after that long without a sign of life a leader is taken for gone.
 * @param electionNs  how long a vote takes at most.
 */
record ClusterTimeouts(long detectionNs, long electionNs) {
    /** A fail-over takes less than 2 s. */
    static final ClusterTimeouts DEFAULTS =
            new ClusterTimeouts(TimeUnit.SECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(500));

    /** Signs of life in the time of detection. */
    private static final int HEARTBEATS = 10;

    private static final int CANVASS_FACTOR = 5;

    long heartbeatNs() {
        return detectionNs / HEARTBEATS;
    }

    /** A multiple of the time of detection, as the consensus module wants it. */
    long canvassNs() {
        return CANVASS_FACTOR * detectionNs;
    }
}
