package io.penstock.broker.security.audit;

import io.penstock.broker.concurrent.Waker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Entries on their way into the audit's files. Any thread records them and never waits. Each client has a bound of entries
 * in a minute, beyond which they are counted; what finds no room in the queue is lost, and counted as well. Commands of
 * administrators, and what is about the broker itself, have no bound but the queue.
 */
public final class AuditTrail {
    /** Keeps nothing. */
    public static final AuditTrail NONE = new AuditTrail(false, new AuditLimiter(1), () -> 0, () -> 0);

    /** For clients whose command is refused as it cannot be recorded. */
    public static final String REFUSAL =
            "the broker's audit cannot be written (mend the disk of audit.directory, or see audit.onFailure)";

    private static final int LENGTH = 4096;

    private final ManyToOneConcurrentArrayQueue<AuditEntry> entries = new ManyToOneConcurrentArrayQueue<>(LENGTH);
    private final AtomicBoolean isFailed = new AtomicBoolean();
    private final AtomicLong lostCount = new AtomicLong();
    private final Waker waker = new Waker();
    private final boolean isRefusing;
    private final AuditLimiter limiter;
    private final NanoClock nanoClock;
    private final EpochNanoClock epochClock;

    AuditTrail(
            final boolean isRefusing,
            final AuditLimiter limiter,
            final NanoClock nanoClock,
            final EpochNanoClock epochClock) {
        this.isRefusing = isRefusing;
        this.limiter = limiter;
        this.nanoClock = nanoClock;
        this.epochClock = epochClock;
    }

    /** Whether anything is kept. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isUsed() {
        return this != NONE;
    }

    /**
     * Whether what has to be recorded is not to be done, as it cannot be.
     *
     * @return true while the audit's files cannot be written, if the audit was told to refuse then.
     */
    public boolean refuses() {
        return isRefusing && (isFailed.get() || entries.remainingCapacity() == 0);
    }

    /**
     * Records something. Any thread; never blocks.
     *
     * @param kind      of entry.
     * @param client    who did it.
     * @param isRefused whether it was not let happen.
     * @param count     of what it is about; 0 for none.
     * @param what      was done, in words.
     * @param reason    why; may be empty.
     * @return false when it has to be refused, as it cannot be recorded.
     */
    public boolean record(
            final AuditKind kind,
            final AuditClient client,
            final boolean isRefused,
            final long count,
            final String what,
            final String reason) {
        if (!isUsed() || (isBounded(kind, isRefused) && !limiter.take(client, nanoClock.nanoTime()))) {
            return true;
        }
        // What was refused, or done by the broker itself, has happened all the same.
        if (!isRefused && !client.equals(AuditClient.BROKER) && refuses()) {
            return false;
        }
        if (entries.offer(new AuditEntry(nowMs(), kind, isRefused, count, client, what, reason))) {
            waker.run();
            return true;
        }
        lostCount.incrementAndGet();
        return isRefused || !isRefusing;
    }

    /** What is done by those who administer the broker is never left out. */
    private static boolean isBounded(final AuditKind kind, final boolean isRefused) {
        return switch (kind) {
            case LOGGED_ON, LOGON_REFUSED, REFUSED, DELETED -> true;
            case ADMINISTRATION -> isRefused;
            case STARTED, STOPPED, RELOADED, OMITTED, LOST, TORN, RESUMED, FILE_CHANGED -> false;
        };
    }

    long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(epochClock.nanoTime());
    }

    /** The next entry, or null. Called by the writer. */
    @Nullable
    AuditEntry poll() {
        return entries.poll();
    }

    /** How many found no room since the last call. Called by the writer. */
    long takeLost() {
        return lostCount.getAndSet(0);
    }

    /** Whether entries cannot be written. Called by the writer. */
    void failed(final boolean value) {
        isFailed.set(value);
    }

    AuditLimiter limiter() {
        return limiter;
    }

    /** Waits until something is recorded, or a time is up. Called by the writer. */
    void await(final long timeoutNs) {
        waker.await(timeoutNs);
    }

    /** Ends a present or the next wait. Any thread. */
    void wakeup() {
        waker.run();
    }
}
