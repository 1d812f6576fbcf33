package io.penstock.broker;

/** How many threads a configuration makes. */
final class ThreadCounts {
    /** The keeper, the file replayer, the historian, and the sink agent. */
    private static final int FILE_THREAD_COUNT = 4;

    /** Most threads that read logs at a start: more would wait for the disk. */
    private static final int RECOVERY_THREAD_COUNT_MAX = 8;

    private ThreadCounts() {}

    /** Threads that never sleep, and need a CPU each. */
    static int spinning(final BrokerConfig config) {
        if (config.idle() != IdleMode.BUSY) {
            return 0;
        }
        return config.threading() == ThreadingMode.DEDICATED ? path(config) : 1;
    }

    /** Threads that may have a CPU of their own. */
    static int pinnedMax(final BrokerConfig config) {
        return config.cpus().isEmpty() ? 0 : path(config) + config.state().queryAgentCount() + FILE_THREAD_COUNT;
    }

    /** Sequencers, I/O agents, the replayer, and the journaler if there is one. */
    private static int path(final BrokerConfig config) {
        return ConfiguredEngine.shardCount(config)
                + config.ioAgentCount()
                + (config.journal().isUsed() ? 2 : 1);
    }

    /** In {@link ThreadingMode#INVOKER} nothing happens on other threads. */
    static int recovery(final BrokerConfig config) {
        return config.threading() == ThreadingMode.INVOKER
                ? 1
                : Math.min(RECOVERY_THREAD_COUNT_MAX, Runtime.getRuntime().availableProcessors());
    }
}
