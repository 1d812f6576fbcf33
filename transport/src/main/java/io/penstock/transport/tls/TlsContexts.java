package io.penstock.transport.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the engines of connections, from certificates that can be read again while there are connections: those that are
 * there keep what they have, new ones use what was read last. Any thread.
 */
public final class TlsContexts {
    /** Given by {@link #daysLeft()} of a side without a certificate. */
    public static final long NO_CERTIFICATE = Long.MAX_VALUE;

    /** So many sessions can be taken up again without a whole handshake, for so long. */
    private static final int SESSION_COUNT_MAX = 10_000;

    private static final int SESSION_TIMEOUT_S = 3600;

    private final TlsConfig config;
    private final boolean isServer;
    private final boolean isHostChecked;
    private final InstantSource clock;
    private final Executor tasks = TlsTasks.newPool();
    private final AtomicReference<Loaded> loaded;

    private record Loaded(
            JdkEngines jdk, EngineSelection selection, List<X509Certificate> chain, List<X509Certificate> trusted) {
        SSLContext context() {
            return jdk.context();
        }

        @Nullable
        X509Certificate own() {
            return chain.isEmpty() ? null : chain.get(0);
        }
    }

    private TlsContexts(
            final TlsConfig config, final boolean isServer, final boolean isHostChecked, final InstantSource clock)
            throws TlsException {
        this.config = config;
        this.isServer = isServer;
        this.isHostChecked = isHostChecked;
        this.clock = clock;
        loaded = new AtomicReference<>(load());
    }

    /**
     * For a side that listens.
     *
     * @param config with a certificate.
     * @param clock  that certificates are compared with when they are read.
     * @return contexts of the certificates in the files.
     * @throws TlsException names the setting, the file, the reason and the remedy.
     */
    public static TlsContexts forServer(final TlsConfig config, final InstantSource clock) throws TlsException {
        if (!config.hasCertificate()) {
            throw new TlsException(
                    "tls.certificate: is empty (give the file with this side's certificate, and tls.key)");
        }
        final TlsContexts contexts = new TlsContexts(config, true, false, clock);
        contexts.tasks.execute(new TlsWarmUp(contexts));
        return contexts;
    }

    /**
     * For a side that connects.
     *
     * @param config        what it trusts, and its own certificate, if it has one.
     * @param isHostChecked whether the certificate of the peer has to be for the host that was asked for.
     * @return contexts of the certificates in the files.
     * @throws TlsException names the setting, the file, the reason and the remedy.
     */
    public static TlsContexts forClient(final TlsConfig config, final boolean isHostChecked) throws TlsException {
        return new TlsContexts(config, false, isHostChecked, InstantSource.system());
    }

    /**
     * For other protocols than those of transports, such as HTTPS: the JDK's context of a side that connects.
     *
     * @param config what it trusts, and its own certificate, if it has one; versions and ciphers are those of the protocol.
     * @return with what is in the files now.
     * @throws TlsException names the setting, the file, the reason and the remedy.
     */
    public static SSLContext clientContext(final TlsConfig config) throws TlsException {
        return forClient(config, true).loaded().context();
    }

    /**
     * Reads the files again, and uses what is in them for new connections, unless something is wrong with it.
     *
     * @return what has changed, or why it was refused.
     */
    public TlsReload reload() {
        final Loaded next;
        try {
            next = load();
        } catch (final TlsException e) {
            return new TlsReload(false, true, e.getMessage() + "; new connections use the certificates from before");
        }
        final Loaded before = loaded();
        final List<String> changes = new ArrayList<>();
        final X509Certificate own = next.own();
        if (own != null && !next.chain().equals(before.chain())) {
            changes.add("certificate " + certificateFile() + ": " + nameOf(own) + ", until "
                    + own.getNotAfter().toInstant());
        }
        if (!next.trusted().equals(before.trusted())) {
            changes.add("trust " + config.trust() + ": " + next.trusted().size() + " authorities");
        }
        if (changes.isEmpty() && !next.context().equals(before.context()) && !isOfFiles()) {
            changes.add("certificates of the program");
        }
        if (changes.isEmpty()) {
            next.selection().engines().close();
        } else {
            // Some thread may be about to make one of the engines from before.
            loaded.set(next);
            if (!next.selection().text().equals(before.selection().text())) {
                changes.add("engine: " + next.selection().text());
            }
        }
        return new TlsReload(
                !changes.isEmpty(),
                false,
                changes.isEmpty() ? "the files have not changed" : String.join("; ", changes));
    }

    private boolean isOfFiles() {
        return config.source().equals(TlsSource.FILES);
    }

    private Loaded load() throws TlsException {
        if (!isOfFiles()) {
            return given();
        }
        final TlsFiles.Identity identity = config.certificate().isEmpty() ? null : TlsFiles.identity(config);
        if (identity != null) {
            checkDates(identity.own());
        }
        final List<X509Certificate> trusted = config.trust().isEmpty() ? List.of() : TlsFiles.trusted(config);
        try {
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(TlsManagers.keys(identity), TlsManagers.trust(trusted), null);
            bound(context);
            final List<X509Certificate> chain = identity == null ? List.of() : identity.chain();
            final TlsMaterial material = new TlsMaterial(
                    config, identity == null ? null : identity.key(), chain, trusted, isServer, isHostChecked);
            return loaded(context, material, chain, trusted);
        } catch (final GeneralSecurityException e) {
            throw new TlsException("tls: the certificates cannot be used: " + e.getMessage() + " (make them anew)", e);
        }
    }

    /** What the program gives, which knows itself what it trusts. */
    private Loaded given() throws TlsException {
        try {
            final SSLContext context = config.source().context();
            final List<X509Certificate> chain = List.copyOf(config.source().chain());
            if (!chain.isEmpty()) {
                checkDates(chain.get(0));
            }
            bound(context);
            return loaded(context, null, chain, List.of());
        } catch (final GeneralSecurityException | RuntimeException e) {
            throw new TlsException(
                    "tls: the certificates of the program cannot be used: " + e.getMessage() + " (correct them)", e);
        }
    }

    private Loaded loaded(
            final SSLContext context,
            final @Nullable TlsMaterial material,
            final List<X509Certificate> chain,
            final List<X509Certificate> trusted)
            throws TlsException {
        final JdkEngines jdk = new JdkEngines(context, TlsCiphers.supported(config, context), config, isHostChecked);
        return new Loaded(jdk, EngineSelection.of(config, material, jdk), chain, trusted);
    }

    /** What can be taken up again has a bound. */
    private static void bound(final SSLContext context) {
        context.getServerSessionContext().setSessionCacheSize(SESSION_COUNT_MAX);
        context.getServerSessionContext().setSessionTimeout(SESSION_TIMEOUT_S);
        context.getClientSessionContext().setSessionTimeout(SESSION_TIMEOUT_S);
    }

    private void checkDates(final X509Certificate own) throws TlsException {
        final Instant now = clock.instant();
        if (now.isAfter(own.getNotAfter().toInstant())) {
            throw new TlsException("tls.certificate: " + certificateFile() + ": has expired: "
                    + own.getNotAfter().toInstant() + " (renew it)");
        }
        if (now.isBefore(own.getNotBefore().toInstant())) {
            throw new TlsException("tls.certificate: " + certificateFile() + ": is not valid yet: "
                    + own.getNotBefore().toInstant() + " (correct the clock of this machine, or renew it)");
        }
    }

    /**
     * An engine for a connection that was accepted, of the kind that the settings select. Its owner releases it:
     * {@link ReleasableEngine#release(SSLEngine)}.
     *
     * @return in server mode, before its handshake.
     */
    public SSLEngine serverEngine() {
        return loaded().selection().engines().server();
    }

    /**
     * An engine of the kind that the settings select, for an owner without bounds of its own: at those of this engine its
     * {@code unwrap} throws. Each unwrap is given one whole record. Its owner releases it:
     * {@link ReleasableEngine#release(SSLEngine)}.
     *
     * @return in server mode, before its handshake.
     */
    public SSLEngine boundedServerEngine() {
        return new BoundedEngine(serverEngine(), SystemNanoClock.INSTANCE);
    }

    /**
     * A socket for a connection that was accepted, for threads that wait for its bytes. It makes its handshake when it is
     * first read or written.
     *
     * @param accepted socket that it takes over, and closes with itself.
     * @return in server mode, before its handshake.
     * @throws IOException when the connection is lost.
     */
    public SSLSocket serverSocket(final Socket accepted) throws IOException {
        final Loaded present = loaded();
        final SSLSocket socket = (SSLSocket) present.context()
                .getSocketFactory()
                .createSocket(accepted, accepted.getInetAddress().getHostAddress(), accepted.getPort(), true);
        socket.setUseClientMode(false);
        socket.setSSLParameters(present.jdk().serverParameters());
        return socket;
    }

    /**
     * An engine for a connection to a peer, which it names to it, as far as it is a name; of the kind that the settings
     * select. Its owner releases it: {@link ReleasableEngine#release(SSLEngine)}.
     *
     * @param host that was asked for.
     * @param port of it.
     * @return in client mode, before its handshake.
     */
    public SSLEngine clientEngine(final String host, final int port) {
        return loaded().selection().engines().client(host, port);
    }

    /**
     * Which engine the connections of transports have, and those of the admin server and of IIOP.
     *
     * @return its name, and why it is not the native one if that is on the class path, for people.
     */
    public String engine() {
        return loaded().selection().text();
    }

    /**
     * What clients of the JDK make their connections with, beside {@link #clientParameters()}.
     *
     * @return of the files as they were read last.
     */
    public SSLContext context() {
        return loaded().context();
    }

    /**
     * What a side that connects speaks.
     *
     * @return a new object.
     */
    public SSLParameters clientParameters() {
        return loaded().jdk().clientParameters();
    }

    /**
     * Runs the parts of handshakes that take long.
     *
     * @return a pool with few threads and a bounded queue, which refuses what is too much.
     */
    public Executor tasks() {
        return tasks;
    }

    /**
     * How long a handshake may take.
     *
     * @return in nanoseconds.
     */
    public long handshakeTimeoutNs() {
        return Duration.ofMillis(config.handshakeTimeoutMs()).toNanos();
    }

    /**
     * Whether nobody connects without a certificate.
     *
     * @return true when the settings of a side that listens say so.
     */
    public boolean areClientsIdentified() {
        return isServer && config.clientCertificates() == ClientCertificates.REQUIRED;
    }

    /**
     * How long the certificate of this side is valid.
     *
     * @return whole days, negative after its end; {@link #NO_CERTIFICATE} when there is none.
     */
    public long daysLeft() {
        final X509Certificate own = loaded().own();
        return own == null
                ? NO_CERTIFICATE
                : Math.floorDiv(
                        Duration.between(clock.instant(), own.getNotAfter().toInstant())
                                .toSeconds(),
                        Duration.ofDays(1).toSeconds());
    }

    /**
     * The file with the key, if others than its owner have rights to it.
     *
     * @return the file's name; null when there is nothing to be said.
     */
    public @Nullable String wideRights() {
        return config.certificate().isEmpty() ? null : TlsFiles.wideRights(config);
    }

    /**
     * The file with the certificate of this side.
     *
     * @return as in the settings; empty for none; in words when the program gives it.
     */
    public String certificateFile() {
        return isOfFiles() ? config.certificate() : "(of the program)";
    }

    private Loaded loaded() {
        return Objects.requireNonNull(loaded.get());
    }

    private static String nameOf(final X509Certificate certificate) {
        final Principal subject = certificate.getSubjectX500Principal();
        return subject.getName();
    }
}
