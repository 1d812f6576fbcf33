package io.penstock.standalone.bench.orb;

/**
 * What was measured of one subject once.
 *
 * @param callsPerS       that ended, a second.
 * @param p50Us           time of a call, median.
 * @param p99Us           time of a call, 99th percentile.
 * @param connectionCount to the server.
 * @param threadCount     of the server, besides those that it has without callers.
 * @param failedCount     calls that failed, the warm-up's as well.
 */
record Measured(double callsPerS, double p50Us, double p99Us, int connectionCount, int threadCount, long failedCount) {}
