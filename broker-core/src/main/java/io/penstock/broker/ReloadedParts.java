package io.penstock.broker;

import io.penstock.broker.agent.Engine;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.user.UserChanges;
import io.penstock.broker.session.client.QuotaSettings;
import io.penstock.broker.topic.TopicRules;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsReload;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a broker that take another configuration while it runs. */
record ReloadedParts(
        BrokerReload reload,
        TopicRules rules,
        boolean areTopicsFixed,
        QuotaSettings quotas,
        JournalSettings.Retention retention) {
    /** Adds all of them, each for its keys. */
    void add(final AccessGate gate) {
        reload.add(
                "topics",
                Set.of("topics", "formatDefault"),
                this::takeTopics,
                (running, next) -> running.toBuilder()
                        .topics(next.topics())
                        .formatDefault(next.formatDefault())
                        .build());
        reload.add(
                "quotas",
                Set.of("quotas"),
                next -> {
                    quotas.boundsOf(ConfiguredEngine.quotas(next.quotas()));
                    gate.identities().defaults(ConfiguredSecurity.perIdentity(next));
                    return "";
                },
                (running, next) -> running.toBuilder().quotas(next.quotas()).build());
        reload.add(
                "journal",
                Set.of("journal.retentionLength", "journal.retentionMs"),
                next -> {
                    retention.boundsOf(ConfiguredEngine.retention(next.journal()));
                    return "";
                },
                (running, next) -> running.toBuilder()
                        .journal(running.journal()
                                .withRetention(
                                        next.journal().retentionLength(),
                                        next.journal().retentionMs()))
                        .build());
        reload.add(
                "security",
                Set.of("security.anonymousAdministration"),
                next -> {
                    gate.anonymousAdministration(next.security().anonymousAdministration());
                    return "";
                },
                (running, next) -> running.toBuilder()
                        .security(running.security()
                                .withAnonymousAdministration(next.security().anonymousAdministration()))
                        .build());
    }

    private String takePermissions(final BrokerConfig next, final AccessGate gate, final Engine engine) {
        final PermissionsConfig present = reload.running().permissions();
        if (present.isUsed() && !next.permissions().isUsed()) {
            throw new IllegalArgumentException(
                    "permissions: there are none any more, so that everyone might do everything (restart the broker for that)");
        }
        if (!present.equals(next.permissions())) {
            gate.authorizer(ConfiguredSecurity.authorizer(next));
            engine.wakeIoAgents();
        }
        return "";
    }

    private String takeTopics(final BrokerConfig next) {
        final BrokerConfig running = reload.running();
        if (areTopicsFixed
                && !(withoutColumns(next).equals(withoutColumns(running))
                        && next.formatDefault().equals(running.formatDefault()))) {
            throw new IllegalArgumentException(
                    "topics: a node of a cluster cannot change them, nor formatDefault: other nodes"
                            + " go by the same (they are fixed for the life of the cluster, but for columns)");
        }
        final TopicRules other = ConfiguredTopics.rules(next);
        if (!rules.hasPlacesOf(other)) {
            throw new IllegalArgumentException(
                    "topics: another shard, or files in place of memory, for topics that may be"
                            + " there already (restart the broker to change shard or journaled, or what comes before rules"
                            + " with them)");
        }
        rules.replaceBy(other);
        return "";
    }

    /** What decides how topics are created: columns are a node's own matter. */
    private static List<TopicConfig> withoutColumns(final BrokerConfig config) {
        return config.topics().stream()
                .map(topic -> new TopicConfig(
                        topic.name(),
                        topic.pattern(),
                        topic.format(),
                        topic.shard(),
                        topic.key(),
                        topic.expirationMs(),
                        topic.journaled()))
                .toList();
    }

    /** Adds what reads files of its own. */
    void add(
            final ConfiguredSecurity security,
            final Engine engine,
            final @Nullable TlsContexts tls,
            final BrokerEvents events) {
        reload.addFiles("security.users", next -> {
            final UserChanges users = security.reloadUsers(engine);
            return users == null || users.isEmpty()
                    ? List.of()
                    : List.of(new ReloadReport.Change("security.users", users.before(), users.after()));
        });
        reload.add(
                "permissions",
                Set.of("permissions"),
                next -> takePermissions(next, security.gate(), engine),
                (running, next) ->
                        running.toBuilder().permissions(next.permissions()).build());
        if (tls != null) {
            reload.add("tls", next -> {
                final TlsReload result = ConfiguredTls.reload(tls, events);
                if (result.isRefused()) {
                    throw new IllegalArgumentException(result.text());
                }
                return result.isTaken() ? result.text() : "";
            });
        }
    }
}
