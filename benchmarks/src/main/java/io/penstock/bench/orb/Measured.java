package io.penstock.bench.orb;

/**
 * What was measured of one subject once.
 *
 * @param callsPerS       that ended, a second.
 * @param callCount       that ended in the measured time.
 * @param p50Us           time of a call, median.
 * @param p99Us           time of a call, 99th percentile.
 * @param maxUs           time of the longest call.
 * @param connectionCount to the server.
 * @param threadCount     of the server, besides those that it has without callers.
 * @param failedCount     calls that failed, the warm-up's as well.
 * @param lateCount       threads that had not called once when it began.
 */
record Measured(
        double callsPerS,
        long callCount,
        double p50Us,
        double p99Us,
        double maxUs,
        int connectionCount,
        int threadCount,
        long failedCount,
        int lateCount) {}
