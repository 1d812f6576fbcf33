package io.penstock.broker.event;

import java.util.concurrent.atomic.AtomicBoolean;

/** Writes events on a thread of its own, which may wait for their handler. Owned by its maker. */
public final class EventThread implements AutoCloseable {
    private static final long JOIN_TIMEOUT_MS = 5_000;

    private final EventLog events;
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final Thread thread;

    /**
     * Starts the thread.
     *
     * @param events to write.
     * @param name   of the thread.
     */
    public EventThread(final EventLog events, final String name) {
        this.events = events;
        LoggerClasses.load();
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!isClosing.get()) {
            if (events.doWork() == 0) {
                events.await();
            }
        }
        events.finish();
    }

    /** Writes what was reported, and ends the thread; it is left alone when it takes too long. */
    @Override
    public void close() {
        isClosing.set(true);
        events.wakeup();
        try {
            thread.join(JOIN_TIMEOUT_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
