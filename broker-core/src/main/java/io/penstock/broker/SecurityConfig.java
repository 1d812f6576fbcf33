package io.penstock.broker;

import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;

/**
 * Which clients may connect, and what they may do.
 *
 * @param authenticator           decides who a client is.
 * @param authorizer              decides what it may do.
 * @param allowInsecureListen     whether endpoints that other machines can reach may be listened on without an
 *                                authenticator and encryption.
 * @param anonymousAdministration which clients that proved nothing may administer the broker, if the authorizer lets
 *                                them.
 */
public record SecurityConfig(
        Authenticator authenticator,
        Authorizer authorizer,
        boolean allowInsecureListen,
        AnonymousAdministration anonymousAdministration) {
    /**
     * A configuration by which clients of this machine may administer the broker.
     *
     * @param authenticator       decides who a client is.
     * @param authorizer          decides what it may do.
     * @param allowInsecureListen whether endpoints that other machines can reach may be listened on.
     */
    public SecurityConfig(
            final Authenticator authenticator, final Authorizer authorizer, final boolean allowInsecureListen) {
        this(authenticator, authorizer, allowInsecureListen, AnonymousAdministration.LOCAL);
    }

    /** The same, with other anonymous clients that may administer the broker. */
    SecurityConfig withAnonymousAdministration(final AnonymousAdministration value) {
        return new SecurityConfig(authenticator, authorizer, allowInsecureListen, value);
    }

    public static SecurityConfig defaults() {
        return new SecurityConfig(Authenticator.NONE, Authorizer.ALL, false);
    }
}
