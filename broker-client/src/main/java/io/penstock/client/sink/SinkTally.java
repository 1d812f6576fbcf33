package io.penstock.client.sink;

import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the results for the blocks of a writer. Threads of the program and the client's take turns. */
final class SinkTally {
    private final ReentrantLock turn = new ReentrantLock();
    private final Condition answered = turn.newCondition();
    private @Nullable PenstockException firstFailure;
    private long submittedCount;
    private long answeredCount;
    private long storedCount;
    private long storedLength;
    private long resentCount;

    /** Takes the turn; {@link #end()} must follow. */
    void begin() {
        turn.lock();
    }

    void end() {
        turn.unlock();
    }

    /** Called in the caller's turn. */
    void onSubmitted() {
        assert turn.isHeldByCurrentThread();
        submittedCount++;
    }

    void onResent() {
        begin();
        try {
            resentCount++;
        } finally {
            end();
        }
    }

    void onStored(final int length) {
        begin();
        try {
            storedCount++;
            storedLength += length;
            answeredCount++;
            answered.signalAll();
        } finally {
            end();
        }
    }

    void onFailed(final PenstockException reason) {
        begin();
        try {
            firstFailure = firstFailure == null ? reason : firstFailure;
            answeredCount++;
            answered.signalAll();
        } finally {
            end();
        }
    }

    long storedCount() {
        return inTurn(() -> storedCount);
    }

    long storedLength() {
        return inTurn(() -> storedLength);
    }

    long resentCount() {
        return inTurn(() -> resentCount);
    }

    private long inTurn(final LongSupplier value) {
        begin();
        try {
            return value.getAsLong();
        } finally {
            end();
        }
    }

    /** Waits until all that was submitted before is answered; throws the first failure since the last time. */
    void await(final String sink, final long timeoutNs) {
        begin();
        try {
            final long awaited = submittedCount;
            long leftNs = timeoutNs;
            while (answeredCount < awaited) {
                if (leftNs <= 0) {
                    throw new NoReplyException("flush: " + (awaited - answeredCount) + " blocks of " + sink
                            + " are not stored within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs)
                            + " ms (wait longer)");
                }
                leftNs = answered.awaitNanos(leftNs);
            }
            final PenstockException failure = firstFailure;
            firstFailure = null;
            if (failure != null) {
                throw failure.onCallersThread();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException("flush: interrupted while waiting for blocks of " + sink, e);
        } finally {
            end();
        }
    }
}
