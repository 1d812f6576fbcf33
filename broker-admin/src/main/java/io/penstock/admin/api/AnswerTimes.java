package io.penstock.admin.api;

import io.penstock.admin.http.Json;
import io.penstock.broker.monitor.Monitor;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.concurrent.NanoClock;

/**
 * How soon the broker's I/O agents answer, by some questions a second: a command of a client waits as long for its agent. Asked
 * and read by the server's thread; agents count.
 */
final class AnswerTimes {
    private static final int QUESTION_COUNT = 20;
    private static final long[] BOUNDS_US = {
        5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000
    };

    private final Monitor monitor;
    private final NanoClock clock;
    private final Executor thread;
    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS_US.length + 1);
    private final AtomicBoolean isAsking = new AtomicBoolean();

    /**
     * Asks nothing yet.
     *
     * @param monitor that is asked.
     * @param clock   by which the time is taken.
     * @param thread  on which the next question is asked.
     */
    AnswerTimes(final Monitor monitor, final NanoClock clock, final Executor thread) {
        this.monitor = monitor;
        this.clock = clock;
        this.thread = thread;
    }

    /** Asks one question after the other, agent by agent; nothing when the last ones are not answered yet. */
    void ask() {
        if (isAsking.compareAndSet(false, true)) {
            ask(0);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes are looked at.
    private void ask(final int number) {
        final long startNs = clock.nanoTime();
        monitor.transports(number % monitor.ioAgentCount())
                .thenRun(() -> count(TimeUnit.NANOSECONDS.toMicros(clock.nanoTime() - startNs)))
                .whenCompleteAsync((answer, error) -> onAnswer(number, error == null), thread);
    }

    private void onAnswer(final int number, final boolean isAnswered) {
        if (isAnswered && number + 1 < QUESTION_COUNT) {
            ask(number + 1);
        } else {
            isAsking.set(false);
        }
    }

    private void count(final long timeUs) {
        int bucket = 0;
        while (bucket < BOUNDS_US.length && timeUs > BOUNDS_US[bucket]) {
            bucket++;
        }
        counts.incrementAndGet(bucket);
    }

    /** Writes what was counted since the last time, as a member of the object. */
    void write(final Json json, final String name) {
        json.begin(name).beginArray("leUs");
        for (final long bound : BOUNDS_US) {
            json.item(bound);
        }
        json.endArray().beginArray("counts");
        for (int i = 0; i < counts.length(); i++) {
            json.item(counts.getAndSet(i, 0));
        }
        json.endArray().end();
    }
}
