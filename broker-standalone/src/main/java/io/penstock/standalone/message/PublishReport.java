package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.Counted;
import io.penstock.standalone.console.Terminal;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Says what the broker has of the messages that were published: at their end, before it, or when the process is asked to end.
 * Written by the thread that publishes; said by that, or by the one that ends the process.
 */
final class PublishReport {
    /** Whose turn it is to say it. */
    private enum Turn {
        NOBODY,
        PUBLISHER,
        STOP
    }

    /** How long the publisher has to leave. */
    private static final long LEAVE_MS = 500;

    private final PrintWriter err;
    private final String topic;
    private final String source;
    private final boolean isStored;
    private final Acknowledgements acks;
    private final long startNs = System.nanoTime();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong lastLine = new AtomicLong();
    private final CountDownLatch left = new CountDownLatch(1);
    private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.NOBODY);

    /**
     * Begins.
     *
     * @param source   of the lines, for people.
     * @param isStored whether messages without an acknowledgement are kept, and sent by a later run.
     */
    PublishReport(
            final PrintWriter err,
            final String topic,
            final String source,
            final boolean isStored,
            final Acknowledgements acks) {
        this.err = err;
        this.topic = ControlCharacters.onErr(topic);
        this.source = ControlCharacters.onErr(source);
        this.isStored = isStored;
        this.acks = acks;
    }

    /** The publisher publishes nothing more. */
    void onLeft() {
        left.countDown();
    }

    void onPublished(final long lineNumber) {
        count.incrementAndGet();
        lastLine.set(lineNumber);
    }

    long count() {
        return count.get();
    }

    /** Whether the process is to end, and its last words are another thread's. */
    boolean isStopped() {
        return turn.get() == Turn.STOP;
    }

    /** Says it when all was published; returns the exit code. */
    int end() {
        if (!turn.compareAndSet(Turn.NOBODY, Turn.PUBLISHER)) {
            return Main.EXIT_FAILED;
        }
        print();
        return acks.processed() == count() ? Main.EXIT_OK : Main.EXIT_FAILED;
    }

    /** Says it when a line, or the source, ended it before. */
    void endEarly(final PenstockClient client, final Duration timeout) {
        if (turn.compareAndSet(Turn.NOBODY, Turn.PUBLISHER)) {
            printEarly(client, timeout);
        }
    }

    /** Says it on the thread that ends the process; {@link #isStopped()} from now on. */
    void stop(final PenstockClient client, final Duration timeout) {
        if (turn.compareAndSet(Turn.NOBODY, Turn.STOP)) {
            awaitLeft();
            printEarly(client, timeout);
        }
    }

    /** One that waits for a line, or for its turn, looks before it publishes that. */
    private void awaitLeft() {
        try {
            left.await(LEAVE_MS, TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where to go on, for the end of a sentence about how many were acknowledged. */
    String rest() {
        final long line = isStored ? lastLine.get() : acks.lastLine();
        return line == 0 ? "go on from the start" : "go on after " + source + ":" + line;
    }

    private void printEarly(final PenstockClient client, final Duration timeout) {
        try {
            client.flush(timeout);
        } catch (final PenstockException e) {
            // What is not acknowledged is counted as such.
        }
        if (Terminal.isErr()) {
            // Below the line that shows how far it is.
            err.println();
        }
        print();
        err.printf("stopped before the end: %,d of %,d were acknowledged; %s%n", acks.processed(), count(), rest());
        err.flush();
    }

    private void print() {
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        err.printf(
                "published %s to %s in %.2f s (%,.0f a second)%n",
                Counted.of(acks.processed(), "message"), topic, seconds, acks.processed() / seconds);
        if (acks.duplicates() > 0) {
            err.printf(
                    "%,d of %,d were dropped: the broker had applied their sequences, or higher ones, before%n",
                    acks.duplicates(), count());
        }
        if (acks.failed() > 0) {
            err.printf(
                    "%,d of %,d were refused, the first at %s:%s%n",
                    acks.failed(), count(), source, ControlCharacters.onErr(acks.first()));
        }
        err.flush();
    }
}
