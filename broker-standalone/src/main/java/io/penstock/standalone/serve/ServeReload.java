package io.penstock.standalone.serve;

import io.penstock.admin.AdminConfig;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.ReloadReport;
import io.penstock.broker.concurrent.OneAtATime;
import io.penstock.broker.config.ConfigException;
import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.LoggedEvents;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.cluster.ClusterConfig;
import io.penstock.standalone.config.ConfigSource;
import io.penstock.standalone.logger.LogConfig;
import io.penstock.standalone.logger.ProcessLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Reads the configuration of a running process again, file and flags, and gives it to its parts: the broker, the log. The
 * bridge is told of in the report alone. A file of permissions that cannot be read keeps nothing else from being taken. Any
 * thread, one at a time.
 */
final class ServeReload implements Supplier<ReloadReport> {
    private final OneAtATime turns = new OneAtATime();
    private final Supplier<ConfigSource> sources;
    private final Broker broker;
    private final AdminConfig admin;
    private final BridgeConfig bridge;
    private final ClusterConfig cluster;
    private LogConfig log;
    private LogConfig nextLog;
    private List<ReloadReport.Change> ofLog = List.of();

    /**
     * Makes it for a process.
     *
     * @param sources reads file and flags anew each time.
     * @param broker  that runs.
     * @param admin   with which its admin server was started.
     * @param bridge  with which its bridge was started.
     * @param log     with which the log of the process was configured.
     * @param cluster that it is a node of, if it is.
     */
    ServeReload(
            final Supplier<ConfigSource> sources,
            final Broker broker,
            final AdminConfig admin,
            final BridgeConfig bridge,
            final LogConfig log,
            final ClusterConfig cluster) {
        this.sources = sources;
        this.broker = broker;
        this.admin = admin;
        this.bridge = bridge;
        this.log = log;
        this.cluster = cluster;
        nextLog = log;
        broker.onReload("log", next -> takeLog());
    }

    /** Called when the configuration is one that a broker could start with. */
    private String takeLog() {
        ofLog = ReloadReport.changes("log.", log, nextLog);
        ProcessLog.configure(nextLog);
        log = nextLog;
        return "";
    }

    @Override
    public ReloadReport get() {
        final AtomicReference<ReloadReport> report = new AtomicReference<>(ReloadReport.NOTHING);
        turns.execute(() -> report.set(reload()));
        return Objects.requireNonNull(report.get());
    }

    private ReloadReport reload() {
        final ConfigSource source;
        final AdminConfig nextAdmin;
        final BridgeConfig nextBridge;
        final ClusterConfig nextCluster;
        final BrokerConfig settings;
        ofLog = List.of();
        try {
            source = sources.get();
            nextAdmin = source.admin();
            nextBridge = source.bridge();
            nextLog = source.log();
            nextCluster = source.cluster();
            settings = BridgeEndpoint.added(AdminEndpoint.added(source.settings(), nextAdmin), nextBridge);
        } catch (final ConfigException e) {
            final String reason = String.valueOf(e.getMessage());
            report(EventKind.RELOAD_REFUSED, "what", "configuration", "reason", reason);
            broker.audit().record(AuditKind.RELOADED, AuditClient.BROKER, true, 1, "configuration", reason);
            return ReloadReport.refused("configuration", reason);
        }
        final ReloadReport ofBroker = reload(settings);
        final List<ReloadReport.Change> ofOthers = new ArrayList<>(ReloadReport.changes("admin.", admin, nextAdmin));
        ofOthers.addAll(ReloadReport.changes("bridge.", bridge, nextBridge));
        ofOthers.addAll(ReloadReport.changes("cluster.", cluster, nextCluster));
        ofLog.forEach(change -> report(EventKind.SETTING_CHANGED, change));
        ofOthers.forEach(change -> report(EventKind.RESTART_NEEDED, change));
        return ofBroker.and(new ReloadReport(ofLog, ofOthers, List.of()));
    }

    /** Permissions in a file of their own are judged apart, as users and certificates are. */
    private ReloadReport reload(final BrokerConfig settings) {
        final String file = settings.permissions().file();
        if (file.isEmpty()) {
            return broker.reload(settings);
        }
        final PermissionsConfig permissions;
        try {
            permissions = ConfigSource.permissions(Path.of(file));
        } catch (final ConfigException e) {
            return broker.reload(
                    settings, List.of(new ReloadReport.Refusal("permissions", String.valueOf(e.getMessage()))));
        }
        return broker.reload(settings.toBuilder().permissions(permissions).build());
    }

    private static void report(final EventKind kind, final ReloadReport.Change change) {
        report(kind, "key", change.key(), "before", change.before(), "after", change.after());
    }

    private static void report(final EventKind kind, final Object... pairs) {
        LoggedEvents.INSTANCE.onEvent(Event.of(kind, System.currentTimeMillis(), pairs));
    }
}
