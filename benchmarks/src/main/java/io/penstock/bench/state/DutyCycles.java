package io.penstock.bench.state;

import io.penstock.standalone.console.Json;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.Agent;

/**
 * Measures the duty cycles of one agent in the CPU time of its thread: each cycle runs between two readings of that clock,
 * which take about half a microsecond. Measured by the agent's thread while switched on; read when that has ended.
 */
final class DutyCycles {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long LENGTH_NS_MAX = TimeUnit.SECONDS.toNanos(100);
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long LONG_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long TOO_LONG_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EMPTY_LOOP_NS_MAX = TimeUnit.SECONDS.toNanos(10);

    private final AtomicBoolean isOn = new AtomicBoolean();
    private final Histogram cpuNs = new Histogram(LENGTH_NS_MAX, SIGNIFICANT_DIGITS);
    private long sumNs;
    private long longCount;
    private long tooLongCount;

    /** Counts cycles from now on, or no more. */
    void on(final boolean value) {
        isOn.set(value);
    }

    /** The agent with its cycles measured, if it is the one that sequences; other agents as they are. */
    Agent wrap(final Agent agent) {
        final String role = agent.roleName();
        return role.equals("broker") || role.startsWith("sequencer") ? new Metered(agent) : agent;
    }

    private void record(final long lengthNs) {
        cpuNs.recordValue(Math.min(LENGTH_NS_MAX, Math.max(0, lengthNs)));
        sumNs += lengthNs;
        longCount += lengthNs > LONG_NS ? 1 : 0;
        tooLongCount += lengthNs > TOO_LONG_NS ? 1 : 0;
    }

    /** The same readings around nothing, for as much CPU time: what the machine itself puts into such figures. */
    DutyCycles ofEmptyLoop() {
        final DutyCycles empty = new DutyCycles();
        final long endNs = Math.min(sumNs, EMPTY_LOOP_NS_MAX);
        while (empty.sumNs < endNs) {
            final long startNs = THREADS.getCurrentThreadCpuTime();
            empty.record(THREADS.getCurrentThreadCpuTime() - startNs);
        }
        return empty;
    }

    Json json() {
        return new Json()
                .field("cycles", cpuNs.getTotalCount())
                .field("p50_us", cpuNs.getValueAtPercentile(50) / 1e3)
                .field("p99_us", cpuNs.getValueAtPercentile(99) / 1e3)
                .field("p9999_us", cpuNs.getValueAtPercentile(99.99) / 1e3)
                .field("max_us", cpuNs.getMaxValue() / 1e3)
                .field("above_100_us", longCount)
                .field("above_1_ms", tooLongCount);
    }

    /** Passes everything on. */
    private final class Metered implements Agent {
        private final Agent agent;

        private Metered(final Agent agent) {
            this.agent = agent;
        }

        @Override
        public void onStart() {
            agent.onStart();
        }

        @Override
        public int doWork() throws Exception {
            if (!isOn.getOpaque()) {
                return agent.doWork();
            }
            final long startNs = THREADS.getCurrentThreadCpuTime();
            final int workCount = agent.doWork();
            record(THREADS.getCurrentThreadCpuTime() - startNs);
            return workCount;
        }

        @Override
        public void onClose() {
            agent.onClose();
        }

        @Override
        public String roleName() {
            return agent.roleName();
        }
    }
}
