package io.penstock.spring;

import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The client that all beans of a program share. It is made when it is first needed, so that a program starts without its
 * broker; a client that has ended for good is replaced by a new one. That the broker cannot be reached is logged once, as a
 * warning, and once that it is there again. While the context stops, it flushes what was
 * published, and closes. Safe on any thread.
 */
public final class PenstockConnection implements SmartLifecycle, AutoCloseable {
    /** How long a failed attempt answers those after it. */
    private static final long FAILURE_KEPT_NS = 500_000_000;

    private static final Duration FLUSH_TIMEOUT_DEFAULT = Duration.ofSeconds(10);
    private static final Log LOG = LogFactory.getLog(PenstockConnection.class);

    private final ClientConfigSource configs;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable PenstockClient shared;
    private volatile boolean isRunning;

    /** Whether the shared client notes bookmarks, and only as long as the program runs. */
    private volatile boolean isForgetful;

    private volatile boolean isClosed;
    private volatile Duration flushTimeout = FLUSH_TIMEOUT_DEFAULT;
    private @Nullable ConnectionException failure;
    private long failedNs;

    /**
     * Makes a connection, which connects to nobody yet.
     *
     * @param configs of its clients; called for the shared client before each attempt, and for each listener that has a
     *                client of its own.
     */
    public PenstockConnection(final ClientConfigSource configs) {
        this.configs = configs;
    }

    /**
     * Bounds how long the flush takes while the context stops.
     *
     * @param timeout the longest wait; zero = none.
     */
    public void setFlushTimeout(final Duration timeout) {
        flushTimeout = timeout;
    }

    /**
     * The shared client. Connects when there is none yet, or the one before has ended for good, and waits for it.
     *
     * @return a client that was logged on, and may be reconnecting now.
     * @throws ConnectionException when the broker cannot be reached; asked again within half a second it throws the same
     *                             without another attempt.
     * @throws IllegalStateException when this connection is closed.
     */
    public PenstockClient client() {
        final PenstockClient known = shared;
        if (known != null && !known.isClosed() && !isClosed) {
            return known;
        }
        lock.lock();
        try {
            if (isClosed) {
                throw new IllegalStateException(
                        "penstock: the connection is closed (use it before the context closes)");
            }
            final PenstockClient current = shared;
            return current != null && !current.isClosed() ? current : connect();
        } finally {
            lock.unlock();
        }
    }

    private PenstockClient connect() {
        final ConnectionException last = failure;
        if (last != null && System.nanoTime() - failedNs < FAILURE_KEPT_NS) {
            throw last.onCallersThread();
        }
        try {
            final ClientConfig config = configs.config(ClientConfigSource.SHARED);
            final PenstockClient made = PenstockClient.connect(config);
            final BookmarkStore bookmarks = config.bookmarkStore();
            isForgetful = bookmarks != null && !bookmarks.isLasting();
            if (last != null || shared != null) {
                LOG.info("penstock: the broker is reached, and the client is connected");
            }
            failure = null;
            shared = made;
            return made;
        } catch (final ConnectionException e) {
            if (last == null && e.errorCode() != ErrorCode.REPLACED) {
                LOG.warn("penstock: the broker cannot be reached, and is tried again: " + e.getMessage());
            }
            failure = e;
            failedNs = System.nanoTime();
            throw e;
        }
    }

    /**
     * Connects a client for one user, who closes it.
     *
     * @param purpose the id of the listener.
     * @return a client that is logged on.
     * @throws ConnectionException when the broker cannot be reached.
     */
    public PenstockClient newClient(final String purpose) {
        final ClientConfig config = configs.config(purpose);
        if (config.publishStore() != null || config.bookmarkStore() != null) {
            throw new IllegalStateException("penstock: the client of '" + purpose
                    + "' has a store, and one store serves one client (give a configuration without stores for it)");
        }
        return PenstockClient.connect(config);
    }

    /**
     * Whether a failure says that the broker is away, stops, or does not answer: then the same may succeed later. When it
     * has refused something, it will again.
     *
     * @param failure of a method of a client, or of this class.
     * @return true when it is worth to try again.
     */
    public static boolean isPassing(final RuntimeException failure) {
        if (failure instanceof ConnectionException) {
            return true;
        }
        if (!(failure instanceof PenstockException reason)) {
            return false;
        }
        final ErrorCode code = reason.errorCode();
        return code == null
                || code == ErrorCode.SHUTTING_DOWN
                || code == ErrorCode.TIMED_OUT
                || code == ErrorCode.INTERNAL_ERROR;
    }

    /**
     * Whether durable listeners begin anew when the program does.
     *
     * @return true when the shared client has a bookmark store that ends with the program; false as well before it was
     *     connected.
     */
    public boolean isForgetful() {
        return isForgetful;
    }

    /**
     * The name of the program.
     *
     * @return as {@link ClientConfigSource#name()} has it.
     */
    public String name() {
        return configs.name();
    }

    /**
     * Whether the shared client is logged on at this moment.
     *
     * @return false as well when nobody needed it yet.
     */
    public boolean isConnected() {
        final PenstockClient known = shared;
        return known != null && known.isConnected();
    }

    /**
     * The shared client, if there is one.
     *
     * @return null before it was first needed, and while the broker cannot be reached for the first time.
     */
    public @Nullable PenstockClient current() {
        return shared;
    }

    /** Tries to connect. A broker that cannot be reached is tried again when somebody needs the client. */
    @Override
    public void start() {
        isRunning = true;
        try {
            client();
        } catch (final ConnectionException e) {
            LOG.debug("penstock: starts without its broker: " + e.getMessage());
        }
    }

    /** Flushes what was published; a failure is logged. The client stays, for beans that are destroyed later. */
    @Override
    public void stop() {
        isRunning = false;
        final PenstockClient known = shared;
        if (known == null || !known.isConnected() || flushTimeout.isZero()) {
            return;
        }
        try {
            known.flush(flushTimeout);
        } catch (final PenstockException e) {
            LOG.warn("penstock: the flush has failed while stopping: " + e.getMessage());
        }
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public int getPhase() {
        return PenstockPhases.CONNECTION;
    }

    /** Closes the shared client. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            final PenstockClient known = shared;
            if (known != null) {
                known.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
