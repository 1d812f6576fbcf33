package io.penstock.bridge.rmiiiop;

import java.util.List;

/**
 * Where RMI-IIOP clients are served, and how many.
 *
 * @param port                to listen on; 0 = a free one.
 * @param address             to listen on, an address of this machine and not blank; references name it.
 * @param connectionCountMax  connections at once; further ones are closed at once.
 * @param callCountMax        calls that are served at once, without those that wait for messages; further ones are not read
 *                            until one is done. A connection has at most half of them.
 * @param waitCountMax        calls that wait for messages or records at once; a further one is refused when there is nothing
 *                            for it. A connection has at most half of them.
 * @param callLengthMax       longest call in bytes.
 * @param callsLengthMax      bytes of all calls: half for what has come in part, half for calls under way and their answers;
 *                            what there is no room for is not read until there is; a connection has at most half of the latter,
 *                            unless it has none. At least twice {@code callLengthMax}, and 8 KiB.
 * @param idleTimeoutMs       after which a connection is closed from which nothing comes, and a session ends of which nothing
 *                            is called.
 * @param allowInsecureListen whether an address may be used that other machines can reach.
 * @param callbackHosts       hosts that clients may name for their listeners beside their own address; {@code *} = any.
 */
public record RmiIiopConfig(
        int port,
        String address,
        int connectionCountMax,
        int callCountMax,
        int waitCountMax,
        int callLengthMax,
        long callsLengthMax,
        int idleTimeoutMs,
        boolean allowInsecureListen,
        List<String> callbackHosts) {
    public static final String ADDRESS_DEFAULT = "127.0.0.1";
    public static final int CONNECTION_COUNT_MAX_DEFAULT = 64;
    public static final int CALL_COUNT_MAX_DEFAULT = 64;
    public static final int WAIT_COUNT_MAX_DEFAULT = 256;
    public static final int CALL_LENGTH_MAX_DEFAULT = 36 * 1024 * 1024;
    public static final long CALLS_LENGTH_MAX_DEFAULT = 256L * 1024 * 1024;
    public static final int IDLE_TIMEOUT_MS_DEFAULT = 600_000;

    private static final int STALL_TIMEOUT_MS_MAX = 30_000;
    private static final int CALL_OVERHEAD = 4096;

    public RmiIiopConfig {
        check("port", port, 0, 65_535);
        // The ORB would listen on all addresses of the machine.
        if (address.isBlank()) {
            throw new IllegalArgumentException("address: is blank (use 127.0.0.1, or another address of this machine)");
        }
        check("connectionCountMax", connectionCountMax, 1, 65_535);
        check("callCountMax", callCountMax, 1, 65_535);
        check("waitCountMax", waitCountMax, 1, 65_535);
        check("callLengthMax", callLengthMax, 1024, 1 << 30);
        check("callsLengthMax", callsLengthMax, 2L * (callLengthMax + CALL_OVERHEAD), 1L << 40);
        check("idleTimeoutMs", idleTimeoutMs, 10, 3_600_000);
        callbackHosts = List.copyOf(callbackHosts);
    }

    private static void check(final String key, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(key + ": out of bounds: " + value + " (use " + min + " to " + max + ")");
        }
    }

    /**
     * On loopback.
     *
     * @param port to listen on; 0 = a free one.
     * @return the defaults on that port.
     */
    public static RmiIiopConfig onPort(final int port) {
        return new RmiIiopConfig(
                port,
                ADDRESS_DEFAULT,
                CONNECTION_COUNT_MAX_DEFAULT,
                CALL_COUNT_MAX_DEFAULT,
                WAIT_COUNT_MAX_DEFAULT,
                CALL_LENGTH_MAX_DEFAULT,
                CALLS_LENGTH_MAX_DEFAULT,
                IDLE_TIMEOUT_MS_DEFAULT,
                false,
                List.of());
    }

    /** After which a client is given up that does not send the rest of a call, or does not read. */
    int stallTimeoutMs() {
        return Math.min(idleTimeoutMs, STALL_TIMEOUT_MS_MAX);
    }

    /**
     * Says where to listen.
     *
     * @param value the port; 0 = a free one.
     * @return the same on that port.
     */
    public RmiIiopConfig port(final int value) {
        return listening(value, address, allowInsecureListen);
    }

    /**
     * Says where to listen.
     *
     * @param value an address of this machine.
     * @return the same on that address.
     */
    public RmiIiopConfig address(final String value) {
        return listening(port, value, allowInsecureListen);
    }

    /**
     * Lets other machines in.
     *
     * @param value true when all who can reach it are trusted.
     * @return the same with that.
     */
    public RmiIiopConfig allowInsecureListen(final boolean value) {
        return listening(port, address, value);
    }

    private RmiIiopConfig listening(final int newPort, final String newAddress, final boolean newAllowInsecureListen) {
        return new RmiIiopConfig(
                newPort,
                newAddress,
                connectionCountMax,
                callCountMax,
                waitCountMax,
                callLengthMax,
                callsLengthMax,
                idleTimeoutMs,
                newAllowInsecureListen,
                callbackHosts);
    }

    /**
     * Bounds the clients.
     *
     * @param newConnectionCountMax connections at once.
     * @param newCallLengthMax      longest call in bytes.
     * @param newIdleTimeoutMs      after which connections and sessions end.
     * @return the same with those.
     */
    public RmiIiopConfig limits(
            final int newConnectionCountMax, final int newCallLengthMax, final int newIdleTimeoutMs) {
        return new RmiIiopConfig(
                port,
                address,
                newConnectionCountMax,
                callCountMax,
                waitCountMax,
                newCallLengthMax,
                callsLengthMax,
                newIdleTimeoutMs,
                allowInsecureListen,
                callbackHosts);
    }

    /**
     * Bounds the calls of all clients together.
     *
     * @param newCallCountMax   that are served at once.
     * @param newWaitCountMax   that wait for messages at once.
     * @param newCallsLengthMax bytes of all.
     * @return the same with those.
     */
    public RmiIiopConfig calls(final int newCallCountMax, final int newWaitCountMax, final long newCallsLengthMax) {
        return new RmiIiopConfig(
                port,
                address,
                connectionCountMax,
                newCallCountMax,
                newWaitCountMax,
                callLengthMax,
                newCallsLengthMax,
                idleTimeoutMs,
                allowInsecureListen,
                callbackHosts);
    }

    /**
     * Says where clients' listeners may be.
     *
     * @param hosts beside the client's own address; {@code *} = any.
     * @return the same with those.
     */
    public RmiIiopConfig callbackHosts(final List<String> hosts) {
        return new RmiIiopConfig(
                port,
                address,
                connectionCountMax,
                callCountMax,
                waitCountMax,
                callLengthMax,
                callsLengthMax,
                idleTimeoutMs,
                allowInsecureListen,
                hosts);
    }
}
