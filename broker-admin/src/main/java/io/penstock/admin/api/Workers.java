package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Problem;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Refusals;
import io.penstock.client.PenstockException;
import io.penstock.protocol.ErrorCode;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A few threads that do what may wait: proofs of passwords, commands of clients, disks. Safe on any thread. */
final class Workers implements AutoCloseable {
    private static final int QUEUE_LENGTH = 64;
    private static final long IDLE_S = 30;

    private final ThreadPoolExecutor threads;
    private final Refusals refusals;

    Workers(final int count, final Refusals refusals) {
        this.refusals = refusals;
        final AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                count, count, IDLE_S, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE_LENGTH), task -> {
                    final Thread thread = new Thread(task, "penstock-admin-worker-" + number.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Has something done that answers an exchange. Throws a problem when there is too much to do already. */
    void run(final Exchange exchange, final Runnable task) {
        try {
            threads.execute(() -> guarded(exchange, task));
        } catch (final RejectedExecutionException e) {
            throw busy();
        }
    }

    /** The error for who asks while there is too much to do. */
    static ProblemException busy() {
        return new ProblemException(503, "BUSY", "server: has too much to do (try again later)");
    }

    /** Has something done that guards itself. Throws {@link RejectedExecutionException} when there is too much to do. */
    void execute(final Runnable task) {
        threads.execute(task);
    }

    /** Has something done that nobody waits for; however much there is to do already, and when no more is done. */
    void later(final Runnable task) {
        try {
            threads.execute(new Later(task));
        } catch (final RejectedExecutionException e) {
            startLater(task);
        }
    }

    private static void startLater(final Runnable task) {
        final Thread thread = new Thread(task, "penstock-admin-later");
        thread.setDaemon(true);
        thread.start();
    }

    /** What is done although nobody is answered any more, such as closing a client. */
    private record Later(Runnable task) implements Runnable {
        @Override
        public void run() {
            task.run();
        }
    }

    /** Runs something that answers an exchange, and answers it when that fails. */
    void guarded(final Exchange exchange, final Runnable task) {
        try {
            task.run();
        } catch (final ProblemException e) {
            refusals.onRefused(exchange.request().peer(), exchange.user(), e.problem());
            exchange.fail(e.problem());
        } catch (final PenstockException e) {
            exchange.fail(problem(e));
        } catch (final RuntimeException | Error e) {
            refusals.onError(e);
            exchange.fail(new Problem(500, "INTERNAL_ERROR", "broker: failed at it (its error log says more)"));
        }
    }

    /** What a client of the broker was told, as an error of HTTP. */
    static Problem problem(final PenstockException e) {
        final ErrorCode code = e.errorCode();
        final String detail = String.valueOf(e.getMessage());
        if (code == null) {
            return new Problem(503, "UNAVAILABLE", detail);
        }
        final int status = switch (code) {
            case NOT_AUTHORIZED, AUTHENTICATION_FAILED, NOT_ENTITLED, SESSION_REVOKED -> 403;
            case NOT_FOUND, UNKNOWN_SUBSCRIPTION, BOOKMARK_NOT_FOUND -> 404;
            case TOPIC_IN_USE, BAD_FORMAT, BAD_KEY, NO_STATE, DUPLICATE_SUBSCRIPTION, PERMISSIONS_CHANGED -> 409;
            case BAD_TOPIC, BAD_PATTERN, BAD_FILTER, BAD_TEXT, BAD_QUERY, BAD_SEQUENCE, NOT_SUPPORTED -> 400;
            case LIMIT_REACHED,
                    STATE_FULL,
                    SNAPSHOT_TOO_OLD,
                    QUERY_CANCELLED,
                    TIMED_OUT,
                    SHUTTING_DOWN,
                    JOURNAL_FULL,
                    JOURNAL_FAILED,
                    FELL_BEHIND -> 503;
            default -> 500;
        };
        return new Problem(status, code.name(), detail);
    }

    @Override
    public void close() {
        final List<Runnable> left =
                threads.shutdownNow().stream().filter(Later.class::isInstance).toList();
        if (!left.isEmpty()) {
            startLater(() -> left.forEach(Runnable::run));
        }
    }
}
