package io.penstock.bridge.config;

import java.util.List;

/**
 * The front end for RMI.
 *
 * @param port                of registry, sessions and leases, all on one; 0 = a free one, -1 = no front end.
 * @param address             to listen on, an address of this machine.
 * @param host                in the stubs of clients, a name or an address; empty = the address, if it is not a
 *                            wildcard. It becomes {@code java.rmi.server.hostname} of the whole process.
 * @param connectionCountMax  connections at once, with lanes, and so threads; further ones are closed at once.
 * @param streamCountMax      calls at once on a connection that calls share; further ones are refused.
 * @param laneCountMax        of these, how many are served at once; those that wait for long do not count.
 * @param idleTimeoutMs       after which a connection from which nothing comes is closed.
 * @param callbackHosts       addresses that clients elsewhere may name to be called; {@code *} = any.
 * @param allowInsecureListen whether an address that other machines can reach may be used without client certificates.
 * @param tls                 whether it speaks TLS, with the certificates that the bridge is started with.
 */
public record RmiConfig(
        int port,
        String address,
        String host,
        int connectionCountMax,
        int streamCountMax,
        int laneCountMax,
        int idleTimeoutMs,
        List<String> callbackHosts,
        boolean allowInsecureListen,
        boolean tls) {
    public static final String ADDRESS_DEFAULT = "127.0.0.1";
    public static final int CONNECTION_COUNT_MAX_DEFAULT = 1024;
    public static final int STREAM_COUNT_MAX_DEFAULT = 1024;
    public static final int LANE_COUNT_MAX_DEFAULT = 16;
    public static final int IDLE_TIMEOUT_MS_DEFAULT = 60_000;

    public RmiConfig {
        callbackHosts = List.copyOf(callbackHosts);
        Limits.check("bridge.rmi.port", port, -1, 65_535);
        Limits.check("bridge.rmi.connectionCountMax", connectionCountMax, 1, 65_535);
        Limits.check("bridge.rmi.streamCountMax", streamCountMax, 1, 65_535);
        Limits.check("bridge.rmi.laneCountMax", laneCountMax, 1, 65_535);
        Limits.check("bridge.rmi.idleTimeoutMs", idleTimeoutMs, 10, 3_600_000);
    }

    /** No front end. */
    public static RmiConfig none() {
        return new RmiConfig(
                -1,
                ADDRESS_DEFAULT,
                "",
                CONNECTION_COUNT_MAX_DEFAULT,
                STREAM_COUNT_MAX_DEFAULT,
                LANE_COUNT_MAX_DEFAULT,
                IDLE_TIMEOUT_MS_DEFAULT,
                List.of(),
                false,
                false);
    }

    /**
     * Says where to listen.
     *
     * @param value the port; 0 = a free one.
     * @return the same on that port.
     */
    public RmiConfig port(final int value) {
        return new RmiConfig(
                value,
                address,
                host,
                connectionCountMax,
                streamCountMax,
                laneCountMax,
                idleTimeoutMs,
                callbackHosts,
                allowInsecureListen,
                tls);
    }

    /**
     * Says whether to encrypt.
     *
     * @param value true for TLS.
     * @return the same with that.
     */
    public RmiConfig tls(final boolean value) {
        return new RmiConfig(
                port,
                address,
                host,
                connectionCountMax,
                streamCountMax,
                laneCountMax,
                idleTimeoutMs,
                callbackHosts,
                allowInsecureListen,
                value);
    }

    public boolean isUsed() {
        return port >= 0;
    }
}
