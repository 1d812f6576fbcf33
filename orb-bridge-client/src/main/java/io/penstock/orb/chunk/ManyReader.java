package io.penstock.orb.chunk;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a connection as long as more than one waits: those need not wake each other then, and what they send goes together.
 * A thread of its own, which ends with the connection.
 */
final class ManyReader implements Runnable {
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);

    private final ChunkConnection connection;

    private ManyReader(final ChunkConnection connection) {
        this.connection = connection;
    }

    /** Begins; when there is no thread for it, those that wait read in turn. */
    static void start(final ChunkConnection connection) {
        try {
            final Thread thread = new Thread(new ManyReader(connection), "penstock-pool-reader");
            thread.setContextClassLoader(null);
            thread.setDaemon(true);
            thread.start();
        } catch (final OutOfMemoryError e) {
            // As the runtime says that there can be no more threads.
            return;
        }
    }

    @Override
    public void run() {
        final ReadTurns turns = connection.turns();
        try {
            while (true) {
                final boolean isLeading;
                synchronized (connection.lock()) {
                    connection.checkOpen();
                    isLeading = turns.leadForMany();
                }
                if (isLeading) {
                    readWhileMany(turns);
                } else {
                    LockSupport.parkNanos(this, IDLE_NS);
                }
            }
        } catch (final IOException e) {
            // The connection has ended, and all waiting threads were notified.
            return;
        }
    }

    // Nothing relies on the yield but how much goes together.
    @SuppressWarnings("ThreadPriorityCheck")
    private void readWhileMany(final ReadTurns turns) throws IOException {
        try {
            boolean areMany = true;
            while (areMany) {
                connection.reads().readInTime(Long.MAX_VALUE);
                if (connection.reads().isAnyWoken()) {
                    // They ask again, most likely.
                    Thread.yield();
                }
                synchronized (connection.lock()) {
                    areMany = turns.areMany();
                }
            }
        } finally {
            turns.end();
        }
    }
}
