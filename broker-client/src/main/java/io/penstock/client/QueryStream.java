package io.penstock.client;

import io.penstock.client.engine.ClientEngine;
import io.penstock.client.engine.Query;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The records of a query, to be taken one by one by one thread at its own pace. As a {@link MessageStream} it holds a
 * bounded number of records and bytes, and when it is full, the client stops reading its connection until some were
 * taken.
 *
 * <p>A loop over it ends after the last record.
 */
public final class QueryStream implements Iterable<Message>, AutoCloseable {
    private final MessageStream.Sink sink;
    private final ClientEngine engine;
    private final Query query;

    QueryStream(final MessageStream.Sink sink, final ClientEngine engine, final Query query) {
        this.sink = sink;
        this.engine = engine;
        this.query = query;
    }

    /**
     * Takes the next record, and waits for it if need be.
     *
     * @param timeout the longest wait; zero = do not wait.
     * @return the record; null when none came in time, after the last one, and when the stream was closed.
     * @throws PenstockException when the broker refused the query or gave it up, after the last record was taken.
     */
    public @Nullable Message poll(final Duration timeout) {
        return take(timeout.toNanos());
    }

    private @Nullable Message take(final long timeoutNs) {
        if (timeoutNs > 0) {
            engine.poster().checkNotAgent("sow");
        }
        try {
            return sink.take(timeoutNs);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PenstockException("sow: interrupted while waiting for a record", e);
        }
    }

    /**
     * Whether all records have come; some may not have been taken yet.
     *
     * @return true as well when the query has failed or was closed.
     */
    public boolean isComplete() {
        return query.isDone();
    }

    /**
     * How far the query is, when {@link SowRequest#progress(Duration)} asked for it.
     *
     * @return what the broker said last; null before that.
     */
    public @Nullable SowProgress progress() {
        return query.progress();
    }

    /**
     * Reports the progress of the query to a program, when {@link SowRequest#progress(Duration)} asked for it, from the next
     * report on.
     *
     * @param listener called on the client's thread: it must not block; what it throws ends the query. Replaces the one
     *                 before.
     */
    public void onProgress(final Consumer<SowProgress> listener) {
        sink.progressListener(listener);
    }

    /**
     * Counts of records looked at and found.
     *
     * @return as the broker says at the end.
     * @throws IllegalStateException when the query is not complete, was closed or has failed.
     */
    public SowStats stats() {
        if (!query.isDone()) {
            throw new IllegalStateException("sow: is not complete (take all records first)");
        }
        try {
            return query.get();
        } catch (final ExecutionException | CancellationException e) {
            throw new IllegalStateException("sow: has failed or was closed", e);
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Goes through the records as they come.
     *
     * @return an iterator that waits for the next record, ends after the last, and throws a {@link PenstockException}
     *     when the query fails.
     */
    @Override
    public Iterator<Message> iterator() {
        return new Taker();
    }

    /** Drops what was not taken, and gives the query up at the broker if it still runs. Idempotent. */
    @Override
    public void close() {
        // First, so that the client reads on.
        sink.close();
        query.cancel(false);
    }

    /** Holds the one record that was waited for and not taken yet. */
    private final class Taker implements Iterator<Message> {
        private @Nullable Message next;

        @Override
        public boolean hasNext() {
            if (next == null) {
                next = take(Long.MAX_VALUE);
            }
            return next != null;
        }

        @Override
        public Message next() {
            if (!hasNext() || next == null) {
                throw new NoSuchElementException(
                        "sow: no more records of " + query.request().topic());
            }
            final Message message = next;
            next = null;
            return message;
        }
    }
}
