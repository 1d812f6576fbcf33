package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Wall time and CPU time of the current thread, added up over the pieces that count. Confined to one thread. */
final class Stopwatch {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long startNs;
    private long startCpuNs;
    private long wallNs;
    private long cpuNs;

    void start() {
        startCpuNs = THREADS.getCurrentThreadCpuTime();
        startNs = System.nanoTime();
    }

    void stop() {
        wallNs += System.nanoTime() - startNs;
        cpuNs += THREADS.getCurrentThreadCpuTime() - startCpuNs;
    }

    /** The measured pace, for a number of operations. */
    Pace pace(final long count) {
        return new Pace(count, wallNs, cpuNs);
    }
}
