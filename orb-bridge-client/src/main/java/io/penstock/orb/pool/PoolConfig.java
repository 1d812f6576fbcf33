package io.penstock.orb.pool;

import javax.net.SocketFactory;

/** How a pool behaves. Immutable; each method that changes something gives another one. */
public final class PoolConfig {
    static final int CONNECTION_COUNT_MAX_DEFAULT = 64;
    static final int CALLERS_PER_CONNECTION_DEFAULT = 20;
    static final int CONNECT_TIMEOUT_MS_DEFAULT = 10_000;
    static final int CALL_TIMEOUT_MS_DEFAULT = 60_000;
    static final int IDLE_TIMEOUT_MS_DEFAULT = 15_000;

    private final int connectionCountMax;
    private final int callersPerConnection;
    private final int connectTimeoutMs;
    private final int callTimeoutMs;
    private final int idleTimeoutMs;
    private final SocketFactory sockets;
    private final boolean isHostChecked;

    private PoolConfig(
            final int connectionCountMax,
            final int callersPerConnection,
            final int connectTimeoutMs,
            final int callTimeoutMs,
            final int idleTimeoutMs,
            final SocketFactory sockets,
            final boolean isHostChecked) {
        this.connectionCountMax = check("connectionCountMax", connectionCountMax, 1, 1024);
        this.callersPerConnection = check("callersPerConnection", callersPerConnection, 1, 1024);
        this.connectTimeoutMs = check("connectTimeoutMs", connectTimeoutMs, 1, 3_600_000);
        this.callTimeoutMs = check("callTimeoutMs", callTimeoutMs, 1, 3_600_000);
        this.idleTimeoutMs = check("idleTimeoutMs", idleTimeoutMs, 10, 3_600_000);
        this.sockets = sockets;
        this.isHostChecked = isHostChecked;
    }

    /** Up to 64 connections, one for 20 callers; 10 s to connect, 60 s a call, 15 s idle; plain TCP. */
    public static PoolConfig defaults() {
        return new PoolConfig(
                CONNECTION_COUNT_MAX_DEFAULT,
                CALLERS_PER_CONNECTION_DEFAULT,
                CONNECT_TIMEOUT_MS_DEFAULT,
                CALL_TIMEOUT_MS_DEFAULT,
                IDLE_TIMEOUT_MS_DEFAULT,
                SocketFactory.getDefault(),
                true);
    }

    private static int check(final String name, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "pool." + name + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
        return value;
    }

    /**
     * Bounds the connections to one bridge.
     *
     * @param value 1 to 1024.
     * @return the same with that.
     */
    public PoolConfig connectionCountMax(final int value) {
        return new PoolConfig(value, callersPerConnection, connectTimeoutMs, callTimeoutMs, idleTimeoutMs, sockets, isHostChecked);
    }

    /**
     * Says for how many callers at once there may be a connection: 20 are 5 %, 50 are 2 %.
     *
     * @param value 1 to 1024.
     * @return the same with that.
     */
    public PoolConfig callersPerConnection(final int value) {
        return new PoolConfig(connectionCountMax, value, connectTimeoutMs, callTimeoutMs, idleTimeoutMs, sockets, isHostChecked);
    }

    /**
     * Bounds the time to connect.
     *
     * @param value in milliseconds.
     * @return the same with that.
     */
    public PoolConfig connectTimeoutMs(final int value) {
        return new PoolConfig(connectionCountMax, callersPerConnection, value, callTimeoutMs, idleTimeoutMs, sockets, isHostChecked);
    }

    /**
     * Bounds the time from when a call is sent until its answer was read.
     *
     * @param value in milliseconds; longer than the longest wait for messages.
     * @return the same with that.
     */
    public PoolConfig callTimeoutMs(final int value) {
        return new PoolConfig(
                connectionCountMax, callersPerConnection, connectTimeoutMs, value, idleTimeoutMs, sockets, isHostChecked);
    }

    /**
     * Says after which time a connection that nobody needs is closed.
     *
     * @param value in milliseconds.
     * @return the same with that.
     */
    public PoolConfig idleTimeoutMs(final int value) {
        return new PoolConfig(
                connectionCountMax, callersPerConnection, connectTimeoutMs, callTimeoutMs, value, sockets, isHostChecked);
    }

    /**
     * Says what makes the connections, for example {@code SSLSocketFactory.getDefault()}, or that of another transport. With
     * TLS the bridge's certificate has to be for the host that is called, unless {@link #withoutHostCheck()} says otherwise.
     *
     * @param value makes sockets that are not connected; reads of them can time out.
     * @return the same with that.
     */
    public PoolConfig sockets(final SocketFactory value) {
        return new PoolConfig(
                connectionCountMax, callersPerConnection, connectTimeoutMs, callTimeoutMs, idleTimeoutMs, value, isHostChecked);
    }

    /**
     * Takes any certificate that is trusted, whichever host it is for. For networks of which nobody else has such a
     * certificate.
     *
     * @return the same without the check.
     */
    public PoolConfig withoutHostCheck() {
        return new PoolConfig(
                connectionCountMax,
                callersPerConnection,
                connectTimeoutMs,
                callTimeoutMs,
                idleTimeoutMs,
                sockets,
                false);
    }

    boolean isHostChecked() {
        return isHostChecked;
    }

    int connectionCountMax() {
        return connectionCountMax;
    }

    int callersPerConnection() {
        return callersPerConnection;
    }

    int connectTimeoutMs() {
        return connectTimeoutMs;
    }

    int callTimeoutMs() {
        return callTimeoutMs;
    }

    int idleTimeoutMs() {
        return idleTimeoutMs;
    }

    SocketFactory sockets() {
        return sockets;
    }
}
