package io.penstock.transport;

import io.penstock.transport.tls.TlsContexts;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * The context that the owner agent of a transport gives to it.
 *
 * @param handler          called for everything that happens on the transport.
 * @param frameLengthMax   the longest frame in bytes; a peer that announces a longer one is disconnected before
 *                         anything is allocated for it.
 * @param connectTimeoutNs the longest wait for a peer to answer.
 * @param connectionLimit  the most connections at once; further ones are closed as soon as they are accepted, and not
 *                         made.
 * @param counters         what the transport counts, shared by the transports of one agent.
 * @param wakeup           ends the owner's wait, wherever it waits; called by media that have nothing to wait on
 *                         themselves. Safe on any thread.
 * @param loop             where the owner waits for several transports at once; theirs when they do not wake it. Null
 *                         when the owner waits in the transport.
 * @param errorHandler     for what has no connection to blame.
 * @param tls              what encrypted transports make their connections with; null when none is to be opened.
 */
public record TransportContext(
        TransportHandler handler,
        int frameLengthMax,
        long connectTimeoutNs,
        int connectionLimit,
        TransportCounters counters,
        Runnable wakeup,
        @Nullable SelectorLoop loop,
        ErrorHandler errorHandler,
        @Nullable TlsContexts tls) {
    /** A frame of up to this many bytes is delivered and can be offered in one part, on every transport. */
    public static final int FRAGMENT_LENGTH_MIN = 64 * 1024;

    /** Longest frame in bytes unless configured: a message of 16 MiB and room for the headers around it. */
    public static final int FRAME_LENGTH_MAX_DEFAULT = 16 * 1024 * 1024 + 64 * 1024;

    public static final long CONNECT_TIMEOUT_NS_DEFAULT = 5_000_000_000L;

    public static final int CONNECTION_LIMIT_DEFAULT = 16 * 1024;

    /**
     * For an owner that waits in the transport.
     *
     * @param handler          see above.
     * @param frameLengthMax   see above.
     * @param connectTimeoutNs see above.
     * @param connectionLimit  see above.
     * @param counters         see above.
     * @param wakeup           see above.
     * @param errorHandler     see above.
     */
    public TransportContext(
            final TransportHandler handler,
            final int frameLengthMax,
            final long connectTimeoutNs,
            final int connectionLimit,
            final TransportCounters counters,
            final Runnable wakeup,
            final ErrorHandler errorHandler) {
        this(handler, frameLengthMax, connectTimeoutNs, connectionLimit, counters, wakeup, null, errorHandler);
    }

    /**
     * For an owner that may wait in a loop, without encryption.
     *
     * @param handler          see above.
     * @param frameLengthMax   see above.
     * @param connectTimeoutNs see above.
     * @param connectionLimit  see above.
     * @param counters         see above.
     * @param wakeup           see above.
     * @param loop             see above.
     * @param errorHandler     see above.
     */
    public TransportContext(
            final TransportHandler handler,
            final int frameLengthMax,
            final long connectTimeoutNs,
            final int connectionLimit,
            final TransportCounters counters,
            final Runnable wakeup,
            final @Nullable SelectorLoop loop,
            final ErrorHandler errorHandler) {
        this(handler, frameLengthMax, connectTimeoutNs, connectionLimit, counters, wakeup, loop, errorHandler, null);
    }

    public TransportContext {
        if (frameLengthMax < FRAGMENT_LENGTH_MIN) {
            throw new IllegalArgumentException("transport.frameLengthMax: too small: " + frameLengthMax + " (use "
                    + FRAGMENT_LENGTH_MIN + " or more)");
        }
        if (connectionLimit < 1) {
            throw new IllegalArgumentException(
                    "transport.connectionLimit: too small: " + connectionLimit + " (use 1 or more)");
        }
    }

    /**
     * Adds what encrypted transports need.
     *
     * @param value contexts of certificates; null for none.
     * @return the same with these.
     */
    public TransportContext tls(final @Nullable TlsContexts value) {
        return new TransportContext(
                handler,
                frameLengthMax,
                connectTimeoutNs,
                connectionLimit,
                counters,
                wakeup,
                loop,
                errorHandler,
                value);
    }
}
