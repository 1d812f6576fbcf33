package io.penstock.broker.concurrent;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The distinct error log: each different error once, with how often and when. Used from any thread; bounded by its
 * block of memory, beyond which new errors are counted only.
 */
public final class ErrorLog implements ErrorHandler {
    private static final int LENGTH = 1024 * 1024;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final DistinctErrorLog log;
    private final AtomicCounter errors;

    /**
     * Makes an empty log.
     *
     * @param clock  for first and last times.
     * @param errors counts every error, recorded or not.
     */
    public ErrorLog(final EpochClock clock, final AtomicCounter errors) {
        log = new DistinctErrorLog(buffer, clock);
        this.errors = errors;
    }

    @Override
    public void onError(final Throwable throwable) {
        errors.increment();
        log.record(throwable);
    }

    /**
     * Writes the log for people.
     *
     * @param out to write to.
     * @return count of distinct errors.
     */
    public int print(final PrintStream out) {
        return ErrorLogReader.read(
                buffer,
                (count, firstMs, lastMs, text) -> out.printf(
                        "%d times, first %s, last %s: %s%n",
                        count, Instant.ofEpochMilli(firstMs), Instant.ofEpochMilli(lastMs), text));
    }
}
