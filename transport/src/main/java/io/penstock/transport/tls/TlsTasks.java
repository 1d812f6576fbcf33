package io.penstock.transport.tls;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that compute what handshakes need, so that no agent waits for that. They end when there is nothing to do. */
final class TlsTasks {
    private static final int QUEUE_COUNT_MAX = 16 * 1024;
    private static final int KEPT_S = 5;

    private TlsTasks() {}

    static Executor newPool() {
        final int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);
        final ThreadPoolExecutor pool = new ThreadPoolExecutor(
                count, count, KEPT_S, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE_COUNT_MAX), TlsTasks::newThread);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread newThread(final Runnable work) {
        final Thread thread = new Thread(work, "penstock-tls");
        thread.setDaemon(true);
        return thread;
    }
}
