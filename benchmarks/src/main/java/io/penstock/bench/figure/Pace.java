package io.penstock.bench.figure;

/**
 * How fast something went.
 *
 * @param count  of the things done.
 * @param wallNs that it took.
 * @param cpuNs  CPU time of all threads that did it.
 */
public record Pace(long count, long wallNs, long cpuNs) {
    /**
     * By time.
     *
     * @return things done in a second.
     */
    public double perS() {
        return count * 1e9 / wallNs;
    }

    /**
     * By CPU time.
     *
     * @return things done in a second of it.
     */
    public double perCpuS() {
        return count * 1e9 / cpuNs;
    }

    /**
     * Adds another one that went on after it.
     *
     * @param more of the same things.
     * @return both together.
     */
    public Pace plus(final Pace more) {
        return new Pace(count + more.count, wallNs + more.wallNs, cpuNs + more.cpuNs);
    }
}
