package io.penstock.bench.state;

import io.penstock.bench.embedded.NotedListener;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Publishes all rows, as fast as the broker takes them, and then updates at an even pace until it is stopped. On a
 * thread of its own, with a connection of its own.
 */
final class UpdatePublisher extends NotedListener implements Runnable {
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long AWAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int BATCH = 64;

    private final ClientConfig config;
    private final RowUpdates updates;
    private final double rate;
    private final UnsafeBuffer topic;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[RowUpdates.LENGTH_MAX]);
    private final AtomicBoolean isUpdating = new AtomicBoolean();
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final AtomicLong loaded = new AtomicLong();
    private final AtomicLong updated = new AtomicLong();
    private final AtomicLong lateNsMax = new AtomicLong();

    UpdatePublisher(
            final ClientConfig config, final String topicName, final RowUpdates updates, final double updatesPerS) {
        this.config = config;
        this.updates = updates;
        rate = updatesPerS;
        topic = new UnsafeBuffer(topicName.getBytes(StandardCharsets.UTF_8));
    }

    /** Rows published so far. */
    long loaded() {
        return loaded.get();
    }

    /** Updates published so far. */
    long updated() {
        return updated.get();
    }

    /** How much later than meant an update was published at most, in nanoseconds, since the last call. */
    long takeLateNsMax() {
        return lateNsMax.getAndSet(0);
    }

    /** All rows are there: begin with the updates. */
    void update() {
        isUpdating.set(true);
    }

    void stop() {
        isStopped.set(true);
    }

    @Override
    public void run() {
        try (ClientSession session = ClientSession.open(config, this)) {
            session.connect();
            while (!isLoggedOn() && isRunning()) {
                if (session.poll() == 0) {
                    session.await(AWAIT_NS);
                }
            }
            load(session);
            while (!isUpdating.get() && isRunning()) {
                session.poll();
                LockSupport.parkNanos(PARK_NS);
            }
            update(session);
            while (!session.isFlushed() && failure() == null) {
                session.poll();
            }
        }
    }

    private void load(final ClientSession session) {
        for (int row = 0; row < updates.rowCount() && isRunning(); row++) {
            final int length = updates.writeFirst(row, message);
            while (!offer(session, length) && isRunning()) {
                session.poll();
                LockSupport.parkNanos(PARK_NS);
            }
            loaded.setRelease(row + 1L);
            if (row % BATCH == 0) {
                session.poll();
            }
        }
    }

    private void update(final ClientSession session) {
        final long startNs = System.nanoTime();
        long published = 0;
        while (isRunning()) {
            final long nowNs = System.nanoTime();
            final long due = (long) ((nowNs - startNs) / 1e9 * rate);
            if (published < due) {
                final long lateNs = nowNs - startNs - (long) (published * 1e9 / rate);
                lateNsMax.accumulateAndGet(lateNs, Math::max);
            }
            final long until = Math.min(due, published + BATCH);
            while (published < until && offer(session, updates.write(published + 1, message))) {
                updated.setRelease(++published);
            }
            session.poll();
            if (published >= due) {
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    private boolean offer(final ClientSession session, final int length) {
        final long commandId = session.offerPublish(topic, 0, topic.capacity(), message, 0, length, 0, 0);
        if (commandId == ClientSession.CLOSED) {
            fail("the connection is closed");
        }
        return commandId >= 0;
    }

    private boolean isRunning() {
        return !isStopped.get() && failure() == null;
    }
}
