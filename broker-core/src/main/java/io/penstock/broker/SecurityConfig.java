package io.penstock.broker;

import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;

/**
 * Who may connect and do what.
 *
 * @param authenticator       decides who a client is.
 * @param authorizer          decides what it may do.
 * @param allowInsecureListen whether endpoints that other machines can reach may be listened on without an
 *                            authenticator and encryption.
 */
public record SecurityConfig(Authenticator authenticator, Authorizer authorizer, boolean allowInsecureListen) {
    public static SecurityConfig defaults() {
        return new SecurityConfig(Authenticator.NONE, Authorizer.ALL, false);
    }
}
