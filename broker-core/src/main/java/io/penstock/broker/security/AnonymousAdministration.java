package io.penstock.broker.security;

/** Which anonymous clients may run commands of administrators, if the {@link Authorizer} allows it. */
public enum AnonymousAdministration {
    /** None: administrators have to prove who they are. */
    NONE,
    /** Those whose connection cannot leave this machine. */
    LOCAL,
    /** All. */
    ALL
}
