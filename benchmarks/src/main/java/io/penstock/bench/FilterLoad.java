package io.penstock.bench;

import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import io.penstock.client.Topic;
import io.penstock.standalone.CommandFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Clients that subscribe to a topic of their own with filters that are all different, leave with all of them, and come
 * again. Every second subscription follows the topic's state. Owned by the main thread.
 */
final class FilterLoad implements PairedRounds.Running {
    private static final String TOPIC = "bench-filters";

    /** Most subscriptions of a client by the broker's default. */
    private static final int FILTERS_PER_CLIENT_MAX = 10_000;

    private static final int AHEAD_COUNT_MAX = 16;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final AtomicLong added = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final ClientConfig config;
    private final long startNs = System.nanoTime();

    private FilterLoad(final ClientConfig config) {
        this.config = config;
    }

    /**
     * Starts the clients, as many as are needed for the filters.
     *
     * @param endpoint    of the broker.
     * @param filterCount at most at a time.
     * @return the clients, which come and go until they are closed.
     */
    static FilterLoad start(final String endpoint, final int filterCount) {
        final FilterLoad load = new FilterLoad(
                ClientConfig.builder(endpoint).requestTimeout(TIMEOUT).build());
        try (PenstockClient client = PenstockClient.connect(load.config)) {
            client.declareTopic(Topic.of(TOPIC, Messages.JSON_FORMAT).key("id"));
        }
        for (int first = 0; first < filterCount; first += FILTERS_PER_CLIENT_MAX) {
            final int from = first;
            final int count = Math.min(FILTERS_PER_CLIENT_MAX, filterCount - first);
            final Thread thread = new Thread(() -> load.comeAndGo(from, count), "bench-filters-" + first);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((failed, reason) -> load.failure.set(String.valueOf(reason)));
            load.threads.add(thread);
            thread.start();
        }
        return load;
    }

    private void comeAndGo(final int first, final int count) {
        while (isRunning.get()) {
            try (PenstockClient client = PenstockClient.connect(config)) {
                subscribe(client, first, count);
            }
        }
    }

    private void subscribe(final PenstockClient client, final int first, final int count) {
        final ArrayDeque<CompletableFuture<Subscription>> asked = new ArrayDeque<>();
        for (int number = first; number < first + count && isRunning.get(); number++) {
            final SubscribeRequest request =
                    SubscribeRequest.topic(TOPIC).filter("f" + number + " = 1 AND price > " + number);
            asked.add(client.subscribeAsync(number % 2 == 0 ? request : request.oof(), message -> {}));
            if (asked.size() == AHEAD_COUNT_MAX) {
                take(asked.remove());
            }
        }
        asked.forEach(this::take);
    }

    private void take(final CompletableFuture<Subscription> subscription) {
        try {
            subscription.join();
            added.incrementAndGet();
        } catch (final CompletionException e) {
            if (e.getCause() instanceof PenstockException refused) {
                throw refused;
            }
            throw e;
        }
    }

    /** Filters that came in a second, since the start. Fails when a client has failed. */
    @Override
    public double figure() {
        final String reason = failure.get();
        if (reason != null) {
            throw CommandFailure.failed("bench: a subscription with a filter has failed: " + reason);
        }
        return added.get() * 1e9 / (System.nanoTime() - startNs);
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
