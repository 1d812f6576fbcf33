package io.penstock.bench.journal;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * CPU time and memory that the threads of this process have used so far: those that read files, the broker's others,
 * this one.
 */
final class ThreadUse {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final String READER = "file-replayer";
    private static final String BROKER_PREFIX = "penstock";

    private double readerNs;
    private double brokerNs;
    private double ownNs;
    private double allocated;

    private ThreadUse() {}

    static ThreadUse now() {
        final ThreadUse use = new ThreadUse();
        final long own = Thread.currentThread().getId();
        for (final ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread == null) {
                continue;
            }
            final long id = thread.getThreadId();
            final double cpuNs = Math.max(0, THREADS.getThreadCpuTime(id));
            if (id == own) {
                use.ownNs += cpuNs;
            } else if (thread.getThreadName().endsWith(READER)) {
                use.readerNs += cpuNs;
            } else if (thread.getThreadName().startsWith(BROKER_PREFIX)) {
                use.brokerNs += cpuNs;
            } else {
                continue;
            }
            use.allocated += Math.max(0, THREADS.getThreadAllocatedBytes(id));
        }
        return use;
    }

    /** The use since another look. */
    ThreadUse since(final ThreadUse before) {
        final ThreadUse difference = new ThreadUse();
        difference.readerNs = readerNs - before.readerNs;
        difference.brokerNs = brokerNs - before.brokerNs;
        difference.ownNs = ownNs - before.ownNs;
        difference.allocated = allocated - before.allocated;
        return difference;
    }

    /** CPU time of the threads that read files. */
    double readerNs() {
        return readerNs;
    }

    /** CPU time of the broker's other threads. */
    double brokerNs() {
        return brokerNs;
    }

    /** CPU time of the calling thread. */
    double ownNs() {
        return ownNs;
    }

    /** Bytes on the heap, of all of them. */
    double allocated() {
        return allocated;
    }
}
