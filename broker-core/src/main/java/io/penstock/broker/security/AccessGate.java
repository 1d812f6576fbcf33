package io.penstock.broker.security;

import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Challenge;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * The one choke point through which every command of every transport passes. Nothing else in the broker calls an
 * {@link Authenticator}, an {@link AuthenticationMechanism} or an {@link Authorizer}. Safe on any thread as far as those
 * are; a failure of theirs is a refusal.
 */
public final class AccessGate {
    private final Authentication authentication;
    private final Authorizer authorizer;
    private final AtomicReference<AnonymousAdministration> anonymous;
    private final ErrorHandler errorHandler;

    /**
     * Makes the gate.
     *
     * @param authentication decides who a client is.
     * @param authorizer     decides what it may do.
     * @param anonymous      which clients that proved nothing may administer the broker.
     * @param errorHandler   gets what any of them throws.
     */
    public AccessGate(
            final Authentication authentication,
            final Authorizer authorizer,
            final AnonymousAdministration anonymous,
            final ErrorHandler errorHandler) {
        this.authentication = authentication;
        this.authorizer = authorizer;
        this.anonymous = new AtomicReference<>(anonymous);
        this.errorHandler = errorHandler;
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
     * Lets a client in by user and password, or as an anonymous one. For callers with a thread of their own: this may
     * take a second.
     *
     * @param logon what it gave.
     * @return who it is, or null when it is refused.
     */
    public @Nullable Principal admit(final Logon logon) {
        if (isDecidedAtOnce(logon)) {
            return admitAtOnce(logon);
        }
        final AuthenticationExchange exchange = begin(Authentication.PLAIN, logon);
        if (exchange == null) {
            return null;
        }
        final AuthenticationStep step = exchange.respond(Authentication.plain(logon.user(), logon.password()));
        return step instanceof Admitted admitted ? admitted.principal() : null;
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
    public @Nullable Principal admitAtOnce(final Logon logon) {
        final Principal principal;
        if (authentication.isSimple()) {
            if (!authentication.allowsPassword(logon)) {
                return null;
            }
            try {
                principal = authentication.authenticator().authenticate(logon);
            } catch (final RuntimeException e) {
                errorHandler.onError(e);
                return null;
            }
        } else {
            principal = isAnonymous(logon) && authentication.allowsAnonymous(logon) ? Principal.ANONYMOUS : null;
        }
        if (principal == null || (principal.equals(Principal.ANONYMOUS) && !isAnonymous(logon))) {
            return null;
        }
        return allows(principal, Action.CONNECT, "") ? principal : null;
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
        final AuthenticationExchange exchange;
        try {
            exchange = authentication.begin(mechanism, logon);
        } catch (final RuntimeException e) {
            errorHandler.onError(e);
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
        } catch (final RuntimeException e) {
            errorHandler.onError(e);
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
        final AnonymousAdministration let = anonymous.get();
        final boolean isKnown = !principal.equals(Principal.ANONYMOUS)
                || let == AnonymousAdministration.ALL
                || (let == AnonymousAdministration.LOCAL && isLocal);
        return isKnown && allows(principal, action, about);
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
        try {
            return authorizer.isAllowed(principal, action, topic);
        } catch (final RuntimeException e) {
            errorHandler.onError(e);
            return false;
        }
    }
}
