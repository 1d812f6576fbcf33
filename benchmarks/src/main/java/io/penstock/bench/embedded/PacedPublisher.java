package io.penstock.bench.embedded;

import io.penstock.client.SubscribeRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Publishes at an even pace, subscribes to what it publishes, and records the time from the moment at which each message was to be
 * published to its delivery, also of those that came late because it was late itself: there is no coordinated omission. Runs on a
 * thread of its own; read when that has ended.
 */
public final class PacedPublisher implements Runnable {
    private static final long LATENCY_NS_MAX = TimeUnit.SECONDS.toNanos(1_000);
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int LENGTH_MAX = 1024;
    private static final int BATCH = 64;
    private static final long SUBSCRIPTION = 1;
    private static final double WARM_UP_PART = 0.2;

    private final Function<BenchSession.DeliveryHandler, BenchSession> connect;
    private final SubscribeRequest request;
    private final NumberedMessages messages;
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
     * @param connect  makes a connection, on the thread that runs.
     * @param request  that all messages match.
     * @param messages to publish.
     * @param rate     of messages in a second.
     * @param seconds  that it publishes, of which the first fifth does not count.
     */
    public PacedPublisher(
            final Function<BenchSession.DeliveryHandler, BenchSession> connect,
            final SubscribeRequest request,
            final NumberedMessages messages,
            final double rate,
            final double seconds) {
        this.connect = connect;
        this.request = request;
        this.messages = messages;
        intervalNs = 1e9 / rate;
        durationNs = (long) (seconds * 1e9);
    }

    /** Messages that say which one they are. */
    public interface NumberedMessages {
        /**
         * Writes a message.
         *
         * @param number of the message, from 0.
         * @param to     where it is written from the first byte on.
         * @return its length in bytes, at most 1024.
         */
        int write(long number, UnsafeBuffer to);

        /**
         * Reads which one it is.
         *
         * @param from   where it is.
         * @param offset of its first byte.
         * @return its number.
         */
        long number(DirectBuffer from, int offset);
    }

    /** Ends it early. Any thread. */
    public void stop() {
        isRunning.set(false);
    }

    /**
     * What it has recorded.
     *
     * @return times in nanoseconds.
     */
    public Histogram latencies() {
        return latencies;
    }

    /**
     * What has become of the rate.
     *
     * @return messages published in a second.
     */
    public double reachedPerS() {
        return reachedPerS;
    }

    @Override
    public void run() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH_MAX]);
        try (BenchSession session = connect.apply(this::onDelivery)) {
            session.subscribe(SUBSCRIPTION, request);
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
        return session.offer(message, messages.write(number, message));
    }

    private void onDelivery(final long subscriptionId, final DirectBuffer buffer, final int offset, final int length) {
        received++;
        final long dueNs = (long) (messages.number(buffer, offset) * intervalNs);
        if (dueNs >= durationNs * WARM_UP_PART) {
            latencies.recordValue(Math.min(LATENCY_NS_MAX, Math.max(0, System.nanoTime() - startNs - dueNs)));
        }
    }
}
