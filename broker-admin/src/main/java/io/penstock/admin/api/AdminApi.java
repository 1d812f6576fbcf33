package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Refusals;
import io.penstock.admin.http.RequestHandler;
import io.penstock.admin.metrics.AdminCounts;
import io.penstock.admin.metrics.AdminMetrics;
import io.penstock.broker.Broker;
import io.penstock.broker.ReloadReport;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Principal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;
import org.jspecify.annotations.Nullable;

/** The API of one broker: finds who asks, whether they may, and what answers. Confined to the server's thread. */
public final class AdminApi implements RequestHandler, AutoCloseable {
    private static final String DOCUMENT = "/io/penstock/admin/openapi.json";
    private static final int WORKER_COUNT_MIN = 4;
    private static final int TICKS_BETWEEN_COMMENTS = 10;

    /** Who asks for what needs nothing. */
    private static final Caller NOBODY = new Caller(new Admitted(Principal.ANONYMOUS), false, "", 0);

    private final Routes routes = new Routes();
    private final ConsoleFiles console = ConsoleFiles.read();
    private final Workers workers;
    private final Callers callers;
    private final Streams streams;
    private final StatsApi stats;
    private final BackupApi backups;
    private final TraceApi traces;
    private final AdminMetrics metrics;
    private final Parameters parameters;
    private final byte[] document;
    private int ticks;

    /**
     * Makes the API of a broker.
     *
     * @param broker       that is watched.
     * @param settings     bounds.
     * @param otherConfigs of the same process, by the key that they have in the configuration file.
     * @param refusals     is notified of what is refused by workers.
     * @param counts       what the server has done.
     * @param connections  of the server that are open.
     * @param reload       reads the configuration of the process again; nothing when it cannot.
     */
    public AdminApi(
            final Broker broker,
            final AdminSettings settings,
            final Map<String, Record> otherConfigs,
            final Refusals refusals,
            final AdminCounts counts,
            final IntSupplier connections,
            final Supplier<@Nullable Supplier<ReloadReport>> reload) {
        final EpochClock clock = SystemEpochClock.INSTANCE;
        workers = new Workers(WORKER_COUNT_MIN + settings.queryCountMax(), refusals);
        final CookieSessions sessions = new CookieSessions(clock, settings.sessionTimeoutMs(), settings.isEncrypted());
        callers = new Callers(broker.gate(), sessions, workers, clock);
        streams = new Streams(new Shares(
                "TOO_MANY_STREAMS", "has %d streams", "admin.streamCountMax", settings.streamCountMax(), callers));
        stats = new StatsApi(broker, callers, streams, workers, clock);
        metrics = new AdminMetrics(broker, counts, connections, streams::count, BrokerApi.version());
        document = read(DOCUMENT);
        parameters = Parameters.of(document);
        final Answers answers = new Answers(workers);
        final BrokerClients clients = new BrokerClients(broker, clock);
        final Shares queries = new Shares(
                "TOO_MANY_QUERIES", "runs %d queries", "admin.queryCountMax", settings.queryCountMax(), callers);
        final Shares tails = new Shares(
                "TOO_MANY_TAILS",
                "follows topics for %d readers",
                "admin.tailCountMax",
                settings.tailCountMax(),
                callers);
        new ReloadApi(broker, workers, reload).addTo(routes);
        new HealthApi(broker::notReady).addTo(routes);
        new BrokerApi(broker, otherConfigs, workers, clock).addTo(routes);
        new TopicsApi(broker, workers, callers, clients).addTo(routes);
        new ColumnsApi(broker, workers, callers).addTo(routes);
        new ClientsApi(broker, answers, clock).addTo(routes);
        backups = new BackupApi(broker, settings.backupDirectory(), settings.backupRate(), clock);
        backups.addTo(routes);
        new PermissionsApi(broker).addTo(routes);
        traces = new TraceApi(broker, callers, answers, streams, workers, clock);
        traces.addTo(routes);
        new TransportsApi(broker, answers).addTo(routes);
        new QueryApi(workers, clients, broker.config().nanoClock(), queries).addTo(routes);
        new TailApi(broker, workers, clients, streams, tails).addTo(routes);
        new SessionApi(callers, sessions, clock, settings.sessionTimeoutMs()).addTo(routes);
        stats.addTo(routes);
        routes.add(
                        "GET",
                        "/api/v1/openapi.json",
                        Access.NONE,
                        (exchange, caller, arguments) -> exchange.answer(200, "application/json", document))
                .add("GET", "/api/v1/metrics", Access.STAT, (exchange, caller, arguments) -> metrics(exchange))
                .add("GET", "/metrics", Access.STAT, (exchange, caller, arguments) -> metrics(exchange));
    }

    private static byte[] read(final String resource) {
        try (InputStream in = Objects.requireNonNull(AdminApi.class.getResourceAsStream(resource), resource)) {
            return in.readAllBytes();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void metrics(final Exchange exchange) {
        exchange.text(AdminMetrics.MEDIA_TYPE, metrics.text());
    }

    /** All that is served but the console, as {@code GET /path}, with the templates of the document. */
    public Set<String> served() {
        return routes.served();
    }

    @Override
    public void handle(final Exchange exchange) {
        if (console.has(exchange.request().segments())) {
            console.handle(exchange);
            return;
        }
        final Routes.Match match =
                routes.find(exchange.request().method(), exchange.request().segments());
        if (match.route().access() == Access.NONE) {
            match.route().endpoint().handle(exchange, NOBODY, match.arguments());
            return;
        }
        callers.identify(exchange, caller -> {
            exchange.user(caller.administrator().user());
            callers.check(caller, match.route().access());
            parameters.check(match.route().template(), exchange.request());
            match.route().endpoint().handle(exchange, caller, match.arguments());
        });
    }

    /** A second has passed. Called on the server's thread. */
    public void onSecond() {
        stats.tick();
        traces.tick();
        if (++ticks == TICKS_BETWEEN_COMMENTS) {
            ticks = 0;
            streams.sendComments();
        }
    }

    @Override
    public void close() {
        backups.close();
        workers.close();
    }
}
