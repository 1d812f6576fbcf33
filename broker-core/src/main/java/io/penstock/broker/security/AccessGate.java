package io.penstock.broker.security;

import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Challenge;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.format.FieldSelection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The one choke point through which every command of every transport passes. Nothing else in the broker calls an
 * {@link Authenticator}, an {@link AuthenticationMechanism} or an {@link Authorizer}. Safe on any thread as far as those
 * are; a failure of theirs is a refusal.
 */
public final class AccessGate {
    /** The mechanism of bearer tokens, see RFC 7628. */
    public static final String BEARER = "OAUTHBEARER";

    private final Authentication authentication;
    private final AtomicReference<State> state;
    private final AtomicReference<AnonymousAdministration> anonymous;

    /** The last change that each I/O agent has applied, by its index. */
    private final ConcurrentHashMap<Integer, Long> applied = new ConcurrentHashMap<>();

    private final GateReports reports;
    private final ExpectedClients expected = new ExpectedClients();
    private final AuditTrail audit;
    private final CallerLogons callerLogons;
    private final IdentityUses identities;

    /**
     * Makes the gate.
     *
     * @param authentication decides who a client is.
     * @param authorizer     decides what it may do.
     * @param anonymous      which clients that proved nothing may administer the broker.
     * @param reports        gets what any of them throws, and what else stands in the way of decisions.
     * @param audit          of what passes and what does not; when it cannot be written, and was told so, nobody logs on
     *                       or administers the broker.
     * @param throttle       slows down guessing.
     * @param clock          of the broker.
     */
    public AccessGate(
            final Authentication authentication,
            final Authorizer authorizer,
            final AnonymousAdministration anonymous,
            final GateReports reports,
            final AuditTrail audit,
            final LogonThrottle throttle,
            final NanoClock clock) {
        this.authentication = authentication;
        state = new AtomicReference<>(new State(new AskedAuthorizer(authorizer, reports), 0));
        this.anonymous = new AtomicReference<>(anonymous);
        this.reports = reports;
        this.audit = audit;
        callerLogons = new CallerLogons(this, audit, throttle);
        identities = new IdentityUses(principal -> asked().quotas(principal), clock);
    }

    /** Where those who ask the gate record what they let happen, and what not. */
    public AuditTrail audit() {
        return audit;
    }

    /**
     * Clients of this process that are known already.
     *
     * @return for any thread.
     */
    public ExpectedClients expected() {
        return expected;
    }

    /** What identities use, and what they may. */
    public IdentityUses identities() {
        return identities;
    }

    /**
     * Another one decides from now on what clients may do.
     *
     * @param authorizer whose decisions hold for what begins from now on; I/O agents look again at what has begun.
     * @return the number of this change.
     */
    public long authorizer(final Authorizer authorizer) {
        final AskedAuthorizer asked = new AskedAuthorizer(authorizer, reports);
        final long version = Objects.requireNonNull(
                        state.updateAndGet(before -> new State(asked, Objects.requireNonNull(before).version + 1)))
                .version;
        identities.onRolesChanged();
        return version;
    }

    /**
     * An I/O agent has had a change hold for what its clients have begun.
     *
     * @param ioAgent index of the agent.
     * @param version number of the change.
     */
    public void onApplied(final int ioAgent, final long version) {
        applied.put(ioAgent, version);
    }

    /**
     * Whether the last change holds for all that clients have begun.
     *
     * @param ioAgentCount I/O agents that there are.
     */
    public boolean isApplied(final int ioAgentCount) {
        final long version = version();
        for (int i = 0; i < ioAgentCount; i++) {
            if (applied.getOrDefault(i, 0L) < version) {
                return false;
            }
        }
        return true;
    }

    /** Who decides what clients may do now. */
    public Authorizer authorizer() {
        return asked().authorizer();
    }

    /** How often the one who decides has changed. */
    public long version() {
        return state().version;
    }

    /**
     * Lets other anonymous clients administer the broker from now on. Any thread.
     *
     * @param value which.
     */
    public void anonymousAdministration(final AnonymousAdministration value) {
        anonymous.set(value);
    }

    /**
     * How callers log on that come past the broker's own transports, such as those of the admin server.
     *
     * @return for any thread.
     */
    public CallerLogons callerLogons() {
        return callerLogons;
    }

    /**
     * Lets a client in by user and password, or as an anonymous one.
     *
     * @param logon what it gave.
     * @return who it is and how long that holds, or null when it is refused.
     * @see CallerLogons#admit
     */
    public @Nullable Admitted admit(final Logon logon) {
        return callerLogons.admit(logon);
    }

    /** Whether there is any way for a client to prove that it is a user. */
    public boolean knowsUsers() {
        return authentication.knowsUsers();
    }

    /**
     * Whether {@link #admitAtOnce} decides about a client that names no mechanism.
     *
     * @param logon what it gave.
     * @return false when it has to prove who it is, which takes its time.
     */
    public boolean isDecidedAtOnce(final Logon logon) {
        return isAnonymous(logon) || authentication.isSimple() || !authentication.knowsUsers();
    }

    /**
     * Lets a client in without a mechanism. Does not block.
     *
     * @param logon what it gave, for which {@link #isDecidedAtOnce} is true.
     * @return who it is, or null when it is refused.
     */
    public @Nullable Admitted admitAtOnce(final Logon logon) {
        if (audit.refuses()) {
            return null;
        }
        final Admitted known = expected.take(logon);
        if (known != null) {
            return known.validity().isValid() && allows(known.principal(), Action.CONNECT, "") ? known : null;
        }
        final Principal principal;
        if (authentication.isSimple()) {
            if (!authentication.allowsPassword(logon)) {
                return null;
            }
            try {
                principal = authentication.authenticator().authenticate(logon);
            } catch (final RuntimeException e) {
                reports.onError(e);
                return null;
            }
        } else {
            principal = isAnonymous(logon) && authentication.allowsAnonymous(logon) ? Principal.ANONYMOUS : null;
        }
        if (principal == null || (principal.equals(Principal.ANONYMOUS) && !isAnonymous(logon))) {
            return null;
        }
        return allows(principal, Action.CONNECT, "") ? new Admitted(principal) : null;
    }

    private static boolean isAnonymous(final Logon logon) {
        return logon.user().isEmpty() || logon.user().equals(Principal.ANONYMOUS.name());
    }

    /**
     * A client has named the mechanism by which it will prove who it is. Does not block.
     *
     * @param mechanism name of it.
     * @param logon     what is known of the client.
     * @return what takes its messages, and never throws; null when the client may not use such a mechanism.
     */
    public @Nullable AuthenticationExchange begin(final String mechanism, final Logon logon) {
        if (audit.refuses()) {
            return null;
        }
        final AuthenticationExchange exchange;
        try {
            exchange = authentication.begin(mechanism, logon);
        } catch (final RuntimeException e) {
            reports.onError(e);
            return null;
        }
        return exchange == null ? null : message -> respond(exchange, message);
    }

    /**
     * The mechanisms that a client may use.
     *
     * @param logon what is known of it.
     * @return their names, best first, with spaces between.
     */
    public String offered(final Logon logon) {
        return authentication.offered(logon);
    }

    private AuthenticationStep respond(final AuthenticationExchange exchange, final byte[] message) {
        final AuthenticationStep step;
        try {
            step = exchange.respond(message);
        } catch (final RuntimeException | Error e) {
            reports.onError(e);
            return new Refused("the mechanism has failed: " + e);
        }
        if (step instanceof Admitted admitted) {
            if (admitted.principal().name().equals(Principal.ANONYMOUS.name())) {
                return new Refused("the mechanism has proved nothing");
            }
            return allows(admitted.principal(), Action.CONNECT, "")
                    ? step
                    : new Refused("user " + admitted.principal().name() + " may not connect");
        }
        if (step instanceof Challenge || step instanceof Refused) {
            return step;
        }
        return new Refused("the mechanism has failed: it said nothing");
    }

    /**
     * Whether a client may do something that is an administrator's.
     *
     * @param principal who it is.
     * @param isLocal   whether its connection cannot leave this machine.
     * @param action    what it wants.
     * @param about     whom or what, or empty.
     * @return true to let it happen.
     */
    public boolean allowsAdministration(
            final Principal principal, final boolean isLocal, final Action action, final String about) {
        return mayAdminister(principal, isLocal) && allows(principal, action, about);
    }

    /**
     * Whether a client may do anything at all that is an administrator's.
     *
     * @param principal who it is.
     * @param isLocal   whether its connection cannot leave this machine.
     * @return false for clients that proved nothing unless they are let, and while the audit cannot be written.
     */
    public boolean mayAdminister(final Principal principal, final boolean isLocal) {
        final AnonymousAdministration let = anonymous.get();
        final boolean isKnown = !principal.equals(Principal.ANONYMOUS)
                || let == AnonymousAdministration.ALL
                || (let == AnonymousAdministration.LOCAL && isLocal);
        return isKnown && !audit.refuses();
    }

    /**
     * Whether a client may do something.
     *
     * @param principal who it is.
     * @param action    what it wants.
     * @param topic     it is about, or empty.
     * @return true to let it happen.
     */
    public boolean allows(final Principal principal, final Action action, final String topic) {
        return asked().isAllowed(principal, action, topic);
    }

    /**
     * Whether a client may do something with one topic or another, or about none. An authorizer other than {@link
     * Permissions} is asked about no topic.
     *
     * @param principal who it is.
     * @param action    what it wants.
     * @return false when it may for no topic.
     */
    public boolean allowsAnywhere(final Principal principal, final Action action) {
        return authorizer() instanceof Permissions permissions
                ? permissions.isAllowedAnywhere(principal, action)
                : allows(principal, action, "");
    }

    /**
     * Which messages of each topic a client may do something with.
     *
     * @param principal who it is.
     * @param actions   all of which it needs.
     * @return null when that does not depend on the messages; {@link Entitlement#NOTHING} when it cannot be decided.
     */
    public @Nullable Entitlement entitlement(final Principal principal, final List<Action> actions) {
        return asked().entitlement(principal, actions);
    }

    /**
     * The condition that messages of a topic have to satisfy for a client to do something with them.
     *
     * @param principal who it is.
     * @param actions   all of which it needs.
     * @param topic     name of it.
     * @return text in canonical form; empty for every message, null when an action is denied, or the filters of the rules are
     *     too long together.
     */
    public @Nullable String condition(final Principal principal, final List<Action> actions, final String topic) {
        return asked().condition(principal, actions, topic);
    }

    /**
     * Why a client may not do something, for the client.
     *
     * @param principal who it is.
     * @param actions   all of which it needs, and one of which is refused.
     * @param topic     name of what it is about.
     * @return what follows the name; the same whether there is such a topic or not.
     */
    public String whyNot(final Principal principal, final List<Action> actions, final String topic) {
        return areFiltersTooLong(principal, actions, topic)
                ? "the filters of the permissions of " + principal.name()
                        + " are too long together (ask for fewer or shorter ones)"
                : "not allowed for " + principal.name() + " (ask for the permission)";
    }

    /** Whether the rules allow a client something that is refused as their filters are too long together. */
    public boolean areFiltersTooLong(final Principal principal, final List<Action> actions, final String topic) {
        return asked().isTooLong(principal, actions, topic);
    }

    /** Has the operator told that filters of the permissions are too long for what a client has. */
    public void onFiltersTooLong(final Principal principal, final String about) {
        reports.onFiltersTooLong(principal.name(), about);
    }

    /**
     * Fields of a topic's messages that a client does not see.
     *
     * @param principal who it is.
     * @param topic     name of it.
     * @return none, when all are shown; null when that cannot be decided.
     */
    public @Nullable FieldSelection hidden(final Principal principal, final String topic) {
        return asked().hidden(principal, topic);
    }

    private AskedAuthorizer asked() {
        return state().authorizer;
    }

    private State state() {
        return Objects.requireNonNull(state.get());
    }

    /** Who decides, and how many did before. */
    private record State(AskedAuthorizer authorizer, long version) {}
}
