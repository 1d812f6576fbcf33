package io.penstock.broker.security;

import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.audit.AuditTrail;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * The one choke point through which every command of every transport passes. Nothing else in the broker calls an
 * {@link Authenticator} or {@link Authorizer}. Safe on any thread as far as those are; a failure of theirs is a refusal.
 */
public final class AccessGate {
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final AtomicReference<AnonymousAdministration> anonymous;
    private final ErrorHandler errorHandler;
    private final AuditTrail audit;

    /**
     * Makes the gate.
     *
     * @param authenticator decides who a client is.
     * @param authorizer    decides what it may do.
     * @param anonymous     which clients that proved nothing may administer the broker.
     * @param errorHandler  gets what either of them throws.
     * @param audit         of what passes and what does not; when it cannot be written, and was told so, nobody logs on
     *                      or administers the broker.
     */
    public AccessGate(
            final Authenticator authenticator,
            final Authorizer authorizer,
            final AnonymousAdministration anonymous,
            final ErrorHandler errorHandler,
            final AuditTrail audit) {
        this.authenticator = authenticator;
        this.authorizer = authorizer;
        this.anonymous = new AtomicReference<>(anonymous);
        this.errorHandler = errorHandler;
        this.audit = audit;
    }

    /** Where those who ask the gate record what they let happen, and what not. */
    public AuditTrail audit() {
        return audit;
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
     * Lets a client in.
     *
     * @param logon what it gave.
     * @return who it is, or null when it is refused.
     */
    public @Nullable Principal admit(final Logon logon) {
        if (audit.refuses()) {
            return null;
        }
        final Principal principal;
        try {
            principal = authenticator.authenticate(logon);
        } catch (final RuntimeException e) {
            errorHandler.onError(e);
            return null;
        }
        return principal != null && allows(principal, Action.CONNECT, "") ? principal : null;
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
        return isKnown && !audit.refuses() && allows(principal, action, about);
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
