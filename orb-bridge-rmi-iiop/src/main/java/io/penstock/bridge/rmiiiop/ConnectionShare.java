package io.penstock.bridge.rmiiiop;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** The share of a connection in the {@link CallRoom}, which guards it. */
final class ConnectionShare {
    final InetAddress caller;
    int callCount;
    int waitCount;
    long callsLength;
    long partsLength;
    boolean isClosed;

    /** The waits of the connection's calls. */
    final Set<CountDownLatch> waits = new HashSet<>();

    private final Runnable end;

    /**
     * Has nothing yet.
     *
     * @param caller where the client is.
     * @param end    closes the connection.
     */
    ConnectionShare(final InetAddress caller, final Runnable end) {
        this.caller = caller;
        this.end = end;
    }

    /** Closes the connection; not called by the room. */
    void end() {
        end.run();
    }
}
