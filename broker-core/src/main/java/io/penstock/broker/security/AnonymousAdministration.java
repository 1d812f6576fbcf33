package io.penstock.broker.security;

/** Which clients that proved nothing may do what is an administrator's, where the {@link Authorizer} lets them. */
public enum AnonymousAdministration {
    /** None: administrators have to prove who they are. */
    NONE,
    /** Those whose connection cannot leave this machine. */
    LOCAL,
    /** All. */
    ALL
}
