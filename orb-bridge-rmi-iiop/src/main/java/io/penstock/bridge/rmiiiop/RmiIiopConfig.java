package io.penstock.bridge.rmiiiop;

/**
 * Where RMI-IIOP clients are served, and how many.
 *
 * @param port                to listen on; 0 = a free one.
 * @param address             to listen on, an address of this machine and not blank; references name it.
 * @param connectionCountMax  connections at once; further ones are closed at once.
 * @param callLengthMax       longest call in bytes.
 * @param idleTimeoutMs       after which a connection is closed from which nothing comes, and a session ends of which nothing
 *                            is called.
 * @param allowInsecureListen whether an address may be used that other machines can reach.
 */
public record RmiIiopConfig(
        int port,
        String address,
        int connectionCountMax,
        int callLengthMax,
        int idleTimeoutMs,
        boolean allowInsecureListen) {
    public static final String ADDRESS_DEFAULT = "127.0.0.1";
    public static final int CONNECTION_COUNT_MAX_DEFAULT = 64;
    public static final int CALL_LENGTH_MAX_DEFAULT = 36 * 1024 * 1024;
    public static final int IDLE_TIMEOUT_MS_DEFAULT = 600_000;

    public RmiIiopConfig {
        check("port", port, 0, 65_535);
        // The ORB would listen on all addresses of the machine.
        if (address.isBlank()) {
            throw new IllegalArgumentException("address: is blank (use 127.0.0.1, or another address of this machine)");
        }
        check("connectionCountMax", connectionCountMax, 1, 65_535);
        check("callLengthMax", callLengthMax, 1024, 1 << 30);
        check("idleTimeoutMs", idleTimeoutMs, 10, 3_600_000);
    }

    private static void check(final String key, final int value, final int min, final int max) {
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
                CALL_LENGTH_MAX_DEFAULT,
                IDLE_TIMEOUT_MS_DEFAULT,
                false);
    }

    /**
     * Says where to listen.
     *
     * @param value the port; 0 = a free one.
     * @return the same on that port.
     */
    public RmiIiopConfig port(final int value) {
        return new RmiIiopConfig(value, address, connectionCountMax, callLengthMax, idleTimeoutMs, allowInsecureListen);
    }

    /**
     * Says where to listen.
     *
     * @param value an address of this machine.
     * @return the same on that address.
     */
    public RmiIiopConfig address(final String value) {
        return new RmiIiopConfig(port, value, connectionCountMax, callLengthMax, idleTimeoutMs, allowInsecureListen);
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
                port, address, newConnectionCountMax, newCallLengthMax, newIdleTimeoutMs, allowInsecureListen);
    }

    /**
     * Lets other machines in.
     *
     * @param value true when all who can reach it are trusted.
     * @return the same with that.
     */
    public RmiIiopConfig allowInsecureListen(final boolean value) {
        return new RmiIiopConfig(port, address, connectionCountMax, callLengthMax, idleTimeoutMs, value);
    }
}
