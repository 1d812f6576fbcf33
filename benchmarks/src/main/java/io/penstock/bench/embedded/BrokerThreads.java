package io.penstock.bench.embedded;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The CPU time of the threads of a broker in this process. Immutable. */
public final class BrokerThreads {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final String QUERY_AGENT = "-query-";

    private final List<Long> all;
    private final List<Long> ofQueries;

    private BrokerThreads(final List<Long> all, final List<Long> ofQueries) {
        this.all = List.copyOf(all);
        this.ofQueries = List.copyOf(ofQueries);
    }

    /**
     * Notes the threads there are before a broker is started.
     *
     * @return to be asked when it has started.
     */
    public static Before before() {
        return new Before(Arrays.stream(THREADS.getAllThreadIds()).boxed().collect(Collectors.toSet()));
    }

    /**
     * CPU time of all its threads.
     *
     * @return in nanoseconds, since they started.
     */
    public long cpuNs() {
        return cpuNs(all);
    }

    /**
     * CPU time of its threads that run queries.
     *
     * @return in nanoseconds, since they started.
     */
    public long queryCpuNs() {
        return cpuNs(ofQueries);
    }

    private static long cpuNs(final List<Long> threads) {
        long cpuNs = 0;
        for (final long thread : threads) {
            cpuNs += Math.max(0, THREADS.getThreadCpuTime(thread));
        }
        return cpuNs;
    }

    /**
     * Threads before a broker.
     *
     * @param threads by their ids.
     */
    public record Before(Set<Long> threads) {
        /** Copies. */
        public Before {
            threads = Set.copyOf(threads);
        }

        /**
         * The threads of the broker, which has started since, and nothing else has.
         *
         * @return its threads.
         */
        public BrokerThreads started() {
            final List<Long> all = new ArrayList<>();
            final List<Long> ofQueries = new ArrayList<>();
            for (final long id : THREADS.getAllThreadIds()) {
                final ThreadInfo info = THREADS.getThreadInfo(id);
                if (info != null && !threads.contains(id)) {
                    all.add(id);
                    if (info.getThreadName().contains(QUERY_AGENT)) {
                        ofQueries.add(id);
                    }
                }
            }
            return new BrokerThreads(all, ofQueries);
        }
    }
}
