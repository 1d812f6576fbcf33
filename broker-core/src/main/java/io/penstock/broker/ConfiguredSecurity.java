package io.penstock.broker;

import io.penstock.broker.agent.Engine;
import io.penstock.broker.agent.LogonWorkers;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.monitor.UserInfo;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Authentication;
import io.penstock.broker.security.AuthenticationMechanism;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.GateReports;
import io.penstock.broker.security.IdentityQuotas;
import io.penstock.broker.security.LogonThrottle;
import io.penstock.broker.security.LogonTurns;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.security.token.KeySource;
import io.penstock.broker.security.token.TokenMechanism;
import io.penstock.broker.security.token.TokenRules;
import io.penstock.broker.security.user.UserChanges;
import io.penstock.broker.security.user.UserDirectory;
import io.penstock.broker.security.user.UserMechanisms;
import io.penstock.broker.session.client.Admission;
import io.penstock.broker.topic.TopicRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/** Who may log on and how, as a configuration has it. Closed by the broker. */
final class ConfiguredSecurity implements AutoCloseable {
    private static final int WORKER_COUNT = 4;

    private final AccessGate gate;
    private final LogonThrottle throttle;
    private final @Nullable UserDirectory users;
    private final @Nullable LogonWorkers workers;

    private ConfiguredSecurity(
            final AccessGate gate,
            final LogonThrottle throttle,
            final @Nullable UserDirectory users,
            final @Nullable LogonWorkers workers) {
        this.gate = gate;
        this.throttle = throttle;
        this.users = users;
        this.workers = workers;
    }

    static ConfiguredSecurity open(
            final BrokerConfig config, final GateReports reports, final AuditTrail audit, final EventLog events) {
        final SecurityConfig security = config.security();
        final UserDirectory users = users(config);
        final List<AuthenticationMechanism> mechanisms = new ArrayList<>(security.mechanisms());
        if (users != null) {
            mechanisms.addAll(UserMechanisms.of(users, security.plain()));
        }
        if (security.tokens().isUsed()) {
            // Who has the keys is another machine: that it cannot be reached is no error of the broker.
            mechanisms.add(tokens(
                    config,
                    error -> events.report(EventKind.TOKEN_KEYS_FAILED, "reason", String.valueOf(error.getMessage()))));
        }
        final LogonThrottle throttle = new LogonThrottle(config.nanoClock());
        final AccessGate gate = new AccessGate(
                new Authentication(security.authenticator(), security.plain(), mechanisms, security.anonymous()),
                authorizer(config),
                security.anonymousAdministration(),
                reports,
                audit,
                throttle,
                config.nanoClock());
        gate.identities().defaults(perIdentity(config));
        // Whoever drives the broker checks log-ons as well, so that a run can be repeated.
        final LogonWorkers workers = config.threading() == ThreadingMode.INVOKER || mechanisms.isEmpty()
                ? null
                : new LogonWorkers(Broker.NAME, WORKER_COUNT);
        return new ConfiguredSecurity(gate, throttle, users, workers);
    }

    /** What checks tokens, with the keys of its file. */
    static TokenMechanism tokens(final BrokerConfig config, final ErrorHandler errors) {
        final TokenConfig tokens = config.security().tokens();
        return new TokenMechanism(
                new KeySource(tokens.keys(), tokens.trust(), config.nanoClock(), errors),
                new TokenRules(
                        tokens.issuer(), tokens.audience(), tokens.skewMs(), tokens.userClaim(), tokens.rolesClaim()),
                () -> TimeUnit.NANOSECONDS.toMillis(config.epochClock().nanoTime()));
    }

    Admission admission(final TopicRules rules) {
        final Executor executor = workers == null ? Runnable::run : workers;
        return new Admission(gate, rules, throttle, new LogonTurns(executor));
    }

    /** The users in the configured file; null when there is none. */
    static @Nullable UserDirectory users(final BrokerConfig config) {
        final String path = config.security().users();
        return path.isEmpty() ? null : UserDirectory.open(Path.of(path));
    }

    /** Decides what users may do, as a configuration has it. */
    static Authorizer authorizer(final BrokerConfig config) {
        if (!config.permissions().isUsed()) {
            return config.security().authorizer();
        }
        if (!Objects.equals(config.security().authorizer(), Authorizer.ALL)) {
            throw new IllegalArgumentException("permissions: beside an authorizer in code (give one of them)");
        }
        return config.permissions().permissions();
    }

    AccessGate gate() {
        return gate;
    }

    /** The users of the file, by name, without what they prove themselves with. */
    List<UserInfo> userInfos() {
        return users == null
                ? List.of()
                : users.users().stream()
                        .map(user -> new UserInfo(
                                user.name(),
                                user.isDisabled(),
                                user.roles(),
                                user.attributes(),
                                new UserInfo.Proofs(
                                        user.verifier() != null,
                                        user.certificates().size(),
                                        user.uids().size())))
                        .toList();
    }

    /** Reads users again, and has sessions of those that are others now end. Returns null when there is no file of them. */
    @Nullable
    UserChanges reloadUsers(final Engine engine) {
        if (users == null) {
            return null;
        }
        final UserChanges changes = users.reload();
        if (!engine.reviewSessions()) {
            throw new IllegalStateException("users: the broker is too busy to end sessions (reload again)");
        }
        return changes;
    }

    @Override
    public void close() {
        if (workers != null) {
            workers.close();
        }
    }

    /** What one identity may use, with its share of the query threads where nothing is said of that. */
    static IdentityQuotas perIdentity(final BrokerConfig config) {
        return config.quotas().perIdentity().ofQueryThreads(config.state().queryAgentCount());
    }
}
