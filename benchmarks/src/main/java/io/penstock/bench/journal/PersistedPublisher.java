package io.penstock.bench.journal;

import io.penstock.bench.embedded.NotedListener;
import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.standalone.CommandFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Publishes, and waits until it is notified that what it published is on stable storage. Confined to one thread. */
final class PersistedPublisher extends NotedListener implements AutoCloseable {
    private static final int ACK_PERSISTED = 1 << 2;
    private static final long AWAIT_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    /** Unacknowledged at most, so that the times at which they were meant fit a ring. */
    private static final int PENDING_MAX = 1 << 16;

    private final UnsafeBuffer[] topics;
    private final ClientSession session;
    private final boolean busy;
    private final long[] meantNs = new long[PENDING_MAX];
    private @Nullable Histogram latencies;
    private long published;
    private long persisted;

    /** @param topics that it publishes to. */
    PersistedPublisher(final String endpoint, final boolean busy, final List<String> topics) {
        this.busy = busy;
        this.topics = topics.stream()
                .map(topic -> new UnsafeBuffer(topic.getBytes(StandardCharsets.UTF_8)))
                .toArray(UnsafeBuffer[]::new);
        session =
                ClientSession.open(ClientConfig.builder(endpoint).name("bench").build(), this);
        session.connect();
        awaitUntil(this::isLoggedOn);
    }

    /**
     * Publishes at a pace, and takes the time of each message from when it was meant to be published.
     *
     * @param message to publish.
     * @param rate    a second.
     * @param seconds for which.
     * @return latencies in nanoseconds.
     */
    Histogram run(final DirectBuffer message, final double rate, final double seconds) {
        final Histogram measured = Latencies.histogram();
        latencies = measured;
        final double intervalNs = 1e9 / rate;
        final long startNs = System.nanoTime();
        final long count = (long) (rate * seconds);
        for (long i = 0; i < count; i++) {
            final long meant = startNs + (long) (i * intervalNs);
            while (System.nanoTime() < meant) {
                poll();
            }
            publish(0, message, message.capacity(), meant);
        }
        awaitPersisted();
        latencies = null;
        return measured;
    }

    /** Publishes a message to one of the topics as soon as the broker takes it. */
    void publish(final int topicIndex, final DirectBuffer message, final int length, final long meant) {
        final UnsafeBuffer topic = topics[topicIndex];
        while (published - persisted >= PENDING_MAX) {
            poll();
        }
        meantNs[(int) (published + 1) & (PENDING_MAX - 1)] = meant;
        while (session.offerPublish(topic, 0, topic.capacity(), message, 0, length, ACK_PERSISTED, published + 1) < 0) {
            poll();
        }
        published++;
        if (latencies == null && (published & 63) == 0) {
            session.poll();
        }
    }

    /** Waits until all that was published is on stable storage. */
    void awaitPersisted() {
        awaitUntil(() -> persisted == published);
    }

    private void awaitUntil(final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean()) {
            poll();
            if (System.nanoTime() - deadlineNs > 0) {
                throw CommandFailure.failed(
                        "penstock: the broker has not answered for 30 s (is the machine overloaded?)");
            }
        }
    }

    private void poll() {
        if (session.poll() == 0 && !busy) {
            session.await(AWAIT_NS);
        }
        if (failure() != null) {
            throw CommandFailure.failed("penstock: " + failure());
        }
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        if (type != AckType.PERSISTED) {
            return;
        }
        final Histogram measured = latencies;
        if (measured != null) {
            final long nowNs = System.nanoTime();
            for (long sequence = persisted + 1; sequence <= publisherSequence; sequence++) {
                Latencies.record(measured, nowNs - meantNs[(int) sequence & (PENDING_MAX - 1)]);
            }
        }
        persisted = publisherSequence;
    }

    @Override
    public void close() {
        session.close();
    }
}
