package io.penstock.bridge.config;

import java.util.List;

/**
 * The front end for CORBA, by IIOP.
 *
 * @param port                to listen on; 0 = a free one, -1 = no front end.
 * @param address             to listen on, an address of this machine.
 * @param host                that references name for clients to call, a name or an address; empty = the address, if it is
 *                            not a wildcard.
 * @param connectionCountMax  connections at once; further ones are closed at once.
 * @param requestCountMax     requests of one connection that are under way; at the bound no further one is begun, and it
 *                            is not read.
 * @param fragmentedCountMax  messages of one connection of which fragments are missing; beyond the bound it ends.
 * @param fragmentLength      of the fragments that are sent, with their headers, in bytes; a multiple of 8.
 * @param receivedLengthMax   bytes of messages that have come in part, of all connections; one that goes beyond it is
 *                            refused. As many may be under way, and wait as answers; beyond that a connection that has
 *                            one of them is not read.
 * @param threadCountMax      threads that wait for the broker in calls.
 * @param ioThreadCount       threads that read and write.
 * @param idleTimeoutMs       after which a connection is closed from which nothing comes, or whose client does not take its
 *                            answers.
 * @param callbackHosts       addresses that clients elsewhere may name to be called; {@code *} = any.
 * @param allowInsecureListen whether an address that other machines can reach may be used without client certificates.
 * @param tls                 whether clients speak TLS, with the certificates that the bridge is started with.
 * @param iorFile             path of a file that the reference is written to; empty = none.
 * @param naming              reference to a name service to register with; empty = none.
 * @param name                to register under, parts with {@code /} between them.
 */
public record IiopConfig(
        int port,
        String address,
        String host,
        int connectionCountMax,
        int requestCountMax,
        int fragmentedCountMax,
        int fragmentLength,
        long receivedLengthMax,
        int threadCountMax,
        int ioThreadCount,
        int idleTimeoutMs,
        List<String> callbackHosts,
        boolean allowInsecureListen,
        IiopTls tls,
        String iorFile,
        String naming,
        String name) {
    public static final String ADDRESS_DEFAULT = "127.0.0.1";
    public static final int CONNECTION_COUNT_MAX_DEFAULT = 1024;
    public static final int REQUEST_COUNT_MAX_DEFAULT = 1024;
    public static final int FRAGMENTED_COUNT_MAX_DEFAULT = 256;
    public static final int FRAGMENT_LENGTH_DEFAULT = 64 * 1024;
    public static final int FRAGMENT_LENGTH_MIN = 1024;
    public static final int FRAGMENT_LENGTH_MAX = 1024 * 1024;
    public static final long RECEIVED_LENGTH_MAX_DEFAULT = 256L * 1024 * 1024;
    public static final int THREAD_COUNT_MAX_DEFAULT = 64;
    public static final int IO_THREAD_COUNT_DEFAULT = 2;
    public static final int IDLE_TIMEOUT_MS_DEFAULT = 60_000;
    public static final String NAME_DEFAULT = "Penstock/Broker";

    public IiopConfig {
        callbackHosts = List.copyOf(callbackHosts);
        Limits.check("bridge.iiop.port", port, -1, 65_535);
        Limits.check("bridge.iiop.connectionCountMax", connectionCountMax, 1, 65_535);
        Limits.check("bridge.iiop.requestCountMax", requestCountMax, 1, 65_535);
        Limits.check("bridge.iiop.fragmentedCountMax", fragmentedCountMax, 1, 65_535);
        Limits.check("bridge.iiop.fragmentLength", fragmentLength, FRAGMENT_LENGTH_MIN, FRAGMENT_LENGTH_MAX);
        if (fragmentLength % 8 != 0) {
            throw new IllegalArgumentException(
                    "bridge.iiop.fragmentLength: not a multiple of 8: " + fragmentLength + " (use 4096 or 65536)");
        }
        Limits.check("bridge.iiop.receivedLengthMax", receivedLengthMax, 1024, 1L << 40);
        Limits.check("bridge.iiop.threadCountMax", threadCountMax, 1, 4096);
        Limits.check("bridge.iiop.ioThreadCount", ioThreadCount, 1, 256);
        Limits.check("bridge.iiop.idleTimeoutMs", idleTimeoutMs, 10, 3_600_000);
        if (name.isEmpty() || name.startsWith("/") || name.endsWith("/") || name.contains("//")) {
            throw new IllegalArgumentException(
                    "bridge.iiop.name: has an empty part: " + name + " (use parts with / between them)");
        }
    }

    /** No front end. */
    public static IiopConfig none() {
        return new IiopConfig(
                -1,
                ADDRESS_DEFAULT,
                "",
                CONNECTION_COUNT_MAX_DEFAULT,
                REQUEST_COUNT_MAX_DEFAULT,
                FRAGMENTED_COUNT_MAX_DEFAULT,
                FRAGMENT_LENGTH_DEFAULT,
                RECEIVED_LENGTH_MAX_DEFAULT,
                THREAD_COUNT_MAX_DEFAULT,
                IO_THREAD_COUNT_DEFAULT,
                IDLE_TIMEOUT_MS_DEFAULT,
                List.of(),
                false,
                IiopTls.NONE,
                "",
                "",
                NAME_DEFAULT);
    }

    /**
     * Says where to listen.
     *
     * @param value the port; 0 = a free one.
     * @return the same on that port.
     */
    public IiopConfig port(final int value) {
        return new IiopConfig(
                value,
                address,
                host,
                connectionCountMax,
                requestCountMax,
                fragmentedCountMax,
                fragmentLength,
                receivedLengthMax,
                threadCountMax,
                ioThreadCount,
                idleTimeoutMs,
                callbackHosts,
                allowInsecureListen,
                tls,
                iorFile,
                naming,
                name);
    }

    /**
     * Sets the length of fragments of long answers.
     *
     * @param value in bytes.
     * @return the same with that.
     */
    public IiopConfig fragmentLength(final int value) {
        return new IiopConfig(
                port,
                address,
                host,
                connectionCountMax,
                requestCountMax,
                fragmentedCountMax,
                value,
                receivedLengthMax,
                threadCountMax,
                ioThreadCount,
                idleTimeoutMs,
                callbackHosts,
                allowInsecureListen,
                tls,
                iorFile,
                naming,
                name);
    }

    /**
     * Says whether clients speak TLS.
     *
     * @param value whether they do.
     * @return the same with that.
     */
    public IiopConfig tls(final IiopTls value) {
        return new IiopConfig(
                port,
                address,
                host,
                connectionCountMax,
                requestCountMax,
                fragmentedCountMax,
                fragmentLength,
                receivedLengthMax,
                threadCountMax,
                ioThreadCount,
                idleTimeoutMs,
                callbackHosts,
                allowInsecureListen,
                value,
                iorFile,
                naming,
                name);
    }

    public boolean isUsed() {
        return port >= 0;
    }
}
