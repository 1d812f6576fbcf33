package io.penstock.admin;

import io.penstock.admin.api.AdminApi;
import io.penstock.admin.api.AdminSettings;
import io.penstock.admin.api.HealthApi;
import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.HttpServer;
import io.penstock.admin.http.Problem;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Refusals;
import io.penstock.admin.http.ServerSettings;
import io.penstock.admin.metrics.AdminCounts;
import io.penstock.admin.metrics.CountersBean;
import io.penstock.broker.Broker;
import io.penstock.broker.ReloadReport;
import io.penstock.broker.event.LoggerClasses;
import io.penstock.broker.monitor.Administrator;
import io.penstock.broker.security.Identity;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * The server by which a broker is watched and administered: an API over HTTP, live figures, metrics. It may start before
 * its broker, and says until then that it is not ready. Safe on any thread.
 *
 * <pre>{@code
 * try (Broker broker = Broker.launch(BrokerConfig.embedded("main"));
 *         AdminServer admin = AdminServer.launch(AdminConfig.listening("http://127.0.0.1:9180"), broker)) {
 *     ...
 * }
 * }</pre>
 */
public final class AdminServer implements AutoCloseable {
    private final AdminConfig config;
    private final Map<String, Record> otherConfigs;
    private final boolean isEncrypted;
    private final AdminCounts counts = new AdminCounts();
    private final AtomicReference<@Nullable AdminApi> api = new AtomicReference<>();
    private final AtomicReference<@Nullable Broker> broker = new AtomicReference<>();
    private final AtomicReference<@Nullable Supplier<ReloadReport>> reload = new AtomicReference<>();
    private final AtomicReference<@Nullable CountersBean> bean = new AtomicReference<>();

    /** Those of the broker when there is one, which are read again with its own. */
    private final AtomicReference<@Nullable TlsContexts> tls;

    private final HealthApi starting = new HealthApi(() -> List.of("broker: is starting"));
    private final HttpServer server;

    private AdminServer(
            final AdminConfig config, final Map<String, Record> otherConfigs, final @Nullable TlsContexts tls)
            throws IOException {
        this.config = config;
        this.otherConfigs = Map.copyOf(otherConfigs);
        this.tls = new AtomicReference<>(tls);
        final InetSocketAddress address = address(config, tls != null);
        isEncrypted = config.isEncrypted();
        LoggerClasses.load();
        server = new HttpServer(
                new ServerSettings(
                        address,
                        config.hosts(),
                        config.connectionCountMax(),
                        config.bodyLengthMax(),
                        config.requestTimeoutMs(),
                        config.idleTimeoutMs(),
                        isEncrypted ? new BrokerEncryption(() -> Objects.requireNonNull(this.tls.get())) : null),
                this::handle,
                new Reported(),
                Identity::host);
        server.everySecond(this::onSecond);
    }

    /**
     * Checks a configuration, and opens nothing.
     *
     * @param config         to check.
     * @param hasCertificate whether there is a certificate for {@code https}.
     * @throws IllegalArgumentException when it is wrong: the key, the value and what to use.
     */
    public static void check(final AdminConfig config, final boolean hasCertificate) {
        if (config.isUsed()) {
            try {
                address(config, hasCertificate);
            } catch (final UnknownHostException e) {
                throw new IllegalArgumentException(
                        "admin.listen: unknown host: " + config.listen() + " (use an address of this machine)", e);
            }
        }
    }

    private static InetSocketAddress address(final AdminConfig config, final boolean hasCertificate)
            throws UnknownHostException {
        if (!config.isUsed()) {
            throw new IllegalArgumentException("admin.listen: missing (use " + AdminConfig.LISTEN_LOCAL + ")");
        }
        final URI uri = URI.create(config.listen());
        if (config.isEncrypted() && !hasCertificate) {
            throw new IllegalArgumentException("admin.listen: is https, but there is no certificate: " + config.listen()
                    + " (give tls.certificate and tls.key, or use http)");
        }
        final String host = uri.getHost();
        final InetAddress address = InetAddress.getByName(host);
        if (!address.isLoopbackAddress() && !config.isEncrypted() && !config.allowInsecureListen()) {
            throw new IllegalArgumentException("admin.listen: other machines can reach " + config.listen()
                    + ", and nothing is encrypted (listen on 127.0.0.1 or with https, or set admin.allowInsecureListen"
                    + " if the network is trusted)");
        }
        return new InetSocketAddress(address, uri.getPort());
    }

    /**
     * Starts a server whose broker comes later.
     *
     * @param config       of the server.
     * @param otherConfigs of the same process that it may show, by the key that they have in the configuration file.
     * @param tls          has the certificates for {@code https} until there is a broker with some; may be null for
     *                     {@code http}.
     * @return the server, which answers questions about its health.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when it cannot listen.
     */
    public static AdminServer open(
            final AdminConfig config, final Map<String, Record> otherConfigs, final @Nullable TlsContexts tls) {
        try {
            return new AdminServer(config, otherConfigs, tls);
        } catch (final IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /**
     * Starts a server.
     *
     * @param config of the server.
     * @param broker that it is about, whose certificates are used for {@code https}; queries and tails need it to have an {@code inproc:} endpoint.
     * @return the server.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when it cannot listen.
     */
    public static AdminServer launch(final AdminConfig config, final Broker broker) {
        final AdminServer server = open(config, Map.of("admin", config), broker.tls());
        boolean isAttached = false;
        try {
            server.attach(broker);
            isAttached = true;
            return server;
        } finally {
            if (!isAttached) {
                server.close();
            }
        }
    }

    /**
     * Serves a broker from now on.
     *
     * @param started the broker; who started it closes it, after this server.
     * @throws IllegalArgumentException when the configuration does not fit that of the broker: the key and what to use.
     */
    public void attach(final Broker started) {
        config.checkBackups(started.config().journal().directory());
        config.checkCallers(started.config());
        broker.set(started);
        if (started.tls() != null) {
            tls.set(started.tls());
        }
        api.set(new AdminApi(
                started,
                new AdminSettings(
                        config.streamCountMax(),
                        config.tailCountMax(),
                        config.queryCountMax(),
                        config.backupDirectory(),
                        config.backupRate(),
                        config.sessionTimeoutMs(),
                        isEncrypted),
                otherConfigs,
                new Reported(),
                counts,
                server::connectionCount,
                reload::get));
        if (config.jmx()) {
            bean.set(CountersBean.register(started));
        }
    }

    /**
     * Lets administrators have the configuration of the process read again, by {@code POST /api/v1/reload}.
     *
     * @param task reads it, and returns what came of it; run by one of the server's threads, which it may block.
     */
    public void onReload(final Supplier<ReloadReport> task) {
        reload.set(task);
    }

    /**
     * Where it listens.
     *
     * @return with the real port.
     */
    public URI endpoint() {
        final InetSocketAddress address = server.address();
        final String host = address.getAddress().getHostAddress();
        return URI.create((isEncrypted ? "https://" : "http://") + (host.indexOf(':') < 0 ? host : "[" + host + "]")
                + ":" + address.getPort());
    }

    /** All that is served but files, as {@code GET /path}; nothing before there is a broker. */
    Set<String> served() {
        final AdminApi present = api.get();
        return present == null ? Set.of() : present.served();
    }

    private void handle(final Exchange exchange) {
        counts.onRequest();
        final AdminApi present = api.get();
        if (present != null) {
            present.handle(exchange);
            return;
        }
        final List<String> path = exchange.request().segments();
        if (path.equals(HealthApi.LIVE)) {
            starting.live(exchange);
        } else if (path.equals(HealthApi.READY)) {
            starting.ready(exchange);
        } else {
            throw new ProblemException(
                    503, "STARTING", "broker: is starting (ask /api/v1/health/ready whether it serves)");
        }
    }

    private void onSecond() {
        final AdminApi present = api.get();
        if (present != null) {
            present.onSecond();
        }
    }

    /** Closes all connections and stops its threads. The broker goes on. Idempotent. */
    @Override
    public void close() {
        server.close();
        CloseHelper.quietCloseAll(api.getAndSet(null), bean.getAndSet(null));
    }

    private static Administrator administrator(final String peer, final String user) {
        return new Administrator(peer, user, "admin", PeerName.isLocal(peer));
    }

    /** Counts what was refused, and has the broker log it. */
    private final class Reported implements Refusals {
        @Override
        public void onRefused(final String peer, final String user, final Problem problem) {
            counts.onRefused(problem.status());
            final Broker present = broker.get();
            if (present != null) {
                final Administrator by = administrator(peer, user);
                if (problem.isForbidden()) {
                    present.monitor().onForbidden(by, problem.detail());
                } else {
                    present.monitor().onRefused(by, problem.detail());
                }
            }
        }

        @Override
        public void onTlsFailed(final String peer, final String reason) {
            counts.onTlsFailed();
            final Broker present = broker.get();
            if (present != null) {
                present.monitor().onRefused(administrator(peer, ""), "TLS: " + reason);
            }
        }

        @Override
        public void onError(final Throwable error) {
            final Broker present = broker.get();
            if (present != null) {
                present.monitor().onError(error);
            }
        }
    }
}
