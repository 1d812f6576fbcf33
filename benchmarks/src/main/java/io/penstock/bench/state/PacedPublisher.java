package io.penstock.bench.state;

import io.penstock.bench.BenchSession;
import io.penstock.client.SubscribeRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Publishes rows anew at an even pace, subscribes to them, and records the time from the moment at which each was to be
 * published to its delivery, also of those that came late because it was late itself: there is no coordinated omission. What
 * queries ask for does not change. Runs on a thread of its own; read when that has ended.
 */
final class PacedPublisher implements Runnable {
    private static final long LATENCY_NS_MAX = TimeUnit.SECONDS.toNanos(1_000);
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int BATCH = 64;
    private static final long SUBSCRIPTION = 1;
    private static final double WARM_UP_PART = 0.2;

    private final RowBroker broker;
    private final RowDocuments documents;
    private final Walk walk;
    private final long version;
    private final double intervalNs;
    private final long durationNs;
    private final AtomicBoolean isRunning = new AtomicBoolean(true);
    private final Histogram latencies = new Histogram(LATENCY_NS_MAX, SIGNIFICANT_DIGITS);
    private long startNs;
    private long received;
    private double reachedPerS;

    /**
     * Ready to run.
     *
     * @param version that the rows have.
     * @param seconds that it publishes, of which the first fifth does not count.
     */
    PacedPublisher(
            final RowBroker broker,
            final RowDocuments documents,
            final int rowCount,
            final long version,
            final double rate,
            final double seconds) {
        this.broker = broker;
        this.documents = documents;
        this.version = version;
        walk = Walk.spread(rowCount);
        intervalNs = 1e9 / rate;
        durationNs = (long) (seconds * 1e9);
    }

    /** Ends it early. */
    void stop() {
        isRunning.set(false);
    }

    Histogram latencies() {
        return latencies;
    }

    /** Messages published in a second. */
    double reachedPerS() {
        return reachedPerS;
    }

    @Override
    public void run() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[RowDocuments.LENGTH_MAX]);
        try (BenchSession session = broker.session(RowBroker.TOPIC, this::onDelivery)) {
            session.subscribe(SUBSCRIPTION, SubscribeRequest.topic(RowBroker.TOPIC));
            session.awaitAcks();
            startNs = System.nanoTime();
            long published = 0;
            for (long nowNs = startNs; nowNs - startNs < durationNs && isRunning.get(); nowNs = System.nanoTime()) {
                final long due = (long) ((nowNs - startNs) / intervalNs);
                final long until = Math.min(due, published + BATCH);
                while (published < until && offer(session, message, published)) {
                    published++;
                }
                if (session.poll() == 0 && published >= due) {
                    LockSupport.parkNanos(PARK_NS);
                }
            }
            reachedPerS = published * 1e9 / (System.nanoTime() - startNs);
            final long all = published;
            session.await(() -> received == all);
        }
    }

    private boolean offer(final BenchSession session, final UnsafeBuffer message, final long number) {
        final int row = walk.at((int) (number % walk.count()));
        return session.offer(message, documents.write(row, version, number, message));
    }

    private void onDelivery(
            final long subscriptionId, final DirectBuffer buffer, final int offset, final int length) {
        received++;
        final long dueNs = (long) (RowDocuments.stamp(buffer, offset) * intervalNs);
        if (dueNs >= durationNs * WARM_UP_PART) {
            latencies.recordValue(Math.min(LATENCY_NS_MAX, Math.max(0, System.nanoTime() - startNs - dueNs)));
        }
    }
}
