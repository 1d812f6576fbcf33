package io.penstock.admin;

import io.penstock.broker.BrokerConfig;
import io.penstock.transport.tls.ClientCertificates;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of an admin server.
 *
 * @param listen             where it listens, {@code http://HOST:PORT} or {@code https://HOST:PORT}; empty = there is none.
 * @param hosts              names by which it may be called; addresses and {@code localhost} always may.
 * @param allowInsecureListen whether it may listen, without TLS, where other machines can reach it.
 * @param connectionCountMax connections at a time; more get status 503.
 * @param streamCountMax     streams of events at a time; more get status 503.
 * @param tailCountMax       those of them that follow a topic; each takes a client of the broker, with its thread.
 * @param queryCountMax      queries at a time; each takes a client of the broker, with its thread.
 * @param backupDirectory    folder in which callers may have backups of the broker's log made; empty = they may not.
 * @param backupRate         bytes a second of such a backup at most; 0 = as fast as it goes.
 * @param bodyLengthMax      of a request, in bytes.
 * @param requestTimeoutMs   in which a request has to come whole.
 * @param idleTimeoutMs      after which a connection without a request, or of whose answer nothing is taken, is closed.
 * @param sessionTimeoutMs   after which those who have logged on have to do so again.
 * @param jmx                whether the broker's counters are attributes of an MBean.
 */
public record AdminConfig(
        String listen,
        List<String> hosts,
        boolean allowInsecureListen,
        int connectionCountMax,
        int streamCountMax,
        int tailCountMax,
        int queryCountMax,
        String backupDirectory,
        long backupRate,
        int bodyLengthMax,
        int requestTimeoutMs,
        int idleTimeoutMs,
        int sessionTimeoutMs,
        boolean jmx) {
    /** Where an admin server listens that is asked for without an address. */
    public static final String LISTEN_LOCAL = "http://127.0.0.1:9180";

    public static final int CONNECTION_COUNT_MAX_DEFAULT = 2000;
    public static final int STREAM_COUNT_MAX_DEFAULT = 1000;
    public static final int TAIL_COUNT_MAX_DEFAULT = 64;
    public static final int QUERY_COUNT_MAX_DEFAULT = 8;
    public static final int BODY_LENGTH_MAX_DEFAULT = 64 * 1024;
    public static final int REQUEST_TIMEOUT_MS_DEFAULT = 10_000;
    public static final int IDLE_TIMEOUT_MS_DEFAULT = 60_000;
    public static final int SESSION_TIMEOUT_MS_DEFAULT = 8 * 3_600_000;

    private static final long BACKUP_RATE_MAX = 1L << 40;

    public AdminConfig {
        hosts = List.copyOf(hosts);
        if (!listen.isEmpty()) {
            checkListen(listen);
        }
        check("connectionCountMax", connectionCountMax, 1, 100_000);
        check("streamCountMax", streamCountMax, 1, 100_000);
        check("tailCountMax", tailCountMax, 1, 1000);
        check("queryCountMax", queryCountMax, 1, 256);
        check("backupRate", backupRate, 0, BACKUP_RATE_MAX);
        check("bodyLengthMax", bodyLengthMax, 1024, 16 * 1024 * 1024);
        check("requestTimeoutMs", requestTimeoutMs, 100, 600_000);
        check("idleTimeoutMs", idleTimeoutMs, 100, 3_600_000);
        check("sessionTimeoutMs", sessionTimeoutMs, 1000, 7 * 24 * 3_600_000);
    }

    /** Without backups; the parameters are those of the record. */
    public AdminConfig(
            final String listen,
            final List<String> hosts,
            final boolean allowInsecureListen,
            final int connectionCountMax,
            final int streamCountMax,
            final int tailCountMax,
            final int queryCountMax,
            final int bodyLengthMax,
            final int requestTimeoutMs,
            final int idleTimeoutMs,
            final int sessionTimeoutMs,
            final boolean jmx) {
        this(
                listen,
                hosts,
                allowInsecureListen,
                connectionCountMax,
                streamCountMax,
                tailCountMax,
                queryCountMax,
                "",
                0,
                bodyLengthMax,
                requestTimeoutMs,
                idleTimeoutMs,
                sessionTimeoutMs,
                jmx);
    }

    private static void checkListen(final String listen) {
        try {
            final URI uri = URI.create(listen);
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getPort() >= 0
                    && String.valueOf(uri.getPath()).isEmpty()) {
                return;
            }
        } catch (final IllegalArgumentException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "admin.listen: not an address of a server: " + listen + " (use for example " + LISTEN_LOCAL + ")");
    }

    private static void check(final String key, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "admin." + key + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }

    /**
     * Refuses a folder of backups in the directory of the log.
     *
     * @param journalDirectory of the broker; empty for none.
     * @throws IllegalArgumentException when it is: the key, the value and what to use.
     */
    public void checkBackups(final String journalDirectory) {
        if (!backupDirectory.isEmpty()
                && !journalDirectory.isEmpty()
                && absolute(backupDirectory).startsWith(absolute(journalDirectory))) {
            throw new IllegalArgumentException("admin.backupDirectory: in the broker's own directory: "
                    + backupDirectory + " (use one elsewhere)");
        }
    }

    /**
     * Refuses an address that other machines can reach, if the broker cannot know who calls: whoever reached it would be
     * anonymous, and might see and change what everyone may.
     *
     * @param broker configuration of it.
     * @throws IllegalArgumentException when it is: the key, the value and what to use.
     */
    public void checkCallers(final BrokerConfig broker) {
        if (!isUsed()
                || allowInsecureListen
                || broker.security().knowsUsers()
                || broker.tls().clientCertificates() == ClientCertificates.REQUIRED) {
            return;
        }
        final String host = URI.create(listen).getHost();
        final InetSocketAddress address = new InetSocketAddress(host, 0);
        if (!address.isUnresolved() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("admin.listen: other machines can reach " + listen
                    + ", and the broker knows no users (listen on 127.0.0.1, or use security.users, security.tokens, an"
                    + " authenticator or tls.clientCertificates: required, or set admin.allowInsecureListen if the network"
                    + " is trusted)");
        }
    }

    private static Path absolute(final String path) {
        return Path.of(path).toAbsolutePath().normalize();
    }

    /** Whether there is an admin server at all. */
    public boolean isUsed() {
        return !listen.isEmpty();
    }

    /** Whether it speaks https. */
    public boolean isEncrypted() {
        return listen.startsWith("https:");
    }

    /** No admin server. */
    public static AdminConfig defaults() {
        return new AdminConfig(
                "",
                List.of(),
                false,
                CONNECTION_COUNT_MAX_DEFAULT,
                STREAM_COUNT_MAX_DEFAULT,
                TAIL_COUNT_MAX_DEFAULT,
                QUERY_COUNT_MAX_DEFAULT,
                "",
                0,
                BODY_LENGTH_MAX_DEFAULT,
                REQUEST_TIMEOUT_MS_DEFAULT,
                IDLE_TIMEOUT_MS_DEFAULT,
                SESSION_TIMEOUT_MS_DEFAULT,
                false);
    }

    /**
     * The defaults for an admin server.
     *
     * @param listen where it listens, for example {@value #LISTEN_LOCAL}; port 0 for a free one.
     * @return the configuration.
     */
    public static AdminConfig listening(final String listen) {
        return defaults().listen(listen);
    }

    /**
     * The same, with backups.
     *
     * @param directory      of them.
     * @param bytesPerSecond at most; 0 = as fast as it goes.
     * @return another configuration.
     */
    public AdminConfig backups(final String directory, final long bytesPerSecond) {
        return new AdminConfig(
                listen,
                hosts,
                allowInsecureListen,
                connectionCountMax,
                streamCountMax,
                tailCountMax,
                queryCountMax,
                directory,
                bytesPerSecond,
                bodyLengthMax,
                requestTimeoutMs,
                idleTimeoutMs,
                sessionTimeoutMs,
                jmx);
    }

    /** The same, listening elsewhere. */
    public AdminConfig listen(final String value) {
        return new AdminConfig(
                value,
                hosts,
                allowInsecureListen,
                connectionCountMax,
                streamCountMax,
                tailCountMax,
                queryCountMax,
                backupDirectory,
                backupRate,
                bodyLengthMax,
                requestTimeoutMs,
                idleTimeoutMs,
                sessionTimeoutMs,
                jmx);
    }
}
