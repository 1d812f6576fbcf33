package io.penstock.bridge.callback;

import io.penstock.bridge.service.Listener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A listener that is called over a connection of its own. The connection is made for the first call, and kept for a second
 * after the last one. Safe on any thread.
 *
 * @param <C> the connection.
 */
public abstract class KeptListener<C> implements Listener {
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(1);

    private final String where;
    private @Nullable C connection;
    private long usedNs;
    private boolean isCalling;
    private boolean isClosed;
    private boolean isAborted;

    /**
     * Calls nobody yet.
     *
     * @param where the listener is, for people.
     */
    protected KeptListener(final String where) {
        this.where = where;
    }

    /** Makes a connection that has not connected yet. */
    protected abstract C newConnection();

    /** Gives a connection up, and ends the call that is under way by an exception. Waits for nobody. */
    protected abstract void close(C unused);

    /**
     * Calls.
     *
     * @param call made over the connection; after an exception the connection is given up.
     * @throws Exception what the call throws.
     */
    protected final void call(final Call<C> call) throws Exception {
        final C taken = begin();
        boolean isAnswered = false;
        try {
            call.make(taken);
            isAnswered = true;
        } finally {
            end(isAnswered);
        }
    }

    private synchronized C begin() throws IOException {
        if (isAborted) {
            throw new IOException("callback: was given up: " + where);
        }
        closeIdle(System.nanoTime());
        C taken = connection;
        if (taken == null) {
            taken = newConnection();
            connection = taken;
        }
        isCalling = true;
        return taken;
    }

    private synchronized void end(final boolean isAnswered) {
        isCalling = false;
        usedNs = System.nanoTime();
        if (!isAnswered || isClosed) {
            disconnect();
        }
    }

    @Override
    public final synchronized void closeIdle(final long nowNs) {
        if (!isCalling && nowNs - usedNs > KEPT_NS) {
            disconnect();
        }
    }

    @Override
    public final synchronized void abort() {
        isAborted = true;
        disconnect();
    }

    @Override
    public final synchronized void close() {
        isClosed = true;
        if (!isCalling) {
            disconnect();
        }
    }

    private void disconnect() {
        final C known = connection;
        connection = null;
        if (known != null) {
            close(known);
        }
    }

    /**
     * A call over a connection.
     *
     * @param <C> the connection.
     */
    public interface Call<C> {
        /**
         * Makes it, and waits for the answer.
         *
         * @param connection to make it over.
         * @throws Exception when there is none.
         */
        void make(C connection) throws Exception;
    }
}
