package io.penstock.bench.orb;

/**
 * One measurement of one subject.
 *
 * @param callsPerS       that ended, a second.
 * @param callCount       that ended in the measured time.
 * @param times           that calls took.
 * @param connectionCount to the server.
 * @param threadCount     of the server, besides those that it has without callers.
 * @param failedCount     calls that failed, the warm-up's as well.
 * @param lateCount       threads that had not called once when it began.
 */
record Measured(
        double callsPerS,
        long callCount,
        CallTimes times,
        int connectionCount,
        int threadCount,
        long failedCount,
        int lateCount) {
    /**
     * How long calls took.
     *
     * @param p50Us median.
     * @param p99Us 99th percentile.
     * @param maxUs of the longest call.
     */
    record CallTimes(double p50Us, double p99Us, double maxUs) {}

    double p50Us() {
        return times.p50Us();
    }

    double p99Us() {
        return times.p99Us();
    }

    double maxUs() {
        return times.maxUs();
    }
}
