package io.penstock.transport.rdma;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;

/**
 * Runs a control loop until it is done, whatever it throws: an agent may use the loop's connections until it has closed
 * the thread. Owned by the agent that started it.
 */
final class ControlThread {
    /** Longer than any link takes to be seen out. */
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(4);

    /** Before it goes on after a fault, which may be met again. */
    private static final long FAULT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ControlLoop loop;
    private final ErrorHandler errorHandler;
    private final Thread thread;
    private volatile boolean isForced;

    ControlThread(final ControlLoop loop, final ErrorHandler errorHandler) {
        this.loop = loop;
        this.errorHandler = errorHandler;
        thread = new Thread(this::run, "penstock-rdma-control");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!loop.isDone() && !isForced) {
            try {
                if (loop.doWork() == 0) {
                    loop.await();
                }
            } catch (final Throwable e) {
                loop.onFault(e);
                LockSupport.parkNanos(this, FAULT_PAUSE_NS);
            }
        }
        loop.free();
    }

    /** Ends the loop, and waits for that. Listeners are closed when this returns. */
    void close() {
        boolean isInterrupted = false;
        try {
            final CompletableFuture<Void> closed = loop.close();
            closed.get(CLOSE_NS, TimeUnit.NANOSECONDS);
            TimeUnit.NANOSECONDS.timedJoin(thread, CLOSE_NS);
        } catch (final InterruptedException ignored) {
            isInterrupted = true;
        } catch (final ExecutionException | TimeoutException ex) {
            errorHandler.onError(new IllegalStateException("rdma: the control thread does not end", ex));
        }
        isForced = true;
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
