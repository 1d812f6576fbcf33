package io.penstock.bench;

import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.SowResult;
import io.penstock.standalone.CommandFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Clients that query all records of the benchmark's topic all the time, each on a thread of its own, and check how many
 * there are. Owned by the main thread.
 */
final class QueryLoad implements PairedRounds.Running {
    private static final SowRequest REQUEST =
            SowRequest.topic(Subject.TOPIC).select("COUNT(*) AS n, SUM(_n) AS total, MAX(_n) AS last");
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final AtomicLong answered = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final long keyCount;
    private final long startNs = System.nanoTime();

    private QueryLoad(final long keyCount) {
        this.keyCount = keyCount;
    }

    /**
     * Starts the clients.
     *
     * @param endpoint of the broker.
     * @param count    of clients.
     * @param keyCount records that each answer has to have looked at.
     * @return the clients, which query until they are closed.
     */
    static QueryLoad start(final String endpoint, final int count, final long keyCount) {
        final QueryLoad load = new QueryLoad(keyCount);
        final ClientConfig config =
                ClientConfig.builder(endpoint).requestTimeout(TIMEOUT).build();
        for (int i = 0; i < count; i++) {
            final Thread thread = new Thread(() -> load.query(config), "bench-query-" + i);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((failed, reason) -> load.failure.set(String.valueOf(reason)));
            load.threads.add(thread);
            thread.start();
        }
        return load;
    }

    private void query(final ClientConfig config) {
        try (PenstockClient client = PenstockClient.connect(config)) {
            while (isRunning.get()) {
                final SowResult answer = client.sow(REQUEST);
                if (answer.stats().matches() != keyCount) {
                    failure.set(answer.stats().matches() + " records, not " + keyCount);
                    return;
                }
                answered.incrementAndGet();
            }
        }
    }

    /** Answers in a second, since the start. Fails when a client has failed. */
    @Override
    public double figure() {
        final String reason = failure.get();
        if (reason != null) {
            throw CommandFailure.failed("bench: a query has failed: " + reason);
        }
        return answered.get() * 1e9 / (System.nanoTime() - startNs);
    }

    @Override
    public void close() {
        isRunning.set(false);
        try {
            for (final Thread thread : threads) {
                thread.join();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
