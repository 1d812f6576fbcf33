package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.SowStats;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.PageWithHeaders;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A query of a client, with the records that wait for it. Safe on any thread. */
final class RunningQuery implements MessageHandler {
    private final BridgeConfig config;
    private final BridgeCounters counters;
    private final Lease lease;
    private final MessageQueue queue;
    private volatile @Nullable CompletableFuture<SowStats> future;

    RunningQuery(final BridgeService service) {
        config = service.config();
        counters = service.counters();
        lease = new Lease(config.leaseMs());
        queue = new MessageQueue(Integer.MAX_VALUE, config.queueLengthMax(), service.held());
    }

    void started(final CompletableFuture<SowStats> newFuture) {
        future = newFuture;
        final var unused = newFuture.whenComplete((stats, reason) -> queue.end(
                reason == null
                        ? null
                        : Refusals.of(reason instanceof CompletionException wrapped ? wrapped.getCause() : reason)));
    }

    /** Throws when there is no room: that ends the query. */
    @Override
    public void onMessage(final MessageView message) {
        if (!queue.offer(Deliveries.of(message), 0)) {
            throw new PenstockException(
                    ErrorCode.LIMIT_REACHED,
                    "query: more waits for its client than " + config.queueLengthMax()
                            + " bytes, or for all of them than may (narrow it, or fetch faster)");
        }
    }

    /** Notifies when there is something to take, or it has ended. */
    Wait await(final Runnable ready) {
        return Wait.begin(queue, lease, ready);
    }

    PageWithHeaders fetch(final int max, final int timeoutMs) throws BrokerException {
        lease.enter();
        try {
            final List<DeliveryWithHeaders> records = queue.take(
                            Math.min(max, config.batchCountMax()),
                            config.batchLengthMax(),
                            TimeUnit.MILLISECONDS.toNanos(Math.min(timeoutMs, config.waitMsMax())))
                    .deliveries();
            final boolean isDone = queue.isDone();
            final BrokerException reason = queue.reason();
            if (isDone && reason != null && records.isEmpty()) {
                throw reason;
            }
            counters.add(BridgeCounter.DELIVERED, records.size());
            return new PageWithHeaders(records.toArray(Deliveries.NONE), isDone && reason == null);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.of(ErrorCode.SHUTTING_DOWN, "fetch: the bridge is closing (connect again later)");
        } finally {
            lease.exit();
        }
    }

    boolean isOver(final long nowNs) {
        return lease.isExpired(nowNs);
    }

    void close() {
        queue.clear();
        final CompletableFuture<SowStats> known = future;
        if (known != null) {
            known.cancel(false);
        }
    }
}
