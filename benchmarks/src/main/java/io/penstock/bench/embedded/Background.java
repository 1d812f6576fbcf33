package io.penstock.bench.embedded;

import io.penstock.standalone.CommandFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Work on a thread of its own, whose failure ends the benchmark. Owned by the main thread. */
public final class Background implements AutoCloseable {
    private final Thread thread;
    private final Runnable stop;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Background(final String name, final Runnable work, final Runnable stop) {
        thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, reason) -> failure.set(reason));
        this.stop = stop;
    }

    /**
     * Starts it.
     *
     * @param name of the thread.
     * @param work that ends by itself, or soon after it is told to.
     * @param stop tells it.
     * @return the work, which goes on.
     */
    public static Background start(final String name, final Runnable work, final Runnable stop) {
        final Background background = new Background(name, work, stop);
        background.thread.start();
        return background;
    }

    /**
     * Whether it goes on.
     *
     * @return false when it has ended.
     */
    public boolean isRunning() {
        return thread.isAlive();
    }

    /**
     * Tells it to end, and waits for that.
     *
     * @throws InterruptedException when the waiting thread is interrupted.
     */
    public void end() throws InterruptedException {
        stop.run();
        await();
    }

    /**
     * Waits for its end.
     *
     * @throws InterruptedException when the waiting thread is interrupted.
     */
    public void await() throws InterruptedException {
        thread.join();
        final Throwable reason = failure.get();
        if (reason instanceof CommandFailure known) {
            throw known;
        }
        if (reason != null) {
            throw new IllegalStateException("bench: a thread has failed: " + thread.getName(), reason);
        }
    }

    @Override
    public void close() {
        stop.run();
    }
}
