package io.penstock.broker.security;

import io.penstock.broker.security.Authenticator.Logon;
import org.jspecify.annotations.Nullable;

/**
 * The one choke point through which every command of every transport passes. Nothing else in the broker calls an
 * {@link Authenticator} or {@link Authorizer}. Safe on any thread as far as those are; a failure of theirs is a refusal.
 */
public final class AccessGate {
    private final Authenticator authenticator;
    private final Authorizer authorizer;

    /**
     * Makes the gate.
     *
     * @param authenticator decides who a client is.
     * @param authorizer    decides what it may do.
     */
    public AccessGate(final Authenticator authenticator, final Authorizer authorizer) {
        this.authenticator = authenticator;
        this.authorizer = authorizer;
    }

    /**
     * Lets a client in.
     *
     * @param logon what it gave.
     * @return who it is, or null when it is refused.
     */
    public @Nullable Principal admit(final Logon logon) {
        final Principal principal = authenticator.authenticate(logon);
        return principal != null && allows(principal, Action.CONNECT, "") ? principal : null;
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
        return authorizer.isAllowed(principal, action, topic);
    }
}
