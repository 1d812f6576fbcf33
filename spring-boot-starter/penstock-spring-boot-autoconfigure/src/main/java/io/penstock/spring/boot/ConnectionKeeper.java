package io.penstock.spring.boot;

import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockClient;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockPhases;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Sees to it that an application that started without its broker gets a client, although nobody asks for one: a thread of its
 * own connects when there is no client, or the one before has ended for good, and waits longer after each attempt that failed. A
 * client that reconnects by itself is left alone. A name that another program has taken is left to it for a while.
 */
final class ConnectionKeeper implements SmartLifecycle {
    private static final String THREAD = "penstock-connect";
    private static final long LOOK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final PenstockConnection connection;
    private final ConnectionState state;
    private final PenstockProperties properties;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable Thread thread;

    ConnectionKeeper(
            final PenstockConnection connection, final ConnectionState state, final PenstockProperties properties) {
        this.connection = connection;
        this.state = state;
        this.properties = properties;
        state.onEnd(this::wakeup);
    }

    /**
     * Begins to connect, or connects.
     *
     * @throws ConnectionException when the start is to fail without a broker.
     */
    @Override
    public void start() {
        if (properties.failFast()) {
            connection.client();
        }
        final Thread made = new Thread(this::run, THREAD);
        made.setDaemon(true);
        thread = made;
        made.start();
    }

    private void run() {
        try {
            long delayNs = 0;
            while (Thread.currentThread().equals(thread)) {
                if (!hasClient() && state.retreatNs() > 0) {
                    await(state.retreatNs());
                }
                delayNs = hasClient() || tryConnect() ? 0 : nextDelayNs(delayNs);
                await(delayNs);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasClient() {
        final PenstockClient client = connection.current();
        return client != null && !client.isClosed();
    }

    private boolean tryConnect() {
        try {
            connection.client();
            return true;
        } catch (final ConnectionException e) {
            state.onAttemptFailed(e);
        } catch (final RuntimeException e) {
            state.onAttemptFailed(new ConnectionException(String.valueOf(e.getMessage()), e));
        }
        return false;
    }

    private long nextDelayNs(final long lastNs) {
        final Duration min = properties.reconnect().delayMin();
        final Duration max = properties.reconnect().delayMax();
        return lastNs == 0 ? min.toNanos() : Math.min(2 * lastNs, max.toNanos());
    }

    /** Waits for a time, or with 0 until a client has ended. */
    private void await(final long delayNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = delayNs;
            while (isRunning() && (delayNs > 0 ? leftNs > 0 : hasClient())) {
                leftNs = changed.awaitNanos(delayNs > 0 ? leftNs : LOOK_INTERVAL_NS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void wakeup() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        final Thread known = thread;
        thread = null;
        if (known != null) {
            known.interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    /** Right after the connection's own. */
    @Override
    public int getPhase() {
        return PenstockPhases.CONNECTION + 1;
    }
}
