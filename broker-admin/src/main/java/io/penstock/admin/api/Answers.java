package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Problem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Answers exchanges with what the broker's agents say. Safe on any thread. */
final class Answers {
    private static final long TIMEOUT_S = 5;

    private final Workers workers;

    Answers(final Workers workers) {
        this.workers = workers;
    }

    /** Answers when a future completes, on the server's thread; with an error when it fails, or does not in time. */
    @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes are answered.
    <T> void when(final Exchange exchange, final CompletableFuture<T> future, final Consumer<T> answer) {
        future.orTimeout(TIMEOUT_S, TimeUnit.SECONDS)
                .whenCompleteAsync(
                        (value, error) -> {
                            if (error == null) {
                                workers.guarded(exchange, () -> answer.accept(value));
                            } else {
                                exchange.fail(problem(error));
                            }
                        },
                        exchange.thread());
    }

    /** Answers that it is done, or that there is no such thing. */
    void whenDone(final Exchange exchange, final CompletableFuture<Boolean> future, final String what) {
        when(exchange, future, isDone -> {
            if (isDone) {
                exchange.done();
            } else {
                exchange.fail(new Problem(404, "NOT_FOUND", what + " (it may be gone already; ask for the list)"));
            }
        });
    }

    private static Problem problem(final Throwable error) {
        final Throwable cause =
                error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof TimeoutException) {
            return new Problem(
                    503,
                    "TIMED_OUT",
                    "broker: did not answer within " + TIMEOUT_S
                            + " s (try again; look at its threads when it goes on)");
        }
        return new Problem(503, "BUSY", String.valueOf(cause.getMessage()));
    }
}
