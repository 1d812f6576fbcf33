package io.penstock.bench.state;

/**
 * How fast something went.
 *
 * @param count  of the things done.
 * @param wallNs that it took.
 * @param cpuNs  CPU time of all threads that did it.
 */
record Pace(long count, long wallNs, long cpuNs) {
    double perS() {
        return count * 1e9 / wallNs;
    }

    double perCpuS() {
        return count * 1e9 / cpuNs;
    }
}
