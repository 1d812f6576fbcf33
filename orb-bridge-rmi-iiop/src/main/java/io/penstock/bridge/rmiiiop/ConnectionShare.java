package io.penstock.bridge.rmiiiop;

import java.net.InetAddress;

/** What a connection has of the {@link CallRoom}, which guards it. */
final class ConnectionShare {
    final InetAddress caller;
    int callCount;
    int waitCount;
    long partsLength;
    boolean isClosed;

    /**
     * Has nothing yet.
     *
     * @param caller where the client is.
     */
    ConnectionShare(final InetAddress caller) {
        this.caller = caller;
    }
}
