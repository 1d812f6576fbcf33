package io.penstock.client.engine;

import io.penstock.client.BackPressureException;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * Threads that wait for room which a slow connection will make. The first of them looks for room, again and again; the
 * others wait behind it, so that hundreds of threads do not take the processors from the thread that makes room. Safe
 * on any thread.
 */
final class RoomLine {
    private static final int SPIN_COUNT = 100;
    private static final int YIELD_COUNT = 10;
    private static final long PARK_NS_MIN = 1_000;
    private static final long PARK_NS_MAX = 100_000;

    /** Who comes later may take room before the first in the line, which costs no switch of threads, for so long. */
    private static final long OVERDUE_NS = 50_000_000;

    private final ClientConfig config;
    private final ClientStatus status;
    private final NanoClock clock;
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile boolean isOverdue;

    RoomLine(final ClientConfig config, final ClientStatus status) {
        this.config = config;
        this.status = status;
        clock = config.nanoClock();
    }

    /** Whether some thread waits for long already: who comes has to join the line, and may not try before. */
    boolean isOverdue() {
        return isOverdue;
    }

    /** Threads that stand after the first one, as far as is known. */
    int waitingCount() {
        return turn.getQueueLength();
    }

    /**
     * Tries until it succeeds.
     *
     * @param subject  what is tried, for the error.
     * @param attempts returns whether there was room.
     * @throws BackPressureException when there was none in the configured time.
     */
    void await(final String subject, final BooleanSupplier attempts) {
        final long startNs = clock.nanoTime();
        if (status.isAgentThread()) {
            // Nobody else makes room.
            while (!attempts.getAsBoolean()) {
                if (status.drain() == 0) {
                    throw noRoom(subject);
                }
            }
            return;
        }
        try {
            if (!turn.tryLock(config.publishTimeoutNs(), TimeUnit.NANOSECONDS)) {
                if (attempts.getAsBoolean()) {
                    return;
                }
                throw noRoom(subject);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(subject);
        }
        try {
            awaitFirst(subject, attempts, startNs);
        } finally {
            isOverdue = false;
            turn.unlock();
        }
    }

    private void awaitFirst(final String subject, final BooleanSupplier attempts, final long startNs) {
        final IdleStrategy idle = new BackoffIdleStrategy(SPIN_COUNT, YIELD_COUNT, PARK_NS_MIN, PARK_NS_MAX);
        while (!attempts.getAsBoolean()) {
            final long waitedNs = clock.nanoTime() - startNs;
            if (waitedNs >= config.publishTimeoutNs()) {
                throw noRoom(subject);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(subject);
            }
            if (waitedNs >= OVERDUE_NS && !isOverdue) {
                isOverdue = true;
            }
            idle.idle();
        }
    }

    private BackPressureException noRoom(final String subject) {
        return new BackPressureException(subject + ": no room to hand it over within "
                + TimeUnit.NANOSECONDS.toMillis(config.publishTimeoutNs()) + " ms"
                + (status.isConnected() ? "" : ", not connected")
                + " (publish more slowly, or raise client.ringLength, client.stagingLength or"
                + " client.inFlightLimit)");
    }

    private static PenstockException interrupted(final String subject) {
        return new PenstockException(subject + ": interrupted while waiting for room", null);
    }
}
